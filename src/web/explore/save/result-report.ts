import type { Report, ReportParameter } from '#contract/reports/reports.ts';
import type { TypedColumn } from '#shared/query-builder/structure.ts';
import type { Axis, Selection } from '#shared/explore/axes.ts';
import { quoteIfNeeded } from '#shared/sql/names.ts';
import { trimStatement } from '#shared/sql/statement.ts';
import { binWidthOf, granularityOf, rowsName } from './table-report.ts';

/**
 * Returns the SQL of a report on the selected rows of another report's result; with a chart, on how many rows each of its bars
 * has. The values of the selections are parameters.
 */
export function resultReport(
  report: Pick<Report, 'query' | 'parameters'>,
  {
    columns,
    selections,
    timeZone,
    chart,
  }: {
    readonly columns: readonly TypedColumn[];
    readonly selections: readonly Selection[];
    readonly timeZone: string;
    readonly chart?: Axis | undefined;
  },
): { readonly query: string; readonly parameters: ReportParameter[] } {
  const parameters = [...report.parameters];
  function add(
    name: string,
    type: ReportParameter['type'],
    value: string | number | boolean | string[],
  ): string {
    const base = name
      .replaceAll(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?=\d)/, '_')
      .slice(0, 50);
    let unique = base;
    for (let number = 2; parameters.some((one) => one.name === unique); number += 1)
      unique = `${base}_${number}`;
    parameters.push({ name: unique, type, default: value });
    return `{{${unique}}}`;
  }
  const typeOf = (column: string) => columns.find(({ name }) => name === column)?.type ?? 'text';
  const local = (column: string): string =>
    typeOf(column) === 'instant'
      ? `(${quoteIfNeeded(column)} AT TIME ZONE '${timeZone.replaceAll("'", "''")}')`
      : quoteIfNeeded(column);

  function conditionOf(selection: Selection): string {
    const { column, kind } = selection;
    const name = quoteIfNeeded(column);
    if (kind !== 'values') {
      const type = (edge: string | number) =>
        typeof edge === 'number' ? 'number' : edge.includes('T') ? 'datetime' : 'date';
      const { from, to } = selection;
      const start = add(`${column}_from`, type(from), from);
      const end = add(`${column}_to`, type(to), to);
      return `${local(column)} >= ${start} AND ${local(column)} < ${end}`;
    }
    const values = selection.values.filter((value) => value !== null);
    const conditions: string[] = [];
    if (typeOf(column) === 'boolean')
      conditions.push(...values.map((value) => `${name} = ${add(column, 'boolean', value)}`));
    else if (values.length > 0)
      conditions.push(`CAST(${name} AS text) = ANY (${add(column, 'list', values.map(String))})`);
    if (values.length < selection.values.length) conditions.push(`${name} IS NULL`);
    return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' OR ')})`;
  }

  const where = selections.map(conditionOf);
  const query = [
    chart === undefined
      ? 'SELECT *'
      : `SELECT\n  ${barOf(chart, local)} AS ${quoteIfNeeded(chart.column)},\n  count(*) AS ${rowsName(chart.column)}`,
    `FROM (\n${trimStatement(report.query)}\n) AS result`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(chart === undefined
      ? []
      : ['GROUP BY 1', chart.kind === 'values' ? 'ORDER BY 2 DESC, 1' : 'ORDER BY 1']),
  ].join('\n');
  return { query, parameters };
}

function barOf(axis: Axis, local: (column: string) => string): string {
  if (axis.kind === 'values') return quoteIfNeeded(axis.column);
  if (axis.kind === 'time') return `date_trunc('${granularityOf(axis)}', ${local(axis.column)})`;
  const width = binWidthOf(axis);
  return `floor(${quoteIfNeeded(axis.column)} / ${width}) * ${width}`;
}
