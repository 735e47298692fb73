import { constants, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor } from '../../base/actor.ts';
import { keyOfOrganization } from '../../base/tenant.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { mayBeStored } from '../../base/errors.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { addDataSource } from '../data-sources.ts';
import { newFileName, sourceDirectory, type SourceFiles } from './files.ts';
import { upsertTable, type StoredTable } from './table-store.ts';
import { findRemainingBytes, quotaExceeded, type UploadLimits } from './upload-quota.ts';

/** Dependencies of copying tables on the server's disk. */
export interface CopyDependencies extends UploadLimits {
  readonly database: Reader;
  readonly clock: Clock;
  readonly files: SourceFiles;
}

/** A table on the server's disk, with the path of its DuckDB database file. */
export type LocalTable = Pick<StoredTable, 'name' | 'columns' | 'rowCount' | 'sizeBytes'> & {
  readonly path: string;
};

/** A data source of files that is not stored yet. */
export interface NewFilesSource {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * Copies tables into a new data source, and returns the result of `store`, which has to call `addFilesSource`. They count
 * as an upload of the organization. If this fails, no files are left, unless `store` may have stored its rows anyway.
 */
export async function withCopiedTables<Result>(
  dependencies: CopyDependencies,
  { id, organizationId }: NewFilesSource,
  tables: readonly LocalTable[],
  store: (tables: readonly StoredTable[]) => Promise<Result>,
): Promise<Result> {
  const { database, clock, files, slots } = dependencies;
  const directory = sourceDirectory(files.directory, organizationId, id);
  const createdAt = timestamp(clock());
  const remainingBytes = await findRemainingBytes(dependencies, database, ofAll(id, organizationId));
  return slots.use(keyOfOrganization(organizationId), async (space) => {
    space.add(sumBytes(tables));
    if (space.total() > remainingBytes) throw quotaExceeded(dependencies);
    try {
      await mkdir(directory, { recursive: true });
      const copies = tables.map(async ({ path, ...table }) => {
        const file = newFileName('duckdb');
        await copyFile(path, join(directory, file), constants.COPYFILE_FICLONE);
        const persisted = await files.store(join(directory, file));
        return { ...table, ...persisted, dataSourceId: id, file, createdAt };
      });
      // If one fails, none of the others must be written after the files are removed.
      await Promise.allSettled(copies);
      return await store(await Promise.all(copies));
    } catch (error) {
      if (!mayBeStored(error)) await files.removeDirectory(directory);
      throw error;
    }
  });
}

/** Identifies no existing table, since the source is new. */
const ofAll = (dataSourceId: string, organizationId: string) => ({ organizationId, dataSourceId, name: '' });

const sumBytes = (tables: readonly { readonly sizeBytes: number }[]): number =>
  tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Stores a data source with copied tables. Throws `body_too_large` if other uploads have used up the quota in the meantime. */
export async function addFilesSource(
  transaction: Transaction,
  dependencies: Pick<CopyDependencies, 'clock' | 'maxOrganizationBytes'>,
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
  if (sumBytes(tables) > remainingBytes) throw quotaExceeded(dependencies);
  const now = timestamp(clock());
  const times = { createdAt: now, updatedAt: now };
  const stored = { ...source, kind: 'files', connection: undefined, password: undefined, ...times } as const;
  await addDataSource(transaction, clock, actor, stored);
  for (const table of tables) await upsertTable(transaction, table);
}
