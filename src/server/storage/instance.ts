import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, StartError } from '../base/errors.ts';
import { sourcesDirectory } from './data-directory.ts';
import type { Database, Reader } from './database.ts';
import { prepare } from './prepared-query.ts';

const select = prepare((sql) => sql.selectFrom('instance').select('id').where('key', '=', 1));

const rewrite = prepare((sql) =>
  sql
    .updateTable('instance')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('key', '=', 1),
);

/** Writes something that changes nothing. Throws if the database can't be written. */
export async function tryToWrite(database: Database): Promise<void> {
  await database.write((transaction) => transaction.run(rewrite, {}));
}

/** Returns the path of the file with the id of the database that the uploaded tables beside it belong to. */
export const instanceFile = (dataDirectory: string): string =>
  join(sourcesDirectory(dataDirectory), 'instance-id');

/** Whether the uploaded tables are marked as belonging to a database. */
export const isMarked = (dataDirectory: string): boolean => readMark(dataDirectory) !== undefined;

/** Whether the uploaded tables belong to this database, as far as their mark tells: unmarked ones may. */
export async function isSameInstance(reader: Reader, dataDirectory: string): Promise<boolean> {
  const marked = readMark(dataDirectory);
  return marked === undefined || marked === (await findInstanceId(reader));
}

/**
 * Throws a `StartError` if the uploaded tables are marked as belonging to another database: a server would treat them
 * as leftovers. Works before migrations, so that nothing is changed in the wrong database.
 */
export async function requireSameInstance(reader: Reader, dataDirectory: string): Promise<void> {
  if (await isSameInstance(reader, dataDirectory)) return;
  throw new StartError(
    `DATABASE_URL, ATRIUM_DATA_DIR: the uploaded tables in ${sourcesDirectory(dataDirectory)} belong to another database.\n` +
      'Most likely one of the two settings is wrong: correct it, so that the database and the directory belong to ' +
      'the ' +
      'same server.\n' +
      'If they do belong together, for example because the database was restored from an old backup, delete ' +
      `${instanceFile(dataDirectory)} and start again.`,
  );
}

/**
 * Marks the uploaded tables as belonging to this database, unless they are marked. Throws a `StartError` if it cannot.
 */
export async function markDataDirectory(reader: Reader, dataDirectory: string): Promise<void> {
  if (isMarked(dataDirectory)) return;
  const file = instanceFile(dataDirectory);
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(sourcesDirectory(dataDirectory), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${await findInstanceId(reader)}\n`, { flag: 'wx', mode: 0o600, flush: true });
    // The file is created atomically. Replicas that start at the same time all write the same content.
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw unusable(file, cause);
  }
}

function readMark(dataDirectory: string): string | undefined {
  const file = instanceFile(dataDirectory);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw unusable(file, cause);
  }
}

/** Returns the id of a database; undefined if its schema is older than ids, or doesn't exist yet. */
export async function findInstanceId(reader: Reader): Promise<string | undefined> {
  try {
    return (await reader.first(select, {}))?.id;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

/** Whether a query failed because a table doesn't exist: SQLSTATE 42P01; SQLite only has a message. */
export const isMissingTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || (error instanceof Error && error.message.startsWith('no such table'));

const unusable = (file: string, cause: unknown): StartError =>
  new StartError(
    `ATRIUM_DATA_DIR: ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
