import { join } from 'node:path';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import type { DeletedTable as Shown } from '#contract/data-sources/tables-trash.ts';
import { restorableDays } from '#shared/trash.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError, notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { mapRows, type Page, type PageRequest, toPage } from '../../base/paging.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { requireDataSourceToChange } from '../access.ts';
import { sourceDirectory, type SourceFiles } from './files.ts';
import { deleteTableRow, selectTables, upsertTable } from './table-store.ts';
import {
  deleteDeletedTable,
  findDeletedTable,
  insertDeletedTable,
  selectDeletedTables,
  selectOldTables,
  type DeletedTable,
} from './trash-store.ts';
import { requireFreeSlot } from './upload.ts';
import { requireUploads, toSourceTable } from './uploaded.ts';

const restorableMs = daysMs(restorableDays);

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: SourceFiles;
}

/** Moves an uploaded table to the trash. Editor or higher. Throws `not_found`. */
export async function deleteTable(
  { database, clock }: Dependencies,
  actor: Actor,
  { dataSourceId, table: name }: { readonly dataSourceId: string; readonly table: string },
): Promise<void> {
  await database.write(async (transaction) => {
    const action = 'data_source.edit_files';
    const source = await requireDataSourceToChange(transaction, actor, dataSourceId, action);
    requireUploads(source);
    const { id, organizationId } = source;
    const table = (await selectTables(transaction, id)).find((other) => other.name === name);
    if (table === undefined) throw notFound();
    await deleteTableRow(transaction, table);
    const deletion = { id: newId(), deletedAt: timestamp(clock()), deletedBy: actor.userId };
    await insertDeletedTable(transaction, { ...table, ...deletion });
    const details = { dataSourceId: id, table: name };
    await recordAudit(transaction, clock, { organizationId, action: 'table.deleted', actor, details });
  });
}

/** Lists the tables in an organization's trash, the last deleted first. Editor or higher. */
export async function listDeletedTables(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Shown>> {
  await requirePermission(reader, actor, organizationId, 'data_source.manage_files');
  const tables = await selectDeletedTables(reader, { organizationId, userId: actor.userId }, page);
  return toPage(mapRows(tables, toShown), ({ id }) => id);
}

const toShown = ({
  file: _file,
  columns: _columns,
  createdAt: _createdAt,
  sha256: _sha256,
  ...table
}: DeletedTable): Shown => ({
  ...table,
  purgeAt: timestamp(Date.parse(table.deletedAt) + restorableMs),
});

/** Restores a table under its name. Editor or higher. Throws `table_exists` if another one has the name, and `too_many_tables`. */
export function restoreTable(
  { database, clock }: Dependencies,
  actor: Actor,
  id: string,
): Promise<SourceTable> {
  return database.write(async (transaction) => {
    const table = await requireDeletedTable(transaction, actor, id);
    const { dataSourceId, organizationId, name } = table;
    const existing = await selectTables(transaction, dataSourceId);
    if (existing.some((other) => other.name === name))
      throw new AtriumError(
        'table_exists',
        `The data source has another table ${name}. Delete that one first, and restore this one then.`,
      );
    requireFreeSlot(existing);
    await upsertTable(transaction, table);
    await deleteDeletedTable(transaction, id);
    const details = { dataSourceId, table: name };
    await recordAudit(transaction, clock, { organizationId, action: 'table.restored', actor, details });
    return toSourceTable(table);
  });
}

/** Deletes a table in the trash and its file. Editor or higher. Throws `not_found`. */
export async function purgeTable(
  { database, clock, files }: Dependencies,
  actor: Actor,
  id: string,
): Promise<void> {
  const { organizationId, dataSourceId, file } = await database.write(async (transaction) => {
    const table = await requireDeletedTable(transaction, actor, id);
    await purge(transaction, clock, actor, table);
    return table;
  });
  files.removeLater(join(sourceDirectory(files.directory, organizationId, dataSourceId), file));
}

/** Locks the source of a table in the trash, and returns the table. */
async function requireDeletedTable(
  transaction: Transaction,
  actor: Actor,
  id: string,
): Promise<DeletedTable> {
  const found = await findDeletedTable(transaction, id);
  if (found === undefined) throw notFound();
  await requireDataSourceToChange(transaction, actor, found.dataSourceId, 'data_source.edit_files');
  // Again, since another request may have restored it before the lock.
  const table = await findDeletedTable(transaction, id);
  if (table === undefined) throw notFound();
  return table;
}

async function purge(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  { id, organizationId, dataSourceId, name }: DeletedTable,
): Promise<void> {
  if ((await deleteDeletedTable(transaction, id)) === 0) return;
  const details = { dataSourceId, table: name };
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'table.purged',
    ...(actor && { actor }),
    details,
  });
}

/** Few at a time, so that other writes hardly wait. */
const purgedPerTransaction = 20;

/** Deletes tables that have been in the trash for 30 days. Their files then belong to no table, and are swept. */
export async function purgeOldTables(
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> {
  const range = { before: timestamp(clock() - restorableMs), limit: purgedPerTransaction };
  let count: number;
  do {
    count = await database.write(async (transaction) => {
      const tables = await selectOldTables(transaction, range);
      for (const table of tables) await purge(transaction, clock, undefined, table);
      return tables.length;
    });
  } while (count === purgedPerTransaction && !stopped.aborted);
}
