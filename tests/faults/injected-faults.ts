import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { untilAttached } from './traced-writes.ts';

export interface InjectedFault {
  /** Lets the calls reach the system again. */
  stop(): Promise<void>;
}

/**
 * From now on each of the named system calls of a running process fails with `error`, such as EIO, where it is about a
 * file at one of `paths`; by strace(1), so that the program and its libraries are as they are in production.
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
