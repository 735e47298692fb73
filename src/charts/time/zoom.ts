import type { SeriesOption, XAXisComponentOption } from 'echarts';
import type { Chart } from '../drawing/chart.ts';
import { dataOf, seriesOf } from '../drawing/parts.ts';
import { positionOf } from './time-axis.ts';
import type { TimeRange } from './range.ts';
import { toPosition } from './wall-clock.ts';

/** With more points, those of a line have no symbols. */
const maxSymbols = 60;

/**
 * Returns a chart over time that shows only a range. Its points outside of the range have no value, so that the other axis fits the
 * rest, except for those next to it, to which lines lead. The indexes of points stay. Any other chart is returned as it is.
 */
export function zoomed(chart: Chart, range: TimeRange | undefined): Chart {
  const { time, option } = chart;
  if (time === undefined || range === undefined) return chart;
  const from = toPosition(range.from, time.isUtc);
  const to = toPosition(range.to, time.isUtc);
  const isShown = (point: unknown): boolean => {
    const position = positionOf(point, time);
    return position !== undefined && position >= from && position <= to;
  };
  const series = seriesOf(chart);
  const shown = series.map((one) => dataOf(one).map(isShown));
  const count = shown.reduce((sum, of) => sum + of.filter(Boolean).length, 0);
  const axes = [option[time.name] ?? []].flat();
  return {
    ...chart,
    time: { ...time, range: [from, to] },
    option: {
      ...option,
      // Sound because only the ends of the axis change, which every kind of axis has.
      [time.name]: axes.map((axis) => ({ ...axis, min: from, max: to }) as XAXisComponentOption),
      series: series.map((one, index) => within(one, shown[index] ?? [], time.name === 'yAxis', count)),
    },
    markAt: (seriesIndex, dataIndex) =>
      shown[seriesIndex]?.[dataIndex] === true ? chart.markAt(seriesIndex, dataIndex) : undefined,
  };
}

function within(
  series: SeriesOption,
  shown: readonly boolean[],
  isHorizontal: boolean,
  count: number,
): SeriesOption {
  // The lines and annotations of a chart have no points of their own in it.
  if (shown.length === 0 || ('markLine' in series && series.silent === true)) return series;
  const isLine = series.type === 'line';
  const isKept = (index: number) =>
    shown[index] === true || (isLine && (shown[index - 1] === true || shown[index + 1] === true));
  const data = dataOf(series).map((point, index) => (isKept(index) ? point : emptied(point, isHorizontal)));
  // Sound because the points stay of the same kind.
  return {
    ...series,
    data,
    ...(isLine && { showSymbol: series.showSymbol === true || count <= maxSymbols }),
  } as SeriesOption;
}

/** Returns a point without its value. */
function emptied(point: unknown, isHorizontal: boolean): unknown {
  const value: unknown =
    typeof point === 'object' && point !== null && 'value' in point ? point.value : point;
  if (!Array.isArray(value)) return point;
  const [x, y, ...rest] = value as readonly unknown[];
  return isHorizontal ? ['-', y, ...rest] : [x, '-', ...rest];
}
