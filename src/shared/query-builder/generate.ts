import { quoteIfNeeded } from '../sql/names.ts';
import type { Context } from './context.ts';
import { dialects, type DialectName } from './dialects/dialects.ts';
import type { ReportFault, StructureFault } from './faults.ts';
import { filtersSql, type FilterScope } from './filters/filters.ts';
import { createFormulaCompiler } from './formula/compile.ts';
import { groupColumns, impliedNames } from './groups/groups.ts';
import { measureColumns } from './measures/measures.ts';
import { createResultNames } from './names.ts';
import { createParameters, type GeneratedParameter } from './parameters.ts';
import { labelOf, tableColumns, type Resolve, type ResolvedColumn } from './scope.ts';
import { checkShape } from './shape.ts';
import { compare } from './sql/expression.ts';
import { printSelect, type Select, type SelectedColumn } from './sql/select.ts';
import type { QueriedTable, QueryStructure, TypedColumn } from './structure.ts';

export type { StructureFault } from './faults.ts';

/** The SQL of a structure, the parameters that it refers to as `{{name}}`, and the columns of its result. */
export interface GeneratedQuery {
  readonly sql: string;
  readonly parameters: readonly GeneratedParameter[];
  readonly columns: readonly TypedColumn[];
}

export type Generated = { readonly query: GeneratedQuery } | { readonly faults: readonly StructureFault[] };

const maxLimit = 1_000_000;
const maxSqlLength = 100_000;
const maxParameters = 50;

/** Returns the SQL of a structure in a dialect, or everything that is wrong with it. */
export function generateQuery(structure: QueryStructure, dialectName: DialectName): Generated {
  const faults: StructureFault[] = [];
  const report: ReportFault = (pointer, message) => void faults.push({ pointer, message });
  checkShape(structure, report);
  if (faults.length > 0) return { faults };
  const { timeZone = 'UTC', weekStart = 'monday', limit } = structure;
  const context: Context = { dialect: dialects[dialectName], timeZone, weekStart };
  if (!isTimeZone(timeZone)) report('/timeZone', `The time zone “${timeZone}” doesn’t exist.`);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= maxLimit))
    report('/limit', 'The limit must be a whole number from 1 to 1,000,000.');

  const resolve = tableColumns(structure, report);
  const parameters = createParameters();
  const compileFormula = createFormulaCompiler(report);
  const source = sourceOf(context, structure, resolve, report);
  const scope: FilterScope = { context, parameters, resolve, compileFormula, report };
  const where = filtersSql(scope, '/filters', structure.filters ?? []);
  const names = createResultNames();
  const { groups = [], measures = [] } = structure;
  const isSummarized = groups.length > 0 || measures.length > 0;
  const result = isSummarized
    ? [...groupColumns(context, resolve, names, groups, report), ...measureColumns(scope, names, measures)]
    : plainColumns(structure, resolve, names, report);
  const byName = new Map(result.map((column) => [column.as, column]));
  const having = filtersSql(
    {
      ...scope,
      resolve({ table, name }) {
        const column = table === undefined ? byName.get(name) : undefined;
        return column && { ...column, name };
      },
    },
    '/resultFilters',
    structure.resultFilters ?? [],
  );
  if (having.length > 0 && !isSummarized)
    report('/resultFilters', 'Only the result of a summary can be filtered.');
  const orderBy = orderOf(context, structure, byName, report);

  const select: Select = {
    ...source,
    columns: result.map(selected),
    where,
    groupCount: measures.length > 0 || groups.length > 0 ? groups.length : 0,
    having,
    orderBy,
    limit,
  };
  if (faults.length > 0) return { faults };
  const sql = printSelect(select);
  if (sql.length > maxSqlLength) report('', 'The query is too long.');
  if (parameters.list.length > maxParameters) report('/filters', 'A query can have at most 50 parameters.');
  if (faults.length > 0) return { faults };
  const columns = result.map(({ as: name, type }) => ({ name, type }));
  return { query: { sql, parameters: parameters.list, columns } };
}

type ResultColumn = ResolvedOrNot & { readonly as: string };
type ResolvedOrNot = Omit<ResolvedColumn, 'name'> & { readonly name?: string | undefined };

const selected = ({ sql, name, as }: ResultColumn): SelectedColumn => ({
  sql,
  as: name === as ? undefined : as,
});

/** Returns the columns of a query that doesn't summarize. */
function plainColumns(
  { table, columns }: QueryStructure,
  resolve: Resolve,
  names: ReturnType<typeof createResultNames>,
  report: ReportFault,
): readonly ResultColumn[] {
  const references = columns ?? table.columns.map(({ name }) => ({ name }));
  if (references.length === 0) report('/columns', 'Choose at least one column.');
  return references.flatMap((reference, index) => {
    const column = resolve(reference);
    if (column === undefined) {
      report(`/columns/${index}`, `The column “${labelOf(reference)}” doesn’t exist.`);
      return [];
    }
    return [{ ...column, as: names.takeFirst(...impliedNames(reference)) }];
  });
}

/** Returns the FROM clause and the joins. */
function sourceOf(
  context: Context,
  { table, joins = [] }: QueryStructure,
  resolve: Resolve,
  report: ReportFault,
): Pick<Select, 'from' | 'joins'> {
  return {
    from: tableSql(context, table),
    joins: joins.map((join, index) => {
      const name = tableSql(context, join.table);
      const alias = quoteIfNeeded(join.as);
      if (join.on.length === 0) report(`/joins/${index}/on`, 'Choose the columns that must be equal.');
      const on = join.on.flatMap(({ left, right }, pair) => {
        const pointer = `/joins/${index}/on/${pair}`;
        const [one, other] = [resolve(left), resolve({ table: join.as, name: right })];
        if (one === undefined) report(`${pointer}/left`, `The column “${labelOf(left)}” doesn’t exist.`);
        if (other === undefined) report(`${pointer}/right`, `The column “${right}” doesn’t exist.`);
        return one && other ? [compare(one.sql, '=', other.sql)] : [];
      });
      const isNamed = quoteIfNeeded(join.table.name) === alias;
      return {
        kind: join.kind === 'left' ? 'LEFT JOIN' : 'JOIN',
        table: isNamed ? name : `${name} AS ${alias}`,
        on,
      };
    }),
  };
}

function tableSql({ dialect }: Context, { schema, name }: QueriedTable): string {
  const prefix = schema === dialect.defaultSchema ? '' : `${quoteIfNeeded(schema)}.`;
  return `${prefix}${quoteIfNeeded(name)}`;
}

/** Returns the ORDER BY clause. Without a chosen order, groups are in their own. */
function orderOf(
  { dialect }: Context,
  { sort, groups = [] }: QueryStructure,
  columns: ReadonlyMap<string, unknown>,
  report: ReportFault,
): readonly string[] {
  if (sort === undefined || sort.length === 0) return groups.map((_, index) => String(index + 1));
  return sort.flatMap(({ name, isDescending = false }, index) => {
    if (!columns.has(name)) {
      report(`/sort/${index}/name`, `The result has no column “${name}”.`);
      return [];
    }
    return [`${quoteIfNeeded(name)}${isDescending ? ` DESC${dialect.descending}` : ''}`];
  });
}

function isTimeZone(name: string): boolean {
  // An offset such as +01:00 has the opposite sign in PostgreSQL.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
