import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadFormat } from '#contract/data-sources.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { mayBeStored } from '../../base/errors.ts';
import type { QueryEngine } from '../../engine/query-engine.ts';
import { toQueryProblem } from '../../engine/problem.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { addDataSource } from '../data-sources.ts';
import { newFileName, persist, sourceDirectory, temporaryDirectory, type SourceFiles } from './files.ts';
import { upsertTable, type StoredTable } from './table-store.ts';
import { findRemainingBytes, quotaExceeded, type UploadLimits } from './upload-quota.ts';

/** Dependencies of importing files on the server's disk. */
export interface LocalImportDependencies extends UploadLimits {
  readonly database: Reader;
  readonly clock: Clock;
  readonly engine: Pick<QueryEngine, 'importFile'>;
  readonly files: SourceFiles;
}

/** A file on the server's disk, and the name of the table to create from it. */
export interface LocalFile {
  readonly name: string;
  readonly inputFile: string;
  readonly format: UploadFormat;
}

/** A data source of files that is not stored yet. */
export interface NewFilesSource {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * Imports files as tables of a new data source, and returns the result of `store`, which has to call `addFilesSource`. They
 * count as an upload of the organization. If this fails, no files are left, unless `store` may have stored its rows anyway.
 */
export async function withImportedTables<Result>(
  dependencies: LocalImportDependencies,
  actor: Actor,
  { id, organizationId }: NewFilesSource,
  tables: readonly LocalFile[],
  store: (tables: readonly StoredTable[]) => Promise<Result>,
): Promise<Result> {
  const { clock, engine, files, slots } = dependencies;
  const directory = sourceDirectory(files.directory, organizationId, id);
  const tempDirectory = temporaryDirectory(files.directory, organizationId);
  const createdAt = timestamp(clock());
  const remainingBytes = await findRemainingBytes(
    dependencies,
    dependencies.database,
    ofAll(id, organizationId),
  );
  return slots.use(organizationId, async (space) => {
    try {
      await mkdir(directory, { recursive: true });
      const stored: StoredTable[] = [];
      // One after the other: on a small machine, parallel imports would only slow each other down.
      for (const { name, inputFile, format } of tables) {
        const file = newFileName('duckdb');
        const outputFile = join(directory, file);
        const imported = await engine.importFile({
          organizationId,
          requesterIds: [actor.userId],
          inputFile,
          format,
          outputFile,
          tempDirectory,
          maxBytes: remainingBytes - space.total(),
        });
        await persist(outputFile, directory);
        const { size: sizeBytes } = await stat(outputFile);
        space.add(sizeBytes);
        if (space.total() > remainingBytes) throw quotaExceeded(dependencies);
        stored.push({ dataSourceId: id, name, file, ...imported, sizeBytes, createdAt });
      }
      return await store(stored);
    } catch (error) {
      if (!mayBeStored(error)) await rm(directory, { recursive: true, force: true });
      throw toQueryProblem(error);
    }
  });
}

/** Identifies no existing table, since the source is new. */
const ofAll = (dataSourceId: string, organizationId: string) => ({ organizationId, dataSourceId, name: '' });

/** Stores a data source with imported tables. Throws `body_too_large` if other uploads have used up the quota in the meantime. */
export async function addFilesSource(
  transaction: Transaction,
  dependencies: Pick<LocalImportDependencies, 'clock' | 'maxOrganizationBytes'>,
  actor: Actor,
  source: NewFilesSource,
  tables: readonly StoredTable[],
): Promise<void> {
  const { clock } = dependencies;
  const remainingBytes = await findRemainingBytes(
    dependencies,
    transaction,
    ofAll(source.id, source.organizationId),
  );
  if (tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > remainingBytes)
    throw quotaExceeded(dependencies);
  const now = timestamp(clock());
  const times = { createdAt: now, updatedAt: now };
  const stored = { ...source, kind: 'files', connection: undefined, password: undefined, ...times } as const;
  await addDataSource(transaction, clock, actor, stored);
  for (const table of tables) await upsertTable(transaction, table);
}
