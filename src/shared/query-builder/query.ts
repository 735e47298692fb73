import { quoteIfNeeded } from '../sql/names.ts';
import type { Context } from './context.ts';
import type { ReportFault } from './faults.ts';
import { filtersSql } from './filters/filters.ts';
import type { FormulaCompiler } from './formula/compile.ts';
import { groupColumns, impliedNames } from './groups/groups.ts';
import { comparedColumns, reportComparisonFaults } from './measures/comparisons.ts';
import { measureColumns } from './measures/measures.ts';
import { createResultNames, queryName, type ResultNames } from './names.ts';
import type { Parameters } from './parameters.ts';
import type { Rows } from './rows.ts';
import { labelOf, type Resolve, type ResolvedColumn } from './scope.ts';
import { atom } from './sql/expression.ts';
import type { Select, SelectedColumn } from './sql/select.ts';
import type { QueryStructure, TypedColumn } from './structure.ts';

/** What the SQL of a query is generated from. */
export interface QueryParts {
  readonly context: Context;
  readonly structure: QueryStructure;
  readonly rows: Rows;
  readonly parameters: Parameters;
  readonly compileFormula: FormulaCompiler;
  readonly report: ReportFault;
}

type ResultColumn = ResolvedColumn & { readonly as: string };

/** Returns a query, which is of use only if no faults are reported, with the columns of its result. */
export function selectOf(parts: QueryParts): {
  readonly select: Select;
  readonly columns: readonly TypedColumn[];
} {
  const { context, structure, rows, report } = parts;
  const { groups = [], measures = [], resultFilters = [], limit } = structure;
  const scope = { ...parts, resolve: rows.resolve };
  const where = filtersSql(scope, '/filters', structure.filters ?? []);
  const names = createResultNames();
  const isSummarized = groups.length > 0 || measures.length > 0;
  if (!isSummarized) {
    const result = plainColumns(structure, rows.resolve, names, report);
    if (resultFilters.length > 0) report('/resultFilters', 'Only the result of a summary can be filtered.');
    const orderBy = orderOf(context, structure, result, report);
    const columns = result.map(selected);
    return { select: { ...rows.source, columns, where, orderBy, limit }, columns: described(result) };
  }

  const groupResult = groupColumns(context, rows.resolve, names, groups, report);
  const measureResult = measureColumns(scope, names, measures);
  reportComparisonFaults(groupResult, measureResult, measures, report);
  const result = [...groupResult, ...measureResult.map((column) => ({ ...column, name: undefined }))];
  const orderBy = orderOf(context, structure, result, report);
  const summary = { ...rows.source, where, groupCount: groups.length };
  const isCompared = measures.some(({ comparison }) => comparison !== undefined);
  const having = filtersSql(
    { ...scope, resolve: resultResolver(result, isCompared) },
    '/resultFilters',
    resultFilters,
  );
  const columns = described(result);
  if (!isCompared)
    return { select: { ...summary, columns: result.map(selected), having, orderBy, limit }, columns };

  const compared = comparedColumns(context, groupResult, measureResult);
  const { with: earlier = [], ...summarized } = summary;
  const summaryName = queryName(structure, summaryLabel(structure));
  const comparison = { columns: compared.compared, from: summaryName, windows: compared.windows };
  const first = [...earlier, { name: summaryName, select: { ...summarized, columns: compared.summary } }];
  if (having.length === 0) return { select: { ...comparison, with: first, orderBy, limit }, columns };
  // Filters apply to what was compared, so that a total is that of all rows.
  const comparisonName = queryName(structure, 'compared');
  const select = {
    with: [...first, { name: comparisonName, select: comparison }],
    columns: [{ sql: atom('*'), as: undefined }],
    from: comparisonName,
    where: having,
    orderBy,
    limit,
  };
  return { select, columns };
}

const summaryLabel = ({ table, groups = [] }: QueryStructure): string => {
  const names = groups.map(({ name, granularity, column }) => name ?? granularity ?? column.name);
  return names.length === 0 ? `${table.name}_summary` : `${table.name}_by_${names.join('_and_')}`;
};

const selected = ({ sql, name, as }: ResultColumn): SelectedColumn => ({
  sql,
  as: name === as ? undefined : as,
});

const described = (columns: readonly ResultColumn[]): readonly TypedColumn[] =>
  columns.map(({ as: name, type }) => ({ name, type }));

/** Returns how the filters of the result find its columns: by what they are computed from, or by their names. */
function resultResolver(columns: readonly ResultColumn[], isByName: boolean): Resolve {
  const byName = new Map(columns.map((column) => [column.as, column]));
  return ({ table, name }) => {
    const column = table === undefined ? byName.get(name) : undefined;
    return column && { ...column, sql: isByName ? atom(quoteIfNeeded(name)) : column.sql };
  };
}

/** Returns the columns of a query that doesn't summarize. */
function plainColumns(
  { table, customColumns = [], columns }: QueryStructure,
  resolve: Resolve,
  names: ResultNames,
  report: ReportFault,
): readonly ResultColumn[] {
  const references = columns ?? [...table.columns, ...customColumns].map(({ name }) => ({ name }));
  if (references.length === 0) report('/columns', 'Choose at least one column.');
  return references.flatMap((reference, index) => {
    const column = resolve(reference);
    if (column === undefined) {
      // A custom column with a fault is reported where it is defined.
      if (columns !== undefined)
        report(`/columns/${index}`, `The column “${labelOf(reference)}” doesn’t exist.`);
      return [];
    }
    return [{ ...column, as: names.takeFirst(...impliedNames(reference)) }];
  });
}

/** Returns the ORDER BY clause. Without a chosen order, groups are in their own. */
function orderOf(
  { dialect }: Context,
  { sort, groups = [] }: QueryStructure,
  columns: readonly ResultColumn[],
  report: ReportFault,
): readonly string[] {
  if (sort === undefined || sort.length === 0) return groups.map((_, index) => String(index + 1));
  const names = new Set(columns.map(({ as }) => as));
  return sort.flatMap(({ name, isDescending = false }, index) => {
    if (!names.has(name)) {
      report(`/sort/${index}/name`, `The result has no column “${name}”.`);
      return [];
    }
    return [`${quoteIfNeeded(name)}${isDescending ? ` DESC${dialect.descending}` : ''}`];
  });
}
