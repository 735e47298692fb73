import type { Cartesian } from './kind.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import {
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import type { AxisScale } from './axes.ts';
import { orderRows, type RowOrder } from '../values/value-order.ts';

type SeriesDescription = Cartesian['series'][number];

/** A point of a series: where along the axis, how much, and the row that it is of. */
export interface Point {
  readonly position: number;
  readonly y: number | null;
  readonly row: readonly unknown[] | undefined;
}

/** A series of a chart: a measure, or a measure for one value of the column that splits it. */
export interface ChartSeries {
  readonly name: string;
  readonly description: SeriesDescription;
  readonly column: ResultColumn;
  /** The place among all series, by which it has its colour. */
  readonly index: number;
  readonly format: Formatter;
  readonly split: { readonly value: unknown } | undefined;
  readonly points: readonly Point[];
}

/** The series of a bar, line or area chart, and what lies along its axis. */
export interface SeriesPoints {
  readonly scale: AxisScale;
  readonly x: ResultColumn;
  readonly formatX: Formatter;
  /** The categories by their positions; empty on another scale. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly notes: readonly string[];
}

/** More lines than this nobody tells apart. */
const mostSeries = 50;

/** Returns the series of a chart, each with its points in the order of the axis. Undefined when the axis has no column. */
export function seriesPoints(visualization: Cartesian, result: ResultRows): SeriesPoints | undefined {
  const x = findColumn(result, visualization.x);
  if (x === undefined) return undefined;
  const scale = scaleOf(visualization, x);
  const formatX = createFormatter(x, visualization.xAxis?.format);
  const splitBy = visualization.splitBy === undefined ? undefined : findColumn(result, visualization.splitBy);
  const rows = orderRows(result, visualization.sort ?? orderOfSplit(x, splitBy));

  const categories = new Map<unknown, number>();
  const labels: string[] = [];
  const placeOf = (value: unknown): number | undefined => {
    if (scale !== 'category') return toPosition(value, x.type);
    const key = keyOf(value);
    const known = categories.get(key);
    if (known !== undefined) return known;
    categories.set(key, labels.length);
    return labels.push(formatX(value)) - 1;
  };

  const formatSplit = splitBy && createFormatter(splitBy);
  const groups = new Map<
    unknown,
    { value: unknown; rows: { position: number; row: readonly unknown[] }[] }
  >();
  for (const row of rows) {
    const position = placeOf(row[x.index]);
    if (position === undefined) continue;
    const value = splitBy && row[splitBy.index];
    const key = keyOf(value);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { value, rows: [] }));
    group.rows.push({ position, row });
  }

  const measures = visualization.series.flatMap((description) => {
    const column = findColumn(result, description.field);
    return column === undefined ? [] : [{ description, column }];
  });
  const all = [...groups.values()].flatMap((group) =>
    measures.map(({ description, column }) => ({ group, description, column })),
  );
  const series = all.slice(0, mostSeries).map(({ group, description, column }, index): ChartSeries => {
    const points = group.rows.map(({ position, row }) => ({
      position,
      y: toNumber(row[column.index]) ?? null,
      row,
    }));
    const label = description.label ?? description.field;
    const splitName = formatSplit?.(group.value);
    return {
      name: splitName === undefined ? label : measures.length > 1 ? `${splitName} · ${label}` : splitName,
      description,
      column,
      index,
      format: createFormatter(column, description.format),
      split: splitBy && { value: group.value },
      points: scale === 'category' ? points : points.toSorted((a, b) => a.position - b.position),
    };
  });
  const hidden = all.length - series.length;
  const notes = hidden > 0 ? [`Showing the first ${mostSeries} of ${all.length} series.`] : [];
  return { scale, x, formatX, labels, series, notes };
}

/** Of categories that have an order of their own, the first series may lack some: they are put where they belong. */
const orderOfSplit = (x: ResultColumn, splitBy: ResultColumn | undefined): RowOrder | undefined =>
  splitBy !== undefined && (isNumeric(x.type) || isTemporal(x.type))
    ? { field: x.name, direction: 'ascending' }
    : undefined;

/** Two values are the same category when they are the same JSON. */
const keyOf = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);

/** Times and numbers have their own distances, but for bars, which stand side by side unless the description says else. */
function scaleOf({ kind, xAxis }: Cartesian, { type }: ResultColumn): AxisScale {
  const hasPlace = isNumeric(type) || isTemporal(type);
  const { scale = 'auto' } = xAxis ?? {};
  if (!hasPlace || scale === 'category') return 'category';
  if (isTemporal(type)) return scale === 'auto' && kind === 'bar' ? 'category' : 'time';
  if (scale === 'log') return 'log';
  return scale === 'linear' || kind !== 'bar' ? 'value' : 'category';
}
