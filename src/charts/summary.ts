import type { Visualization } from '#contract/reports/visualizations.ts';
import { t } from '#shared/language/messages.ts';
import { listFormat } from '#shared/region/intl.ts';
import { kindOf } from './kinds.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter } from './values/formats.ts';
import { extentOf, findColumn, toNumber, type ResultRows } from './values/result-values.ts';

/** Returns a short text for screen readers: the kind of the chart, its columns, and their ranges. */
export function summarize(name: string, visualization: Visualization, result: ResultRows): string {
  const kind = kindOf(visualization.kind);
  const { category, split, measures } = kind.roles(visualization);
  const labels = measures.map(({ field, label = field }) => label).join(', ');
  const groups = listFormat().format([category, split].filter((field) => field !== undefined));
  const ranges = measures.flatMap(({ field, label = field, format }) => {
    const range = rangeOf(result, field, format);
    return range === undefined ? [] : [t('{label} from {range}.', { label, range })];
  });
  return [
    groups === ''
      ? t('{kind} “{name}”: {measures}.', { kind: kind.name, name, measures: labels })
      : t('{kind} “{name}”: {measures} by {groups}.', { kind: kind.name, name, measures: labels, groups }),
    ...ranges,
    t('{rowCount, plural, one {# row.} other {# rows.}}', { rowCount: result.rows.length }),
  ].join(' ');
}

function rangeOf(result: ResultRows, field: string, format: ValueFormat | undefined): string | undefined {
  const column = findColumn(result, field);
  if (column === undefined) return undefined;
  const extent = extentOf(result.rows.map((row) => toNumber(row[column.index])));
  const write = createFormatter(column, format);
  return extent && t('{from} to {to}', { from: write(extent.min), to: write(extent.max) });
}
