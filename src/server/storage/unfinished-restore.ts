import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Compilable } from 'kysely';
import { codeOf, StartError } from '../base/errors.ts';
import { operatorCommand } from '../base/program.js';
import type { Database, Reader, Transaction } from './database.ts';
import { syncPath } from './file-facts.ts';
import { isMissingTable } from './instance.ts';
import { prepare, type Sql } from './prepared-query.ts';

/**
 * A restore marks the data directory and a PostgreSQL database before it changes them, and removes both marks when everything
 * is in place. No server starts on what is marked: it would have tables without files, or files without a database.
 */
export const unfinishedRestoreFile = (dataDirectory: string): string =>
  join(dataDirectory, 'unfinished-restore');

/** Whether a restore into a data directory has begun and not succeeded. */
export const hasUnfinishedRestore = (dataDirectory: string): boolean =>
  existsSync(unfinishedRestoreFile(dataDirectory));

/**
 * Marks a data directory, unless it is marked, and returns whether it was not; then the mark is on disk. `backup` is the absolute
 * path of the backup.
 */
export async function markDirectoryUnfinished(dataDirectory: string, backup: string): Promise<boolean> {
  const file = unfinishedRestoreFile(dataDirectory);
  try {
    await writeFile(file, `${backup}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await syncPath(dataDirectory);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rm(file, { force: true });
    throw error;
  }
}

/** Removes the mark of a data directory from its disk. */
export async function markDirectoryFinished(dataDirectory: string): Promise<void> {
  await rm(unfinishedRestoreFile(dataDirectory), { force: true });
  await syncPath(dataDirectory);
}

/** Throws a `StartError` that names the command to repeat, if a data directory is marked. */
export function requireFinishedDirectory(dataDirectory: string): void {
  const file = unfinishedRestoreFile(dataDirectory);
  if (!existsSync(file)) return;
  const backup = readFileSync(file, 'utf8').trim();
  throw unfinished(
    `ATRIUM_DATA_DIR: restoring a backup into ${dataDirectory} was interrupted or is still running`,
    backup,
    'ATRIUM_DATA_DIR to another directory',
  );
}

/** The name of the table that marks a PostgreSQL database: other replicas have other data directories. */
const markTable = 'unfinished_restore';

const selectMark = prepare((db: Sql): Compilable<{ backup: string }> => ({
  compile: () => sql<{ backup: string }>`select backup from ${sql.table(markTable)}`.compile(db),
}));

const insertMark = prepare((db: Sql, p: { backup: string }): Compilable => ({
  compile: () => sql`insert into ${sql.table(markTable)} (backup) values (${p.backup})`.compile(db),
}));

/** Marks a PostgreSQL database, unless it is marked, and returns whether it was not. */
export const markDatabaseUnfinished = (database: Database, backup: string): Promise<boolean> =>
  database.writeSlowly(async (transaction) => {
    await transaction.execute(`create table if not exists ${markTable} (backup text not null)`);
    const isMarked = (await transaction.first(selectMark, {})) !== undefined;
    if (!isMarked) await transaction.run(insertMark, { backup });
    return !isMarked;
  });

/** Removes the mark of a PostgreSQL database. */
export const markDatabaseFinished = (transaction: Pick<Transaction, 'execute'>): Promise<void> =>
  transaction.execute(`drop table if exists ${markTable}`);

/** Returns the path of the backup whose restore into a PostgreSQL database has begun and not succeeded. */
export async function findUnfinishedRestore(reader: Reader): Promise<string | undefined> {
  try {
    return (await reader.first(selectMark, {}))?.backup;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

/** Throws a `StartError` that names the command to repeat, if a database is marked. */
export async function requireFinishedDatabase(database: Database): Promise<void> {
  // An embedded database is in the data directory, which is marked.
  if (database.engine === 'SQLite') return;
  const backup = await findUnfinishedRestore(database);
  if (backup === undefined) return;
  throw unfinished(
    'DATABASE_URL: restoring a backup into the database was interrupted or is still running',
    backup,
    'DATABASE_URL to another database and ATRIUM_DATA_DIR to another directory',
  );
}

const unfinished = (what: string, backup: string, others: string): StartError =>
  new StartError(
    `${what}, so data is missing.\nRun \`${operatorCommand} restore ${backup === '' ? 'DIR' : backup}\` again, which ` +
      `completes it. To use another server's data, set ${others}.`,
  );
