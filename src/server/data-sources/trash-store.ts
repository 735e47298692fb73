import { sql } from 'kysely';
import { mayOnRecordOfMember } from '../access/filter.ts';
import { endSharing } from '../access/sharing.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import { afterEveryId, sourceColumns, toStored, type SourceRow, type StoredDataSource } from './store.ts';

/** A data source in the trash. */
export interface DeletedDataSource extends StoredDataSource {
  readonly deletedAt: string;
  readonly deletedBy: string;
  /** Empty if that user no longer exists. */
  readonly deletedByName: string;
}

/** When a data source was deleted, and by which user. */
interface Deletion {
  readonly deletedAt: string;
  readonly deletedBy: string;
}

const setDeletion = prepare((db, p: { id: string; deletedAt: string | null; deletedBy: string | null }) =>
  db
    .updateTable('data_sources')
    .set({ deleted_at: p.deletedAt, deleted_by: p.deletedBy })
    .where('id', '=', p.id),
);

/** Moves a data source to the trash, or out of it without a deletion. */
export const setSourceDeleted = (
  transaction: Transaction,
  id: string,
  { deletedAt, deletedBy }: Deletion | { readonly deletedAt: null; readonly deletedBy: null },
): Promise<number> => transaction.run(setDeletion, { id, deletedAt, deletedBy });

const remove = prepare((db, p: { id: string }) => db.deleteFrom('data_sources').where('id', '=', p.id));

/** Deletes a data source with its tables and shares. */
export async function deleteDataSourceRow(transaction: Transaction, id: string): Promise<void> {
  await endSharing(transaction, id);
  await transaction.run(remove, { id });
}

/** The key that a cursor of the trash holds: when a source was deleted, and its id. */
export const trashKey = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f-]{36}$/;

export const trashKeyOf = ({ deletedAt, id }: Pick<DeletedDataSource, 'deletedAt' | 'id'>): string =>
  `${deletedAt} ${id}`;

const position = sql<string>`data_sources.deleted_at || ' ' || data_sources.id`;

const page = prepare((db, p: { organizationId: string; userId: string; before: string; limit: number }) =>
  db
    .selectFrom('data_sources')
    .leftJoin('users', 'users.id', 'data_sources.deleted_by')
    .select([
      ...sourceColumns,
      'data_sources.deleted_at as deletedAt',
      'data_sources.deleted_by as deletedBy',
      'users.name as deletedByName',
    ])
    .where('data_sources.organization_id', '=', p.organizationId)
    .where('data_sources.deleted_at', 'is not', null)
    .where(mayOnRecordOfMember('data_source', 'data_source.view', p.userId))
    .where(position, '<', p.before)
    .orderBy(position, 'desc')
    .limit(p.limit),
);

/** Returns the data sources in an organization's trash that a member may see, the last deleted first. */
export async function selectDeletedSources(
  reader: Reader,
  scope: { readonly organizationId: string; readonly userId: string },
  { limit, after = afterEveryId }: PageRequest,
): Promise<FirstRows<DeletedDataSource>> {
  return mapRows(await reader.page(page, { ...scope, before: after, limit }), toDeleted);
}

const old = prepare((db, p: { before: string; limit: number }) =>
  db
    .selectFrom('data_sources')
    .select(sourceColumns)
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(p.limit)
    .forUpdate()
    .skipLocked(),
);

/** Returns up to `limit` data sources that were deleted before a time, and locks them. */
export const lockOldSources = async (
  transaction: Transaction,
  range: { readonly before: string; readonly limit: number },
): Promise<StoredDataSource[]> => (await transaction.all(old, range)).map(toStored);

const nameInTrash = prepare((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('data_sources')
    .select(['name', 'restricted'])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is not', null),
);

/** Returns a data source of an organization if it is in the trash, without its name if it is restricted. */
export async function findInTrash(
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<{ readonly name?: string } | undefined> {
  const row = await reader.first(nameInTrash, { organizationId, id });
  return row && (row.restricted === 1 ? {} : { name: row.name });
}

interface Row extends SourceRow {
  readonly deletedAt: string | null;
  readonly deletedBy: string | null;
  readonly deletedByName: string | null;
}

const toDeleted = ({ deletedAt, deletedBy, deletedByName, ...row }: Row): DeletedDataSource => ({
  ...toStored(row),
  // Neither is null in the trash.
  deletedAt: deletedAt ?? '',
  deletedBy: deletedBy ?? '',
  deletedByName: deletedByName ?? '',
});
