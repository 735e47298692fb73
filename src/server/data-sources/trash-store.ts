import { sql } from 'kysely';
import type { PageRequest } from '../base/paging.ts';
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

/** Deletes a data source with its tables. */
export const deleteDataSourceRow = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

/** The key that a cursor of the trash holds: when a source was deleted, and its id. */
export const trashKey = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z [0-9a-f-]{36}$/;

export const trashKeyOf = ({ deletedAt, id }: Pick<DeletedDataSource, 'deletedAt' | 'id'>): string =>
  `${deletedAt} ${id}`;

const position = sql<string>`data_sources.deleted_at || ' ' || data_sources.id`;

const page = prepare((db, p: { organizationId: string; before: string; limit: number }) =>
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
    .where(position, '<', p.before)
    .orderBy(position, 'desc')
    .limit(p.limit),
);

/** Returns the data sources in an organization's trash, the last deleted first; one more than the page has. */
export async function selectDeletedSources(
  reader: Reader,
  organizationId: string,
  { limit, after = afterEveryId }: PageRequest,
): Promise<DeletedDataSource[]> {
  return (await reader.all(page, { organizationId, before: after, limit: limit + 1 })).map(toDeleted);
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
    .select('name')
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('deleted_at', 'is not', null),
);

/** Returns the name of a data source of an organization if it is in the trash. */
export const findNameInTrash = async (
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<string | undefined> => (await reader.first(nameInTrash, { organizationId, id }))?.name;

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
