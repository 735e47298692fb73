import type { Visualization } from '#contract/reports/visualizations.ts';
import { kindOf } from './kinds.ts';
import { createFormatter, type ValueFormat } from './values/formats.ts';
import { findColumn, toNumber, type ResultRows } from './values/result-values.ts';

/** Returns what a chart shows in a sentence or two, for people who do not see it: the kind, the columns, and the ranges. */
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
  let min = Infinity;
  let max = -Infinity;
  for (const row of result.rows) {
    const value = toNumber(row[column.index]);
    if (value === undefined) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const write = createFormatter(column, format);
  return min > max ? undefined : `${write(min)} to ${write(max)}`;
}
