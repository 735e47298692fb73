import type { Visualization } from '#contract/reports/visualizations.ts';
import { isTemporal } from '#shared/columns.ts';
import type { Mark } from '../marks/mark.ts';
import { findColumn, toMilliseconds, type ResultRows } from '../values/result-values.ts';
import { rangeBetween, type TimeRange } from './range.ts';
import { toWallTime } from './wall-clock.ts';

/**
 * Returns the range of times that marks of a chart over time stand for: from the first to the time after the last, so that the
 * bar of a month is that month. Undefined if the chart is not over time.
 */
export function rangeOfMarks(
  visualization: Visualization,
  result: ResultRows,
  marks: readonly Mark[],
): TimeRange | undefined {
  if (!('x' in visualization) || visualization.kind === 'heatMap') return undefined;
  const column = findColumn(result, visualization.x);
  if (column === undefined || !isTemporal(column.type)) return undefined;
  const timesOf = (rows: readonly (readonly unknown[])[]) =>
    [...new Set(rows.flatMap((row) => toMilliseconds(row[column.index]) ?? []))].toSorted((a, b) => a - b);
  const all = timesOf(result.rows);
  const chosen = timesOf(marks.flatMap(({ rows }) => rows));
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const before = all.findLast((time) => time < last);
  const end = all.find((time) => time > last) ?? (before === undefined ? last : last + (last - before));
  const wall = (time: number) => toWallTime(time, column.type !== 'instant');
  return rangeBetween(wall(first), wall(end));
}
