import type { DialectName } from '../dialects/dialects.ts';
import { generateQuery, type GeneratedQuery } from '../generate.ts';
import type { QueryStructure } from '../structure.ts';
import { filteredByMarks, type Drilled, type MarkValues } from './marks.ts';

/**
 * Returns the query of the rows that marks stand for: those of their groups, also if a measure has its own condition, is
 * compared with another group, or is filtered after it is summarized.
 */
export function rowsBehind(
  structure: QueryStructure,
  dialect: DialectName,
  marks: readonly MarkValues[],
): Drilled {
  const filtered = filteredByMarks(structure, dialect, marks);
  return 'reason' in filtered ? filtered : { structure: unsummarized(filtered.structure) };
}

/** Returns the query without what summarizes its rows: what is left filters the rows of its tables. */
function unsummarized({
  groups: _groups,
  measures: _measures,
  resultFilters: _resultFilters,
  sort: _sort,
  limit: _limit,
  columns: _columns,
  ...rows
}: QueryStructure): QueryStructure {
  const { table, joins = [], customColumns = [] } = rows;
  if (joins.length === 0) return rows;
  return {
    ...rows,
    columns: [
      ...table.columns.map(({ name }) => ({ name })),
      ...joins.flatMap(({ as, table: joined }) => joined.columns.map(({ name }) => ({ table: as, name }))),
      ...customColumns.map(({ name }) => ({ name })),
    ],
  };
}

/** Returns the parameters of a query's own filters. In the query of the rows behind marks, they come before those of the marks. */
export function ownParameters(structure: QueryStructure, dialect: DialectName): GeneratedQuery['parameters'] {
  const generated = generateQuery(unsummarized(structure), dialect);
  return 'query' in generated ? generated.query.parameters : [];
}
