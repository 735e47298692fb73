import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { untilAttached } from './traced-writes.ts';

export interface InjectedFault {
  /** Ends the fault: the calls reach the system again. */
  stop(): Promise<void>;
}

/**
 * Makes the named system calls of a running process fail with `error`, such as EIO, for the files at `paths`. Uses strace(1),
 * so that the program and its libraries are the same as in production.
 */
export async function injectFault(
  processId: number,
  {
    calls,
    error,
    paths,
  }: { readonly calls: string; readonly error: string; readonly paths: readonly string[] },
): Promise<InjectedFault> {
  const tracer = spawn(
    'strace',
    [
      '-f',
      '-p',
      String(processId),
      '-o',
      '/dev/null',
      ...paths.flatMap((path) => ['-P', path]),
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:error=${error}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await untilAttached(tracer);
  return {
    stop: async () => {
      const ended = once(tracer, 'exit');
      tracer.kill('SIGINT');
      await ended;
    },
  };
}
