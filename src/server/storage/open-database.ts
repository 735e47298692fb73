import { mkdirSync, statfsSync } from 'node:fs';
import { AtriumError, StartError } from '../base/errors.ts';
import { databaseFile, requireDatabaseFile, requireNoLostDatabase } from './data-directory.ts';
import type { Database } from './database.ts';
import { requireSameInstance } from './instance.ts';
import { knownSchemaVersion, migrate, readSchemaVersion } from './migrations/migrations.ts';
import type { Deadlines } from './postgres/connections.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { requireFinishedDatabase, requireFinishedDirectory } from './unfinished-restore.ts';

/**
 * Opens the database of the settings and updates its schema. Without `upgrades`, only a new database gets a schema, and an older
 * one is refused: another version of the server may be using it. Without `creates`, a new one is refused as well. Throws a
 * `StartError` if it can't be opened, is newer than this program, is missing although its directory has been in use, or is not
 * the one that the uploaded tables in the directory belong to.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  { upgrades = true, creates = true, deadlines }: OpenOptions = {},
): Promise<Database> {
  requireFinishedDirectory(settings.dataDirectory);
  if (!creates && settings.databaseUrl === undefined) requireDatabaseFile(settings.dataDirectory);
  const database = await openUnchanged(settings, deadlines);
  try {
    await requireFinishedDatabase(database);
    if (!creates) await requireSchema(database);
    await requireSameInstance(database, settings.dataDirectory);
    if (!upgrades) await requireCurrentSchema(database);
    await migrate(database);
    // A restore may have begun in between, when the database was still empty.
    await requireFinishedDatabase(database);
  } catch (error) {
    await database.close();
    if (!(error instanceof AtriumError)) throw error;
    throw new StartError(`The schema of the database cannot be updated: ${error.message}`, {
      cause: error,
    });
  }
  return database;
}

export interface OpenOptions {
  readonly upgrades?: boolean;
  readonly creates?: boolean;
  /** Those of requests on PostgreSQL. Replaced in tests, which run on slow machines. */
  readonly deadlines?: Deadlines | undefined;
}

/** Where a database is. */
export interface DatabaseSettings {
  readonly databaseUrl: string | undefined;
  /** A read replica on PostgreSQL. */
  readonly databaseReadUrl?: string | undefined;
  readonly dataDirectory: string;
}

/**
 * Opens the database of the settings, whatever its schema is. Throws a `StartError` if it can't be opened, or if the data
 * directory has a restore that is not finished.
 */
export async function openUnchanged(
  { databaseUrl, databaseReadUrl, dataDirectory }: DatabaseSettings,
  deadlines?: Deadlines,
): Promise<Database> {
  requireFinishedDirectory(dataDirectory);
  return databaseUrl === undefined
    ? openEmbedded(dataDirectory)
    : await openServer(databaseUrl, databaseReadUrl, deadlines);
}

async function requireSchema(database: Database): Promise<void> {
  if ((await readSchemaVersion(database)) > 0) return;
  const setting = database.engine === 'SQLite' ? 'ATRIUM_DATA_DIR' : 'DATABASE_URL';
  throw new StartError(`${setting}: the database is empty. Set it to the database of the server.`);
}

async function requireCurrentSchema(database: Database): Promise<void> {
  const version = await readSchemaVersion(database);
  if (version === 0 || version >= knownSchemaVersion) return;
  throw new StartError(
    `The schema of the database has version ${version}, and this program uses version ${knownSchemaVersion}. Commands don't ` +
      'upgrade it, because an older server may be running. Start the new server, or run `atrium server migrate`.',
  );
}

function openEmbedded(dataDirectory: string): Database {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    requireNoLostDatabase(dataDirectory);
    return openSqlite(databaseFile(dataDirectory));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `ATRIUM_DATA_DIR: the database in ${dataDirectory} cannot be opened: ${reason}${hasSpace(dataDirectory) ? '' : '. The disk is full: free up space, then start again.'}`,
      { cause: error },
    );
  }
}

/**
 * Whether the disk has the space that SQLite needs to open a file, since SQLite reports a full disk as an I/O error.
 */
function hasSpace(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= 1024 ** 2;
  } catch {
    return true;
  }
}

/**
 * Opens a PostgreSQL database, whatever is in it. The driver is loaded only if it is used, so that the embedded database starts
 * faster.
 */
export async function openServer(url: string, readUrl?: string, deadlines?: Deadlines): Promise<Database> {
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(url, { readUrl, ...(deadlines && { deadlines }) });
}
