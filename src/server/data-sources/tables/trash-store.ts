import type { Column } from '#contract/data-sources/data-sources.ts';
import { mayOnRecordOfMember } from '../../access/filter.ts';
import { type FirstRows, mapRows, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import { afterEveryId } from '../store.ts';
import type { StoredTable } from './table-store.ts';

/** An uploaded table in the trash. Its id is of the time of the deletion. */
export interface DeletedTable extends StoredTable {
  readonly id: string;
  readonly organizationId: string;
  readonly dataSourceName: string;
  readonly deletedAt: string;
  readonly deletedBy: string;
  /** Empty if that user no longer exists. */
  readonly deletedByName: string;
}

type NewDeletedTable = Omit<DeletedTable, 'organizationId' | 'dataSourceName' | 'deletedByName'>;

const insert = prepare((db, p: Omit<NewDeletedTable, 'columns'> & { columns: string }) =>
  db.insertInto('deleted_tables').values({
    id: p.id,
    data_source_id: p.dataSourceId,
    name: p.name,
    file: p.file,
    columns: p.columns,
    row_count: p.rowCount,
    size_bytes: p.sizeBytes,
    created_at: p.createdAt,
    sha256: p.sha256,
    deleted_at: p.deletedAt,
    deleted_by: p.deletedBy,
  }),
);

export const insertDeletedTable = (transaction: Transaction, table: NewDeletedTable): Promise<number> =>
  transaction.run(insert, { ...table, columns: JSON.stringify(table.columns) });

const remove = prepare((db, p: { id: string }) => db.deleteFrom('deleted_tables').where('id', '=', p.id));

export const deleteDeletedTable = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(remove, { id });

const selectDeleted = (db: Sql) =>
  db
    .selectFrom('deleted_tables')
    .innerJoin('data_sources', 'data_sources.id', 'deleted_tables.data_source_id')
    .leftJoin('users', 'users.id', 'deleted_tables.deleted_by')
    .select([
      'deleted_tables.id',
      'data_sources.organization_id as organizationId',
      'data_sources.name as dataSourceName',
      'deleted_tables.data_source_id as dataSourceId',
      'deleted_tables.name',
      'deleted_tables.file',
      'deleted_tables.columns',
      'deleted_tables.row_count as rowCount',
      'deleted_tables.size_bytes as sizeBytes',
      'deleted_tables.created_at as createdAt',
      'deleted_tables.sha256',
      'deleted_tables.deleted_at as deletedAt',
      'deleted_tables.deleted_by as deletedBy',
      'users.name as deletedByName',
    ]);

const byId = prepare((db, p: { id: string }) => selectDeleted(db).where('deleted_tables.id', '=', p.id));

/** Returns a table in the trash, or undefined. Checks no permissions. */
export async function findDeletedTable(reader: Reader, id: string): Promise<DeletedTable | undefined> {
  const row = await reader.first(byId, { id });
  return row && toDeleted(row);
}

const page = prepare((db, p: { organizationId: string; userId: string; before: string; limit: number }) =>
  selectDeleted(db)
    .where('data_sources.organization_id', '=', p.organizationId)
    .where('data_sources.deleted_at', 'is', null)
    .where(mayOnRecordOfMember('data_source', 'data_source.edit_files', p.userId))
    .where('deleted_tables.id', '<', p.before)
    .orderBy('deleted_tables.id', 'desc')
    .limit(p.limit),
);

/** Returns the deleted tables that a member may restore, of an organization's sources that are not in the trash, the last deleted first. */
export async function selectDeletedTables(
  reader: Reader,
  scope: { readonly organizationId: string; readonly userId: string },
  { limit, after = afterEveryId }: PageRequest,
): Promise<FirstRows<DeletedTable>> {
  return mapRows(await reader.page(page, { ...scope, before: after, limit }), toDeleted);
}

const old = prepare((db, p: { before: string; limit: number }) =>
  selectDeleted(db)
    .where('deleted_tables.deleted_at', '<', p.before)
    .orderBy('deleted_tables.deleted_at')
    .limit(p.limit),
);

/** Returns up to `limit` tables that were deleted before a time. */
export const selectOldTables = async (
  reader: Reader,
  range: { readonly before: string; readonly limit: number },
): Promise<DeletedTable[]> => (await reader.all(old, range)).map(toDeleted);

const names = prepare((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('deleted_tables')
    .select('name')
    .distinct()
    .where('data_source_id', '=', p.dataSourceId)
    .orderBy('name'),
);

/** Returns the names of a source's tables in the trash, sorted. */
export const selectDeletedNames = async (reader: Reader, dataSourceId: string): Promise<string[]> =>
  (await reader.all(names, { dataSourceId })).map(({ name }) => name);

const sizes = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('deleted_tables')
    .innerJoin('data_sources', 'data_sources.id', 'deleted_tables.data_source_id')
    .select((select) => select.fn.sum('size_bytes').as('sizeBytes'))
    .where('data_sources.organization_id', '=', p.organizationId),
);

/** Returns the total size of the tables in an organization's trash. */
export async function sumDeletedTables(reader: Reader, organizationId: string): Promise<number> {
  return Number((await reader.first(sizes, { organizationId }))?.sizeBytes ?? 0);
}

interface Row extends Omit<DeletedTable, 'columns' | 'rowCount' | 'sizeBytes' | 'deletedByName'> {
  readonly columns: string;
  readonly rowCount: number | string;
  readonly sizeBytes: number | string;
  readonly deletedByName: string | null;
}

const toDeleted = (row: Row): DeletedTable => ({
  ...row,
  // Sound because only `insertDeletedTable` writes the column.
  columns: JSON.parse(row.columns) as Column[],
  rowCount: Number(row.rowCount),
  sizeBytes: Number(row.sizeBytes),
  deletedByName: row.deletedByName ?? '',
});
