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
import { findRoom, noRoom, type UploadLimits } from './upload-quota.ts';

/** What reading the server's own files takes. */
export interface ReadyMadeNeeds extends UploadLimits {
  readonly database: Reader;
  readonly clock: Clock;
  readonly engine: Pick<QueryEngine, 'importFile'>;
  readonly files: SourceFiles;
}

/** A file of the server's own, and the table it becomes. */
export interface ReadyMadeTable {
  readonly name: string;
  readonly inputFile: string;
  readonly format: UploadFormat;
}

/** A data source of files that is about to be. */
export interface ReadyMadeSource {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/**
 * Reads files into tables of a new data source, and returns what `store` makes of them, in which `addReadyMadeSource`
 * belongs. They count as an upload of the organization. When it fails, no file is left, unless `store` may have stored its rows all the same.
 */
export async function withReadyMadeTables<Result>(
  needs: ReadyMadeNeeds,
  actor: Actor,
  { id, organizationId }: ReadyMadeSource,
  tables: readonly ReadyMadeTable[],
  store: (tables: readonly StoredTable[]) => Promise<Result>,
): Promise<Result> {
  const { clock, engine, files, slots } = needs;
  const directory = sourceDirectory(files.directory, organizationId, id);
  const tempDirectory = temporaryDirectory(files.directory, organizationId);
  const createdAt = timestamp(clock());
  const room = await findRoom(needs, needs.database, ofAll(id, organizationId));
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
          maxBytes: room - space.total(),
        });
        await persist(outputFile, directory);
        const { size: sizeBytes } = await stat(outputFile);
        space.add(sizeBytes);
        if (space.total() > room) throw noRoom(needs);
        stored.push({ dataSourceId: id, name, file, ...imported, sizeBytes, createdAt });
      }
      return await store(stored);
    } catch (error) {
      if (!mayBeStored(error)) await rm(directory, { recursive: true, force: true });
      throw toQueryProblem(error);
    }
  });
}

/** No table of the source is replaced: it is new. */
const ofAll = (dataSourceId: string, organizationId: string) => ({ organizationId, dataSourceId, name: '' });

/** Stores a data source with tables that were read. Throws `body_too_large` when others have taken their room meanwhile. */
export async function addReadyMadeSource(
  transaction: Transaction,
  needs: Pick<ReadyMadeNeeds, 'clock' | 'maxOrganizationBytes'>,
  actor: Actor,
  source: ReadyMadeSource,
  tables: readonly StoredTable[],
): Promise<void> {
  const { clock } = needs;
  const room = await findRoom(needs, transaction, ofAll(source.id, source.organizationId));
  if (tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > room) throw noRoom(needs);
  const now = timestamp(clock());
  const times = { createdAt: now, updatedAt: now };
  const stored = { ...source, kind: 'files', connection: undefined, password: undefined, ...times } as const;
  await addDataSource(transaction, clock, actor, stored);
  for (const table of tables) await upsertTable(transaction, table);
}
