import type { ColumnType } from '#shared/columns.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import type { ColumnReference, QueryStructure, TypedColumn } from '#shared/query-builder/structure.ts';
import type { BuilderDialect } from './content.ts';

/** A column that a step can use. */
export interface AvailableColumn {
  readonly reference: ColumnReference;
  readonly type: ColumnType;
  readonly label: string;
  /** Where it comes from: a table, or the custom columns. */
  readonly origin: string;
}

export const isSameColumn = (one: ColumnReference, other: ColumnReference): boolean =>
  one.name === other.name && one.table === other.table;

/** Returns the columns of the tables of a query, and its custom columns. */
export function availableColumns(structure: QueryStructure, dialect: BuilderDialect): AvailableColumn[] {
  const { table, joins = [], customColumns = [] } = structure;
  return [
    ...table.columns.map((column) => tableColumn(column, table.name)),
    ...joins.flatMap(({ as, table: joined }) => joined.columns.map((column) => tableColumn(column, as, as))),
    ...customColumns.map(({ name }, index) => ({
      reference: { name },
      type: customType(structure, index, dialect) ?? 'other',
      label: name,
      origin: 'Custom columns',
    })),
  ];
}

const tableColumn = ({ name, type }: TypedColumn, origin: string, table?: string): AvailableColumn => ({
  reference: { ...(table !== undefined && { table }), name },
  type,
  label: name,
  origin,
});

/** Returns the type of a custom column; undefined while its formula has a fault. */
export function customType(
  { table, joins, customColumns = [] }: QueryStructure,
  index: number,
  dialect: BuilderDialect,
): ColumnType | undefined {
  const upTo = customColumns.slice(0, index + 1);
  const last = upTo.at(-1);
  if (last === undefined) return undefined;
  const structure = { table, ...(joins && { joins }), customColumns: upTo, columns: [{ name: last.name }] };
  const generated = generateQuery(structure, dialect);
  return 'query' in generated ? generated.query.columns[0]?.type : undefined;
}
