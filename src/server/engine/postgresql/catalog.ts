import type pg from 'pg';
import type { ForeignKey, SourceTable } from '#contract/data-sources/data-sources.ts';
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
  readonly description: string | null;
  readonly columns: readonly {
    name: string;
    dataTypeID: number;
    dataTypeModifier: number;
    description: string | null;
  }[];
  readonly primaryKey: readonly string[] | null;
  readonly foreignKeys: readonly ForeignKey[] | null;
}

/** A comment of an object, cut off since it may be of any length. */
const shortComment = (comment: string): string => `left(${comment}, 1000)`;

/** The names of columns of a table that the role may read, in the order of a key; null if it may not read all of them. */
const keyColumns = (table: string, numbers: string): string => `(
  SELECT CASE WHEN bool_and(has_column_privilege(${table}, attnum, 'SELECT'))
    THEN json_agg(attname ORDER BY position) END
  FROM unnest(${numbers}) WITH ORDINALITY AS k (number, position)
  JOIN pg_attribute ON attrelid = ${table} AND attnum = number)`;

/** Returns the tables and views that the role may read, with their keys and comments. */
export async function loadTables(client: pg.Client, types: PostgresqlTypes): Promise<SourceTable[]> {
  const { rows } = await client.query<TableRow>(`
    SELECT nspname AS schema, relname AS name, ${shortComment("obj_description(c.oid, 'pg_class')")} AS description, (
      SELECT json_agg(json_build_object(
        'name', attname, 'dataTypeID', atttypid::int8, 'dataTypeModifier', atttypmod,
        'description', ${shortComment('col_description(c.oid, attnum)')}) ORDER BY attnum)
      FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND has_column_privilege(c.oid, attnum, 'SELECT')
    ) AS columns, (
      SELECT ${keyColumns('c.oid', 'conkey')} FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p'
    ) AS "primaryKey", (
      SELECT json_agg(json_build_object(
        'columns', own, 'schema', other_schema, 'table', other_table, 'otherColumns', others) ORDER BY conname)
      FROM (
        SELECT conname, o.nspname AS other_schema, t.relname AS other_table,
          ${keyColumns('c.oid', 'conkey')} AS own, ${keyColumns('confrelid', 'confkey')} AS others
        FROM pg_constraint JOIN pg_class t ON t.oid = confrelid JOIN pg_namespace o ON o.oid = t.relnamespace
        WHERE conrelid = c.oid AND contype = 'f' AND NOT t.relispartition
          AND has_schema_privilege(o.oid, 'USAGE')
      ) AS f WHERE own IS NOT NULL AND others IS NOT NULL
    ) AS "foreignKeys"
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT relispartition
      AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'
      AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    ORDER BY nspname, relname LIMIT ${maxTables}`);
  return rows.map(({ schema, name, description, columns, primaryKey, foreignKeys }) => ({
    schema,
    name,
    columns: columns.map((column) => ({
      ...postgresqlColumn(types, column),
      ...(column.description !== null && { description: column.description }),
    })),
    ...(description !== null && { description }),
    ...(primaryKey !== null && { primaryKey: [...primaryKey] }),
    ...(foreignKeys !== null && { foreignKeys: [...foreignKeys] }),
  }));
}
