import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, StartError } from '../base/errors.ts';
import { operatorCommand } from '../base/program.js';
import { isOrganization } from '../organizations/organizations.ts';
import { sourcesDirectory } from '../storage/data-directory.ts';
import type { Reader } from '../storage/database.ts';
import { findInstanceId, instanceFile, isMarked, markDataDirectory } from '../storage/instance.ts';
import { quarantineName } from './tables/files.ts';
import { hasStoredTables } from './tables/table-store.ts';

/**
 * Marks the uploaded tables in a data directory as belonging to this database, unless the directory is marked already. An
 * unmarked directory with tables is accepted if the database has the organization of any of them, since ids are random; one
 * without any, if the database has no uploaded tables, or if they are elsewhere (`hasLocalTables` is false).
 * Throws a `StartError` otherwise.
 */
export async function claimSources(
  reader: Reader,
  dataDirectory: string,
  { hasLocalTables }: { readonly hasLocalTables: boolean },
): Promise<void> {
  if (isMarked(dataDirectory)) return;
  const directory = sourcesDirectory(dataDirectory);
  const organizationIds = organizationsWithFiles(directory);
  if (hasLocalTables && organizationIds.length === 0 && (await hasStoredTables(reader))) {
    throw new StartError(
      `ATRIUM_DATA_DIR: the database has uploaded tables, and ${directory} has none of them.\n` +
        'Most likely the setting is wrong, or the database was restored without its files: correct it, or run ' +
        `\`${operatorCommand} restore\` with a backup that has both.\n` +
        `To start without the tables, create the file ${instanceFile(dataDirectory)} with the line ` +
        `${await findInstanceId(reader)}.`,
    );
  }
  if (!(await isOfDatabase(reader, organizationIds))) {
    throw new StartError(
      `DATABASE_URL, ATRIUM_DATA_DIR: the uploaded tables in ${directory} belong to organizations that this ` +
        'database does not have.\n' +
        'Most likely one of the two settings is wrong: correct it, so that the database and the directory belong to ' +
        `the same server.\nIf you mean to use a new database, move ${directory} away and start again.`,
    );
  }
  await markDataDirectory(reader, dataDirectory);
}

/** Whether the list is empty, or the database has one of the organizations. Usually, the first one decides. */
export async function isOfDatabase(reader: Reader, organizationIds: readonly string[]): Promise<boolean> {
  for (const id of organizationIds) if (await isOrganization(reader, id)) return true;
  return organizationIds.length === 0;
}

/** Returns the ids of the organizations that have a data source with files. */
const organizationsWithFiles = (directory: string): string[] =>
  namesIn(directory).filter(
    (id) =>
      id !== quarantineName &&
      namesIn(join(directory, id)).some((source) => namesIn(join(directory, id, source)).length > 0),
  );

/** Returns the names in a directory, or an empty list if the path isn't a directory. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}
