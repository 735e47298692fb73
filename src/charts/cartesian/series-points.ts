import type { Cartesian } from './kind.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import {
  findColumn,
  toNumber,
  toPosition,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import type { AxisScale } from './axes.ts';
import { createStepFormatter } from '../values/time-steps.ts';
import { orderRows, type RowOrder } from '../values/value-order.ts';

type SeriesDescription = Cartesian['series'][number];

/** A point of a series: its position on the base axis, its value, and its row. */
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
  /** The index among all series, which determines the color unless a column splits them. */
  readonly index: number;
  readonly format: Formatter;
  readonly split: { readonly value: unknown } | undefined;
  readonly points: readonly Point[];
}

/** The series of a bar, line, area or combo chart, and its base axis. */
export interface SeriesPoints {
  readonly scale: AxisScale;
  readonly x: ResultColumn;
  readonly formatX: Formatter;
  /** The categories in the order of their positions; empty on any other scale. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly notes: readonly string[];
}

/** More series than this can't be told apart. */
const maxSeries = 50;

/** Returns the series of a chart, each with its points in the order of the base axis. Undefined if the column of the axis is missing. */
export function seriesPoints(visualization: Cartesian, result: ResultRows): SeriesPoints | undefined {
  const x = findColumn(result, visualization.x);
  if (x === undefined) return undefined;
  const scale = scaleOf(visualization, x);
  const format = visualization.xAxis?.format;
  const formatX =
    format === undefined
      ? createStepFormatter(
          x,
          result.rows.map((row) => row[x.index]),
        )
      : createFormatter(x, format);
  const splitBy = visualization.splitBy === undefined ? undefined : findColumn(result, visualization.splitBy);
  const rows = orderRows(result, visualization.sort ?? orderOfSplit(x, splitBy));

  const categories = new Map<unknown, number>();
  const labels: string[] = [];
  const positionOf = (value: unknown): number | undefined => {
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
    const position = positionOf(row[x.index]);
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
  const series = all.slice(0, maxSeries).map(({ group, description, column }, index): ChartSeries => {
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
  const notes =
    hidden > 0
      ? [t('Showing the first {maxSeries} of {count} series.', { maxSeries, count: all.length })]
      : [];
  return { scale, x, formatX, labels, series, notes };
}

/** Categories with a natural order are sorted, because the first series may lack some of them. */
const orderOfSplit = (x: ResultColumn, splitBy: ResultColumn | undefined): RowOrder | undefined =>
  splitBy !== undefined && (isNumeric(x.type) || isTemporal(x.type))
    ? { field: x.name, direction: 'ascending' }
    : undefined;

/** Returns the identity of a category: values with the same JSON are the same category. */
const keyOf = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);

/**
 * Times and numbers are placed by their distances. In charts with bars, numbers are categories by default, and so are times that are
 * sorted by another column.
 */
function scaleOf({ kind, xAxis, sort }: Cartesian, { type, name }: ResultColumn): AxisScale {
  const hasBars = kind === 'bar' || kind === 'combo';
  const hasDistance = isNumeric(type) || isTemporal(type);
  const { scale = 'auto' } = xAxis ?? {};
  if (!hasDistance || scale === 'category') return 'category';
  if (isTemporal(type)) {
    const isRanking = hasBars && sort !== undefined && sort.field !== name;
    return scale === 'auto' && isRanking ? 'category' : 'time';
  }
  if (scale === 'log') return 'log';
  return scale === 'linear' || !hasBars ? 'value' : 'category';
}
