import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseFault } from '#contract/server.ts';
import { AtriumError, mayBeStored } from '../../base/errors.ts';

/** Returns the extended result code of SQLite (https://sqlite.org/rescode.html), or undefined. */
function extendedCodeOf(error: unknown): number | undefined {
  const cause = mayBeStored(error) ? (error as AtriumError).cause : error;
  return cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) : undefined;
}

const primaryCodeOf = (error: unknown): number => (extendedCodeOf(error) ?? 0) & 0xff;

/** SQLITE_BUSY: another program holds the lock. */
export const isLocked = (error: unknown): boolean => primaryCodeOf(error) === 5;

/**
 * Whether a failed commit stored nothing: SQLITE_BUSY, FULL, CONSTRAINT. After an I/O error, the log may contain the
 * whole transaction, and the next start would then recover it.
 */
export const isRolledBack = (error: unknown): boolean => [5, 13, 19].includes(primaryCodeOf(error));

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const damaged = [11, 26];
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
const notWritable = [8, 10, 13, 14];
/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_DATA, SQLITE_IOERR_CORRUPTFS. */
const unreadable = [266, 522, 8202, 8458];

/** Returns the fault that an error during a read or a write means for the database; undefined if it means none. */
export function faultOf(error: unknown, during: 'read' | 'write'): DatabaseFault | undefined {
  const extendedCode = extendedCodeOf(error);
  if (extendedCode === undefined) return undefined;
  const code = extendedCode & 0xff;
  const isReadFault = damaged.includes(code) || unreadable.includes(extendedCode);
  if (isReadFault || (during === 'read' && notWritable.includes(code))) {
    return {
      code: 'unreadable',
      detail:
        'Part of the database file cannot be read: the file is damaged, or its disk is failing. Stop the server, ' +
        'check ' +
        'the disk, and restore a backup.',
    };
  }
  if (!notWritable.includes(code)) return undefined;
  return {
    code: 'not_writable',
    detail:
      code === 13
        ? 'The database cannot be written: its disk is full. Free up space; no restart is needed.'
        : 'The database cannot be written: its disk refuses writes. Check the disk and the permissions of the files.',
  };
}

/** Returns the error for the client. It has no cause for a fault, since faults are logged separately. */
export function toAtriumError(error: unknown, fault: DatabaseFault | undefined): unknown {
  if (mayBeStored(error)) return error;
  if (fault !== undefined) return new AtriumError('unavailable', fault.detail);
  if (!isLocked(error)) return error;
  return new AtriumError('unavailable', 'The database is locked by another program. Try again.', {
    cause: error,
  });
}

const retryEveryMs = 10;

/**
 * Repeats `attempt` while another program holds the lock that it needs, for at most `withinMs`; then throws the error
 * of the last attempt. SQLite's own busy timeout would block the event loop, and every request with it.
 */
export async function whenUnlocked<Result>(attempt: () => Result, withinMs: number): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await delay(retryEveryMs);
  }
}
