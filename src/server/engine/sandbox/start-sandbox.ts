import { StartError } from '../../base/errors.ts';
import { detectSandbox, type DetectOptions } from './detect-sandbox.ts';
import type { QuerySandbox, SandboxState } from './sandbox.ts';

/**
 * Returns the way to isolate query workers. Throws a `StartError` if isolation is required but doesn't work on this machine.
 */
export async function startSandbox(mode: 'auto' | 'required', options: DetectOptions): Promise<QuerySandbox> {
  const sandbox = await detectSandbox(options);
  const { kind, reason, remedy } = sandbox.state;
  if (mode === 'required' && kind === 'none')
    throw new StartError(
      `ATRIUM_QUERY_SANDBOX is required, but query workers cannot be isolated on this machine: ${reason} ${remedy} ` +
        'Or set ATRIUM_QUERY_SANDBOX to auto, to run queries without isolation.',
    );
  return sandbox;
}

/** Returns the log line about isolation at the start. */
export function describeIsolation({ kind, reason, remedy }: SandboxState): {
  readonly level: 'info' | 'warn';
  readonly message: string;
} {
  switch (kind) {
    case 'bubblewrap':
      return { level: 'info', message: 'Query workers are isolated by bubblewrap.' };
    case 'separate_user':
      return {
        level: 'warn',
        message:
          'Each query worker runs as a separate user. It can still reach the network and files that every user may ' +
          `read, because bubblewrap could not be used: ${reason} ${remedy}`,
      };
    case 'none':
      return {
        level: 'warn',
        message: `Query workers are not isolated from the server by the operating system: ${reason} ${remedy}`,
      };
  }
}
