import type { Visualization } from '#contract/reports/visualizations.ts';
import { kindOf } from './kinds.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter } from './values/formats.ts';
import { extentOf, findColumn, toNumber, type ResultRows } from './values/result-values.ts';

/** Returns a short text for screen readers: the kind of the chart, its columns, and their ranges. */
export function summarize(name: string, visualization: Visualization, result: ResultRows): string {
  const kind = kindOf(visualization.kind);
  const { category, split, measures } = kind.roles(visualization);
  const labels = measures.map(({ field, label = field }) => label).join(', ');
  const by = [category, split].filter((field) => field !== undefined).join(' and ');
  const ranges = measures.flatMap(({ field, label = field, format }) => {
    const range = rangeOf(result, field, format);
    return range === undefined ? [] : [`${label} from ${range}.`];
  });
  const { length } = result.rows;
  return [
    `${kind.name} “${name}”: ${labels}${by === '' ? '' : ` by ${by}`}.`,
    ...ranges,
    `${length === 1 ? '1 row' : `${length} rows`}.`,
  ].join(' ');
}

function rangeOf(result: ResultRows, field: string, format: ValueFormat | undefined): string | undefined {
  const column = findColumn(result, field);
  if (column === undefined) return undefined;
  const extent = extentOf(result.rows.map((row) => toNumber(row[column.index])));
  const write = createFormatter(column, format);
  return extent && `${write(extent.min)} to ${write(extent.max)}`;
}
