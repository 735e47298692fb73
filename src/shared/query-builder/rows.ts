import { quoteIfNeeded } from '../sql/names.ts';
import type { Context } from './context.ts';
import type { ReportFault } from './faults.ts';
import type { FormulaCompiler } from './formula/compile.ts';
import { impliedNames } from './groups/groups.ts';
import { createResultNames, nameFault, queryName } from './names.ts';
import { requireSqlLength } from './limits.ts';
import { labelOf, tableColumns, type Resolve, type ResolvedColumn } from './scope.ts';
import { atom, compare } from './sql/expression.ts';
import type { Select, SelectedColumn } from './sql/select.ts';
import type { ColumnReference, QueriedTable, QueryStructure } from './structure.ts';

/** The rows that a query summarizes: where they come from, and their columns. */
export interface Rows {
  readonly source: Pick<Select, 'with' | 'from' | 'joins'>;
  readonly resolve: Resolve;
  /** The columns that the query refers to, with how often; filled while the query is generated. */
  readonly uses: Map<string, ColumnUse>;
}

interface ColumnUse {
  readonly reference: ColumnReference;
  readonly isCustom: boolean;
  count: number;
}

const maxCustomColumns = 50;

/** Returns the rows of the tables, where each custom column is written out wherever it is used. */
export function tableRows(
  context: Context,
  structure: QueryStructure,
  compileFormula: FormulaCompiler,
  report: ReportFault,
): Rows {
  const { customColumns = [] } = structure;
  const ofTables = tableColumns(structure, report);
  const custom = new Map<string, ResolvedColumn>();
  const uses: Rows['uses'] = new Map();

  // A custom column that is only a part of another one is written out there.
  let isCounted = false;
  let writtenLength = 0;
  function resolve(reference: ColumnReference): ResolvedColumn | undefined {
    const own = reference.table === undefined ? custom.get(reference.name) : undefined;
    const column = own ?? ofTables(reference);
    writtenLength += own?.sql.text.length ?? 0;
    // Custom columns that are used several times are written once in the end, so what is written out here may be longer.
    requireSqlLength(writtenLength / maxCustomColumns);
    if (column === undefined || !isCounted) return column;
    const key = JSON.stringify([reference.table, reference.name]);
    const use = uses.get(key) ?? { reference, isCustom: own !== undefined, count: 0 };
    use.count += 1;
    uses.set(key, use);
    return column;
  }

  const source = sourceOf(context, structure, ofTables, report);
  const names = createResultNames();
  for (const { name } of structure.table.columns) names.take(name);
  if (customColumns.length > maxCustomColumns)
    report('/customColumns', 'A query can have at most 50 custom columns.');
  for (const [index, { name, formula }] of customColumns.slice(0, maxCustomColumns).entries()) {
    const pointer = `/customColumns/${index}`;
    const fault =
      nameFault(context.dialect, name) ??
      (names.take(name) ? undefined : `There is already a column “${name}”.`);
    if (fault !== undefined) report(`${pointer}/name`, fault);
    const value = compileFormula(`${pointer}/formula`, formula, resolve);
    if (value !== undefined) custom.set(name, { sql: value.sql, type: value.type, name: undefined });
  }
  isCounted = true;
  return { source, resolve, uses };
}

/**
 * Returns the rows with their custom columns computed once, in a query of its own, if one of them is used several times.
 */
export function extendedRows(structure: QueryStructure, { source, resolve, uses }: Rows): Rows | undefined {
  const { table, joins = [] } = structure;
  const custom = [...uses.values()].filter(({ isCustom }) => isCustom);
  if (!custom.some(({ count }) => count > 1)) return undefined;
  const names = createResultNames();
  const columns: SelectedColumn[] = joins.length === 0 ? [{ sql: atom('*'), as: undefined }] : [];
  const extended = new Map<string, ResolvedColumn>();
  // The columns of the tables come first, so that they get the names that people know.
  const ordered = [...uses].toSorted(([, one], [, other]) => Number(one.isCustom) - Number(other.isCustom));
  for (const [key, use] of ordered) {
    const column = resolve(use.reference);
    if (column === undefined) continue;
    const as = names.takeFirst(...impliedNames(use.reference));
    if (use.isCustom || joins.length > 0)
      columns.push({ sql: column.sql, as: column.name === as ? undefined : as });
    extended.set(key, { ...column, sql: atom(quoteIfNeeded(as)), name: as });
  }
  const [only] = custom.length === 1 ? custom : [];
  const name = queryName(structure, `${table.name}_with_${only?.reference.name ?? 'custom_columns'}`);
  return {
    source: { with: [{ name, select: { ...source, columns } }], from: quoteIfNeeded(name) },
    resolve: (reference) =>
      extended.get(JSON.stringify([reference.table, reference.name])) ?? resolve(reference),
    uses: new Map(),
  };
}

/** Returns the FROM clause and the joins. */
function sourceOf(
  context: Context,
  { table, joins = [] }: QueryStructure,
  resolve: Resolve,
  report: ReportFault,
): Rows['source'] {
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
