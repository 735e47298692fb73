import { join } from 'node:path';
import type { UnavailableTable } from '../../engine/duckdb/description.ts';
import type { Reader } from '../../storage/database.ts';
import { sourceDirectory, type RemoteFiles } from './files.ts';
import type { StorageError } from './s3/errors.ts';
import { selectTables, type SourceForQuery } from './table-store.ts';

/** Makes sure that the tables of a source have local copies. Returns those that have none, since the others can be queried. */
export async function fetchTables(
  remote: RemoteFiles,
  reader: Reader,
  { id, organizationId, tables }: Pick<SourceForQuery, 'id' | 'organizationId' | 'tables'>,
): Promise<UnavailableTable[]> {
  if (tables.length === 0) return [];
  const directory = sourceDirectory(remote.directory, organizationId, id);
  const stored = new Map((await selectTables(reader, id)).map((table) => [table.file, table]));
  const wanted = tables.map(({ name, file }) => ({
    name,
    path: join(directory, file),
    sizeBytes: stored.get(file)?.sizeBytes,
    sha256: stored.get(file)?.sha256,
  }));
  const faults = await remote.fetch(wanted);
  return wanted.flatMap(({ name, path }) => {
    const error = faults.get(path);
    return error === undefined ? [] : [{ name, fault: describeFault(name, error) }];
  });
}

/** Returns undefined if the file is damaged or missing, which the query engine reports itself. */
function describeFault(name: string, { fault }: StorageError): string | undefined {
  switch (fault) {
    case 'missing':
    case 'damaged':
      return undefined;
    case 'full':
      return `The table ${name} cannot be opened at the moment, because the server has no disk space for it. Try again later.`;
    case 'unreachable':
    case 'refused':
      return `The table ${name} cannot be opened at the moment, because the storage of uploaded tables is not available. Try again later.`;
  }
}
