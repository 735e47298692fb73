import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../command.ts';
import { CommandFailure, codeOf } from '../failure.ts';

const pauseMs = 100;
/** After this long, another process is assumed to hang. */
const maxWaitMs = 60_000;

/**
 * Runs `work` while no other process of this machine does the same. A refresh token works once, and a second use ends the login, so
 * that processes that start at the same time must refresh one after the other. Throws a `CommandFailure` if the directory can't be
 * written to: what the server responds could not be stored either.
 */
export async function withRefreshLock<Result>(
  { configDirectory, wait }: Pick<Place, 'configDirectory' | 'wait'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const file = join(configDirectory, 'logins.lock');
  for (let waitedMs = 0; !tryLock(file); waitedMs += pauseMs) {
    if (waitedMs >= maxWaitMs || !isHeld(file)) rmSync(file, { force: true });
    else await wait(pauseMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, String(process.pid));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new CommandFailure(`${file} can't be written: ${codeOf(error) ?? String(error)}.`, {
      cause: error,
    });
  }
}

/** Whether the process that locked a file still runs, or may. */
function isHeld(file: string): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    // Empty while it is being written.
    if (text !== '') process.kill(Number(text), 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
