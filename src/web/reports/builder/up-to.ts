import type { ColumnReference, QueryStructure } from '#shared/query-builder/structure.ts';

/** The steps of a query in the order in which they apply. */
export const steps = [
  'table',
  'joins',
  'columns',
  'filters',
  'shownColumns',
  'summarize',
  'resultFilters',
  'sort',
  'limit',
] as const;
export type Step = (typeof steps)[number];

/** Whether a query returns groups and measures instead of rows of its tables. */
export const isSummarized = ({ groups = [], measures = [] }: QueryStructure): boolean =>
  groups.length > 0 || measures.length > 0;

/** Returns all columns of the tables, in order, and the custom columns. */
export function allColumns({ table, joins = [], customColumns = [] }: QueryStructure): ColumnReference[] {
  return [
    ...table.columns.map(({ name }) => ({ name })),
    ...joins.flatMap(({ as, table: joined }) => joined.columns.map(({ name }) => ({ table: as, name }))),
    ...customColumns.map(({ name }) => ({ name })),
  ];
}

/** Returns the query without the steps after `step`. */
export function structureUpTo(structure: QueryStructure, step: Step): QueryStructure {
  const { table, joins, customColumns, filters, timeZone, weekStart } = structure;
  const has = (other: Step): boolean => steps.indexOf(other) <= steps.indexOf(step);
  const rows: QueryStructure = {
    table,
    ...(joins && has('joins') && { joins }),
    ...(customColumns && has('columns') && { customColumns }),
    ...(filters && has('filters') && { filters }),
    ...(timeZone !== undefined && { timeZone }),
    ...(weekStart !== undefined && { weekStart }),
  };
  if (!has('shownColumns')) return { ...rows, columns: allColumns(rows) };
  const { columns } = structure;
  if (!has('summarize')) return { ...rows, ...(columns && { columns }) };
  const { groups, measures, resultFilters, sort, limit } = structure;
  return {
    ...rows,
    ...(columns && { columns }),
    ...(groups && { groups }),
    ...(measures && { measures }),
    ...(resultFilters && has('resultFilters') && { resultFilters }),
    ...(sort && has('sort') && { sort }),
    ...(limit !== undefined && has('limit') && { limit }),
  };
}

/** Returns the query with at most `limit` rows. */
export const limited = (structure: QueryStructure, limit: number): QueryStructure => ({
  ...structure,
  limit: Math.min(structure.limit ?? limit, limit),
});
