import type pg from 'pg';
import type { SourceTable } from '#contract/data-sources.ts';
import { postgresqlColumn, type PostgresqlType, type PostgresqlTypes } from './values.ts';

const maxTypes = 20_000;
const maxTables = 5_000;

interface TypeRow {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly category: string;
  readonly inner: number;
  readonly delimiter: string;
  readonly fields: readonly { name: string; type: number }[];
}

/**
 * Returns the types of the database. They are loaded once for each connection, since an open cursor allows no other query.
 * Columns of a type that is created later are `other` until the worker ends.
 */
export async function loadTypes(client: pg.Client): Promise<PostgresqlTypes> {
  const { rows } = await client.query<{ types: readonly TypeRow[] | null }>(`
    SELECT (
      SELECT json_agg(json_build_object(
        'id', t.oid::int8, 'name', typname, 'kind', typtype, 'category', typcategory, 'delimiter', typdelim,
        'inner', (CASE WHEN typtype = 'd' THEN typbasetype ELSE typelem END)::int8,
        'fields', coalesce((
          SELECT json_agg(json_build_object('name', attname, 'type', atttypid::int8) ORDER BY attnum)
          FROM pg_attribute WHERE typtype = 'c' AND attrelid = typrelid AND attnum > 0 AND NOT attisdropped
        ), '[]')
      ))
      FROM (
        SELECT pg_type.* FROM pg_type JOIN pg_namespace n ON n.oid = typnamespace
        -- The row types of the catalog's own tables are left out: queries don't select whole rows of them.
        WHERE NOT (nspname IN ('pg_catalog', 'information_schema', 'pg_toast') AND (typtype = 'c' OR typname LIKE '\\_pg\\_%'))
        ORDER BY pg_type.oid LIMIT ${maxTypes}
      ) AS t
    ) AS types`);
  return new Map<number, PostgresqlType>((rows[0]?.types ?? []).map((type) => [type.id, type]));
}

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { name: string; dataTypeID: number; dataTypeModifier: number }[];
}

/** Returns the tables and views that the role may read. */
export async function loadTables(client: pg.Client, types: PostgresqlTypes): Promise<SourceTable[]> {
  const { rows } = await client.query<TableRow>(`
    SELECT nspname AS schema, relname AS name, (
      SELECT json_agg(json_build_object(
        'name', attname, 'dataTypeID', atttypid::int8, 'dataTypeModifier', atttypmod) ORDER BY attnum)
      FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND has_column_privilege(c.oid, attnum, 'SELECT')
    ) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT relispartition
      AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'
      AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    ORDER BY nspname, relname LIMIT ${maxTables}`);
  return rows.map(({ schema, name, columns }) => ({
    schema,
    name,
    columns: columns.map((column) => postgresqlColumn(types, column)),
  }));
}
