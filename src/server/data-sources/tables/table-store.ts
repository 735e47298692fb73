import type { Column } from '#contract/data-sources/data-sources.ts';
import type { DataSourceKind } from '#contract/data-sources/kinds.ts';
import type { UnavailableTable } from '../../engine/duckdb/description.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, prepareRemembered } from '../../storage/prepared-query.ts';
import { parseConnection, type StoredConnection } from '../store.ts';

/** An uploaded table. */
export interface StoredTable {
  readonly dataSourceId: string;
  readonly name: string;
  /** The name of its file in the directory of the source. */
  readonly file: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly createdAt: string;
  /** The checksum of the file, in hex; null for an older table whose file was never checked. */
  readonly sha256: string | null;
}

/** Everything of a data source that is needed to query it. */
export interface SourceForQuery {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: DataSourceKind;
  readonly connection: StoredConnection | undefined;
  /** Encrypted. */
  readonly password: string | undefined;
  readonly updatedAt: string;
  readonly tables: readonly { readonly name: string; readonly file: string }[];
  /** The names of its tables in the trash. */
  readonly deletedTables: readonly string[];
  /** The tables whose files can't be read. */
  readonly unavailableTables: readonly UnavailableTable[];
}

const sizeOfOthers = prepare((db, p: { organizationId: string; dataSourceId: string; name: string }) =>
  db
    .selectFrom('source_tables')
    .innerJoin('data_sources', 'data_sources.id', 'source_tables.data_source_id')
    .select((select) => select.fn.sum('size_bytes').as('sizeBytes'))
    .where('data_sources.organization_id', '=', p.organizationId)
    .where((where) =>
      where.or([where('data_source_id', '!=', p.dataSourceId), where('source_tables.name', '!=', p.name)]),
    ),
);

/** Returns the total size of an organization's uploaded tables, except the one given by data source and name. */
export async function sumOtherTables(
  reader: Reader,
  except: { readonly organizationId: string; readonly dataSourceId: string; readonly name: string },
): Promise<number> {
  const [row] = await reader.all(sizeOfOthers, except);
  return Number(row?.sizeBytes ?? 0);
}

const anyFile = prepare((db) =>
  db
    .selectFrom('source_tables')
    .select('file')
    .unionAll(db.selectFrom('deleted_tables').select('file'))
    .limit(1),
);

/** Whether the database has an uploaded table of any organization, also in the trash. */
export const hasStoredTables = async (reader: Reader): Promise<boolean> =>
  (await reader.first(anyFile, {})) !== undefined;

interface Row {
  dataSourceId: string;
  name: string;
  file: string;
  columns: string;
  rowCount: number;
  sizeBytes: number;
  createdAt: string;
  sha256: string | null;
}

const upsert = prepare((db, p: Row) => {
  const replaced = {
    file: p.file,
    columns: p.columns,
    row_count: p.rowCount,
    size_bytes: p.sizeBytes,
    created_at: p.createdAt,
    sha256: p.sha256,
  };
  return db
    .insertInto('source_tables')
    .values({ ...replaced, data_source_id: p.dataSourceId, name: p.name })
    .onConflict((conflict) => conflict.columns(['data_source_id', 'name']).doUpdateSet(replaced));
});

/** Stores a table, or replaces the one that has its name. */
export const upsertTable = (transaction: Transaction, table: StoredTable): Promise<number> =>
  transaction.run(upsert, { ...table, columns: JSON.stringify(table.columns) });

const remove = prepare((db, p: { dataSourceId: string; name: string }) =>
  db.deleteFrom('source_tables').where('data_source_id', '=', p.dataSourceId).where('name', '=', p.name),
);

export const deleteTableRow = (
  transaction: Transaction,
  table: { readonly dataSourceId: string; readonly name: string },
): Promise<number> => transaction.run(remove, table);

const ofSource = prepare((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('source_tables')
    .select([
      'data_source_id as dataSourceId',
      'name',
      'file',
      'columns',
      'row_count as rowCount',
      'size_bytes as sizeBytes',
      'created_at as createdAt',
      'sha256',
    ])
    .where('data_source_id', '=', p.dataSourceId)
    .orderBy('name'),
);

/** Returns the uploaded tables of a source, sorted by name. */
export async function selectTables(reader: Reader, dataSourceId: string): Promise<StoredTable[]> {
  const rows = await reader.all(ofSource, { dataSourceId });
  return rows.map((row) => ({
    ...row,
    // Sound because only `upsertTable` writes the column.
    columns: JSON.parse(row.columns) as Column[],
    rowCount: Number(row.rowCount),
    sizeBytes: Number(row.sizeBytes),
  }));
}

const files = prepare((db, p: { dataSourceId: string }) =>
  db
    .selectFrom('source_tables')
    .select('file')
    .where('data_source_id', '=', p.dataSourceId)
    .unionAll(db.selectFrom('deleted_tables').select('file').where('data_source_id', '=', p.dataSourceId)),
);

/**
 * Returns the names of the files of a source's tables, with those in the trash; none for an unknown source. In one query,
 * since a table can be deleted or restored between two.
 */
export const selectFiles = async (reader: Reader, dataSourceId: string): Promise<string[]> =>
  (await reader.all(files, { dataSourceId })).map(({ file }) => file);

/** Selects a row for each table, or one row if the source has no tables. */
const forQuery = prepareRemembered((db, p: { organizationId: string; id: string }) =>
  db
    .selectFrom('data_sources')
    .leftJoin('source_tables', 'source_tables.data_source_id', 'data_sources.id')
    .select([
      'data_sources.kind',
      'data_sources.connection',
      'data_sources.password',
      'data_sources.updated_at as updatedAt',
      'source_tables.name as table',
      'source_tables.file',
    ])
    .where('data_sources.id', '=', p.id)
    .where('data_sources.organization_id', '=', p.organizationId)
    .where('data_sources.deleted_at', 'is', null)
    .orderBy('source_tables.name'),
);

/** Returns a data source of an organization with its tables, but without those in the trash, or undefined, in one query. */
export async function findSourceForQuery(
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<Omit<SourceForQuery, 'deletedTables' | 'unavailableTables'> | undefined> {
  const rows = await reader.all(forQuery, { organizationId, id });
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    id,
    organizationId,
    // Sound because only the store of data sources writes the column.
    kind: first.kind as DataSourceKind,
    connection: parseConnection(first.connection),
    password: first.password ?? undefined,
    updatedAt: first.updatedAt,
    tables: rows.flatMap(({ table, file }) =>
      table === null || file === null ? [] : [{ name: table, file }],
    ),
  };
}
