import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../base/errors.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database of the settings and brings its schema up to date. Throws a `StartError` when it cannot be
 * opened, or is newer than this program.
 */
export async function openDatabase(settings: {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
}): Promise<Database> {
  const database =
    settings.databaseUrl === undefined
      ? openEmbedded(settings.dataDirectory)
      : await openServer(settings.databaseUrl);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function openEmbedded(dataDirectory: string): Database {
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    return openSqlite(join(dataDirectory, 'atrium.sqlite'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`ATRIUM_DATA_DIR: the database in ${dataDirectory} cannot be opened: ${reason}`, {
      cause: error,
    });
  }
}

/** The driver of PostgreSQL is loaded only where it is used: the embedded database starts sooner without it. */
async function openServer(url: string): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(url);
}
