import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../base/errors.ts';
import { readChain, readOpenCounts } from '../../log-chain/reading.ts';
import { logs } from '../../log-chain/rows.ts';
import { sealLog } from '../../log-chain/seal.ts';
import { sourceDirectory, type SourceFiles } from '../../data-sources/tables/files.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database, Reader } from '../../storage/database.ts';
import type { Archive } from '../archive/archive.ts';
import { addCode } from './as-code.ts';
import { findImageContent, findLogo, selectDeletedTables, selectTables, type TableFile } from './queries.ts';
import { exportedNames, readRows } from './row-queries.ts';

export interface ContentDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: Pick<SourceFiles, 'directory' | 'remote'>;
}

/** A file of an uploaded table that the server doesn't have, or that has changed on its disk. */
export interface Fault {
  readonly dataSourceId: string;
  readonly table: string;
  readonly reason: 'missing' | 'damaged';
}

const ndjson = { ending: 'ndjson' } as const;

/** Adds everything of an organization to an archive, the logs last. Returns what is missing on the server. */
export async function addContent(
  archive: Archive,
  { database, clock, files }: ContentDependencies,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<Fault[]> {
  const reader = await database.findReader();
  for (const table of exportedNames)
    if (table !== 'log_chains')
      await archive.addLines(
        { folder: 'tables', name: table, ...ndjson },
        readRows(reader, table, organizationId),
      );
  await addCode(archive, reader, organizationId);
  await addImages(archive, reader, organizationId);
  const faults = await addTables(archive, { reader, files }, organizationId);
  await addLogs(archive, { database, clock }, { organizationId, signal });
  return faults;
}

async function addImages(archive: Archive, reader: Reader, organizationId: string): Promise<void> {
  const folder = 'images';
  const add = (name: string, type: string, content: string) =>
    archive.addBytes({ folder, name, ending: type.replace('image/', '') }, [Buffer.from(content, 'base64')], {
      isCompressed: true,
    });
  const logo = await findLogo(reader, organizationId);
  if (logo !== undefined) await add('logo', logo.type, logo.content);
  for await (const { hash, type } of readRows(reader, 'images', organizationId)) {
    const content = await findImageContent(reader, { organizationId, hash: String(hash) });
    if (content !== undefined) await add(String(hash), String(type), content);
  }
}

async function addTables(
  archive: Archive,
  { reader, files }: Pick<ContentDependencies, 'files'> & { readonly reader: Reader },
  organizationId: string,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const kept = await selectTables(reader, organizationId);
  const deleted = await selectDeletedTables(reader, organizationId);
  for (const [tables, place] of [
    [kept, ''],
    [deleted, '/trash'],
  ] as const)
    for (const table of tables) {
      const directory = sourceDirectory(files.directory, organizationId, table.dataSourceId);
      const reason = await addTable(archive, files, {
        table,
        path: join(directory, table.file),
        folder: `uploads/${table.dataSourceId}${place}`,
      });
      if (reason !== undefined) faults.push({ dataSourceId: table.dataSourceId, table: table.name, reason });
    }
  return faults;
}

async function addTable(
  archive: Archive,
  { remote }: ContentDependencies['files'],
  { table, path, folder }: { readonly table: TableFile; readonly path: string; readonly folder: string },
): Promise<Fault['reason'] | undefined> {
  const { name, sha256 } = table;
  await remote?.require({ path, sizeBytes: Number(table.sizeBytes), sha256 });
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const written = await archive.addBytes(
      { folder, name, ending: 'duckdb' },
      file.createReadStream({ autoClose: false }),
    );
    return sha256 !== null && written.sha256 !== sha256 ? 'damaged' : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing';
    throw error;
  } finally {
    await file?.close();
  }
}

async function addLogs(
  archive: Archive,
  dependencies: Pick<ContentDependencies, 'database' | 'clock'>,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database } = dependencies;
  const folder = 'logs';
  // What the chains have by now is read from the same server that has sealed it.
  for (const log of logs) await sealLog(dependencies, { organizationId, log }, signal);
  signal.throwIfAborted();
  await archive.addLines(
    { folder: 'tables', name: 'log_chains', ...ndjson },
    readRows(database, 'log_chains', organizationId),
  );
  await archive.addLines(
    { folder, name: 'access-open', ...ndjson },
    readOpenCounts(database, organizationId),
  );
  for (const log of logs)
    await archive.addLines({ folder, name: log, ...ndjson }, readChain(database, { organizationId, log }));
}
