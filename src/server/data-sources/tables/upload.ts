import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadTypes, type SourceTable } from '#contract/data-sources/data-sources.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, mayBeStored } from '../../base/errors.ts';
import type { QueryEngine } from '../../engine/query-engine.ts';
import { toQueryProblem } from '../../engine/problem.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requireDataSource, requireDataSourceToChange } from '../access.ts';
import { newFileName, sourceDirectory, temporaryDirectory, type SourceFiles } from './files.ts';
import { selectTables, upsertTable, type StoredTable } from './table-store.ts';
import { findRemainingBytes, quotaExceeded, type UploadLimits, type UploadSpace } from './upload-quota.ts';
import { maxUploadBytes, receive, tooLarge } from '../uploads/receive.ts';
import { requireTableName, requireUploads, toSourceTable } from './uploaded.ts';

/** Dependencies of uploading tables. */
export interface UploadDependencies extends UploadLimits {
  readonly database: Database;
  readonly clock: Clock;
  readonly engine: Pick<QueryEngine, 'importFile'>;
  readonly files: SourceFiles;
}

/** A file that is being received. */
export interface UploadedFile {
  readonly dataSourceId: string;
  readonly table: string;
  readonly mediaType: string;
  readonly lengthBytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const maxTables = 100;

/**
 * Creates a table from a file, or replaces the one of the same name, in one step after the whole file is imported. Editor or
 * higher. An upload that is interrupted or can't be imported leaves nothing behind. Throws `body_too_large`,
 * `unreadable_file`, `too_many_tables`, and `too_many_attempts` if the organization uploads too many files at once.
 */
export async function uploadTable(
  dependencies: UploadDependencies,
  actor: Actor,
  file: UploadedFile,
): Promise<SourceTable> {
  const { database, engine, files, slots } = dependencies;
  const source = await requireDataSource(database, actor, file.dataSourceId, 'data_source.edit_files');
  requireUploads(source);
  requireTableName(file.table);
  if ((file.lengthBytes ?? 0) > maxUploadBytes) throw tooLarge();
  await findReplaced(database, source.id, file.table);
  const { organizationId } = source;
  const table = { organizationId, dataSourceId: source.id, name: file.table };
  const remainingBytes = await findRemainingBytes(dependencies, database, table);
  if (remainingBytes < Math.max(file.lengthBytes ?? 0, 1)) throw quotaExceeded(dependencies);
  const directory = sourceDirectory(files.directory, organizationId, source.id);
  const inputFile = join(directory, newFileName('upload'));
  const outputName = newFileName('duckdb');
  const outputFile = join(directory, outputName);
  const tempDirectory = temporaryDirectory(files.directory, organizationId);
  return slots.use(keyOfOrganization(organizationId), async (space) => {
    try {
      await mkdir(directory, { recursive: true });
      await receive(file.chunks, inputFile, (chunkBytes) => {
        space.add(chunkBytes);
        if (space.total() > remainingBytes) throw quotaExceeded(dependencies);
      });
      const imported = await engine
        .importFile({
          organizationId,
          requesterIds: [actor.userId],
          inputFile,
          format: formatOf(file.mediaType),
          outputFile,
          tempDirectory,
          maxBytes: remainingBytes - space.total(),
        })
        .catch((error: unknown) => {
          throw toQueryProblem(error);
        });
      const created = { ...imported, file: outputName, ...(await files.store(outputFile)) };
      return await replaceTable(dependencies, actor, file, created, space);
    } catch (error) {
      // If a row may already refer to the file, it stays, and the sweep removes it if no row does.
      if (!mayBeStored(error)) {
        await files.remove(outputFile);
        await rm(`${outputFile}.wal`, { force: true });
      }
      throw error;
    } finally {
      await rm(inputFile, { force: true });
    }
  });
}

/** Stores the table. Checks the permission again, since receiving the file may have taken an hour. */
async function replaceTable(
  dependencies: UploadDependencies,
  actor: Actor,
  { dataSourceId, table: name }: UploadedFile,
  imported: ImportedFile,
  space: UploadSpace,
): Promise<SourceTable> {
  const { database, clock, files } = dependencies;
  const table = { dataSourceId, name, ...imported, createdAt: timestamp(clock()) };
  const replacedPath = await database.write(async (transaction) => {
    const source = await requireDataSourceToChange(
      transaction,
      actor,
      dataSourceId,
      'data_source.edit_files',
    );
    return storeTable(transaction, dependencies, actor, { source, table, otherBytes: space.others() });
  });
  if (replacedPath !== undefined) files.removeLater(replacedPath);
  return toSourceTable(table);
}

/** Stores a table of a locked source, and returns the path of the file that it replaces, or undefined. */
export async function storeTable(
  transaction: Transaction,
  dependencies: Pick<UploadDependencies, 'clock' | 'files' | 'maxOrganizationBytes'>,
  actor: Actor,
  { source, table, otherBytes }: NewTable,
): Promise<string | undefined> {
  const { clock, files } = dependencies;
  const { organizationId, id } = source;
  const { name, rowCount, sizeBytes } = table;
  const replaced = await findReplaced(transaction, id, name);
  const key = { organizationId, dataSourceId: id, name };
  const remainingBytes = await findRemainingBytes(dependencies, transaction, key);
  if (sizeBytes + otherBytes > remainingBytes) throw quotaExceeded(dependencies);
  await upsertTable(transaction, table);
  const details = { dataSourceId: id, table: name, rowCount, sizeBytes };
  await recordAudit(transaction, clock, { organizationId, action: 'table.uploaded', actor, details });
  return replaced && join(sourceDirectory(files.directory, organizationId, id), replaced.file);
}

interface NewTable {
  readonly source: { readonly organizationId: string; readonly id: string };
  readonly table: StoredTable;
  /** The size of the files that the organization is uploading. */
  readonly otherBytes: number;
}

/** A file that was imported. */
export type ImportedFile = Pick<StoredTable, 'file' | 'columns' | 'rowCount' | 'sizeBytes' | 'sha256'>;

/** Returns the table that an upload with this name replaces, or undefined. Throws `too_many_tables` if a new one would be too many. */
export async function findReplaced(
  reader: Reader,
  dataSourceId: string,
  name: string,
): Promise<StoredTable | undefined> {
  const tables = await selectTables(reader, dataSourceId);
  const replaced = tables.find((other) => other.name === name);
  if (replaced === undefined) requireFreeSlot(tables);
  return replaced;
}

/** Throws `too_many_tables` unless a source with these tables can have another one. */
export function requireFreeSlot(tables: readonly StoredTable[]): void {
  if (tables.length < maxTables) return;
  throw new AtriumError(
    'too_many_tables',
    `A data source can have up to ${maxTables} tables. Delete one first.`,
  );
}

/** Sound because the route only accepts these media types. */
const formatOf = (mediaType: string) => uploadTypes[mediaType as keyof typeof uploadTypes];
