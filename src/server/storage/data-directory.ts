import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/errors.ts';

/** Returns the directory of the uploaded tables of all organizations. Replicas share it. */
export const sourcesDirectory = (dataDirectory: string): string => join(dataDirectory, 'sources');

/** Returns the directory of cached results of queries. Replicas can share it. */
export const resultsDirectory = (dataDirectory: string): string => join(dataDirectory, 'results');

/** Returns the file of the embedded database. */
export const databaseFile = (dataDirectory: string): string => join(dataDirectory, 'atrium.sqlite');

export const secretKeyFile = (dataDirectory: string): string => join(dataDirectory, 'secret-key');

/** Throws a `StartError` if a directory has no embedded database, which would otherwise be created. */
export function requireDatabaseFile(dataDirectory: string): void {
  if (sizeOf(databaseFile(dataDirectory)) !== undefined) return;
  throw new StartError(
    `ATRIUM_DATA_DIR: ${dataDirectory} has no database. Set it to the data directory of the server.`,
  );
}

/** Returns the file whose lock a process holds while it is the only one to use a data directory. */
export const serverLockFile = (dataDirectory: string): string => join(dataDirectory, 'server-lock');

/** Long enough for a server that is just stopping. */
const lockWaitMs = 1_000;

/** Referenced here, so that no lock is garbage-collected, which would release it. */
const locks = new Set<DatabaseSync>();

/**
 * Makes this process the only server on a data directory with an embedded database, or with a cache of uploaded tables, until
 * it ends. The lock is SQLite's own lock on a file, which the operating system releases even if the process is killed. Throws a
 * `StartError` if another server holds it. Commands run beside the server, so they don't take the lock, except `server migrate` and
 * `server restore`. Returns a function that releases it earlier.
 */
export function lockDataDirectory(dataDirectory: string): () => void {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(serverLockFile(dataDirectory), { timeout: lockWaitMs });
    lock.exec('begin exclusive');
    locks.add(lock);
    return () => {
      locks.delete(lock);
      lock.close();
    };
  } catch (cause) {
    const isTaken = cause instanceof Error && 'errcode' in cause && cause.errcode === 5;
    throw new StartError(
      isTaken
        ? `ATRIUM_DATA_DIR: another server is running on ${dataDirectory}. Stop it first, or set ATRIUM_DATA_DIR to ` +
            'another directory. To run several servers on the same data, use PostgreSQL (DATABASE_URL), and give each server ' +
            'a directory of its own, or leave ATRIUM_TABLES_URL out and share the directory.'
        : `ATRIUM_DATA_DIR: ${dataDirectory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Throws a `StartError` if the embedded database is missing or empty in a directory that has been in use: a new
 * database would replace the lost one, and its new key and its first sweep would make the loss worse.
 */
export function requireNoLostDatabase(dataDirectory: string): void {
  // Read before the size: another process that is just creating both writes the database first.
  const found = [
    ...(hasEntries(sourcesDirectory(dataDirectory)) ? ['sources'] : []),
    ...(sizeOf(secretKeyFile(dataDirectory)) === undefined ? [] : ['secret-key']),
  ];
  const file = databaseFile(dataDirectory);
  const size = sizeOf(file);
  if (found.length === 0 || (size !== undefined && size > 0)) return;
  throw new StartError(
    `ATRIUM_DATA_DIR: the database ${file} is ${size === undefined ? 'missing' : 'empty'}, but its directory ` +
      `contains data of a server: ${found.join(', ')}.\n` +
      'Restore the database from a backup. If the data is in PostgreSQL, set DATABASE_URL. ' +
      'To start over, set ATRIUM_DATA_DIR to an empty directory.',
  );
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

const hasEntries = (directory: string): boolean =>
  sizeOf(directory) !== undefined && readdirSync(directory).length > 0;
