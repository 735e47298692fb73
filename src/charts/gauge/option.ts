import type { GaugeSeriesOption } from 'echarts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import type { Chart, Threshold } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, readableColor, resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { findColumn, toNumber, type ResultRows } from '../values/result-values.ts';
import { reachedThreshold } from '../values/thresholds.ts';
import { gaugeScale, type GaugeScale } from './scale.ts';

/** Returns a gauge with the value of the first row, the ranges of its thresholds, and its target. */
export function gaugeChart(visualization: OfKind<'gauge'>, result: ResultRows, theme: ChartTheme): Chart {
  const column = findColumn(result, visualization.value);
  const [row] = result.rows;
  if (column === undefined || row === undefined) return emptyChart;
  const { thresholds = [], targetField } = visualization;
  const value = toNumber(row[column.index]);
  const targetColumn = targetField === undefined ? undefined : findColumn(result, targetField);
  const target = targetColumn ? toNumber(row[targetColumn.index]) : visualization.target;
  const scale = gaugeScale(visualization, [value, target, ...thresholds.map(({ from }) => from)]);
  const format = createFormatter(column, visualization.format);
  const text = format(row[column.index]);
  const reached = reachedThreshold(thresholds, value);
  const color = reached === undefined ? colorAt(theme, 0) : resolveColor(reached.color, theme);
  const isOutside = value !== undefined && (value < scale.min || value > scale.max);

  const lines = [
    { label: column.name, value: text },
    ...(target === undefined ? [] : [{ label: 'Target', value: format(target) }]),
    ...(target === undefined || target === 0 || value === undefined
      ? []
      : [{ label: 'Of the target', value: percent(value / target) }]),
    ...(reached?.label === undefined ? [] : [{ label: 'Range', value: reached.label }]),
  ];
  const labels = axisFormatter({ kind: 'number', isCompact: true, ...visualization.format });
  const dial = {
    type: 'gauge',
    animation: false,
    min: scale.min,
    max: scale.max,
    startAngle: 200,
    endAngle: -20,
    center: ['50%', '62%'],
    radius: '92%',
  } as const satisfies GaugeSeriesOption;
  return {
    tooltip: { trigger: 'item', contentOf: () => ({ title: '', lines }) },
    option: {
      ...frameOption(theme),
      series: [
        {
          ...dial,
          axisLine: { lineStyle: { width: 8, color: rangesOf(thresholds, scale, theme) } },
          progress: { show: false },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          // Only the ends, since the numbers between them would overlap in a small widget.
          splitNumber: 1,
          axisLabel: {
            distance: -6,
            color: theme.dimmed,
            fontSize: 11,
            rotate: 0,
            padding: [34, 0, 0, 0],
            formatter: (at: number) => labels(at),
          },
          detail: { show: false },
          data: [],
          silent: true,
        },
        {
          ...dial,
          radius: '80%',
          axisLine: { lineStyle: { width: 18, color: [[1, theme.line]] } },
          progress: { show: value !== undefined, width: 18, itemStyle: { color } },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          title: { show: target !== undefined, offsetCenter: [0, '26%'], color: theme.dimmed, fontSize: 12 },
          detail: {
            offsetCenter: [0, '-8%'],
            color: reached === undefined ? theme.text : readableColor(color, theme),
            fontSize: text.length > 12 ? 16 : 26,
            fontWeight: 600,
            formatter: () => text,
          },
          data: [
            {
              value: value === undefined ? scale.min : Math.min(Math.max(value, scale.min), scale.max),
              name: target === undefined ? '' : `Target ${format(target)}`,
            },
          ],
        },
        ...(target === undefined ? [] : [targetMark(dial, target, scale, theme)]),
      ],
    },
    markAt: (seriesIndex) => (seriesIndex === 1 ? markOfRow([], [column], row) : undefined),
    notes: [
      ...(isOutside
        ? [`The value is outside the scale from ${labels(scale.min)} to ${labels(scale.max)}.`]
        : []),
      ...(result.rows.length > 1
        ? [`Showing the first of ${result.rows.length.toLocaleString()} rows.`]
        : []),
    ],
  };
}

const percent = createFormatter({ type: 'double' }, { kind: 'percent', decimals: 0 });

/** Returns the colors of the scale, each with the share of the scale at which it ends. */
function rangesOf(
  thresholds: readonly Threshold[],
  { min, max }: GaugeScale,
  theme: ChartTheme,
): [number, string][] {
  const steps = thresholds.toSorted((a, b) => a.from - b.from);
  const shareOf = (value: number) => Math.min(Math.max((value - min) / (max - min), 0), 1);
  const ranges = steps.map(({ color }, index): [number, string] => {
    const next = steps[index + 1]?.from;
    return [next === undefined ? 1 : shareOf(next), resolveColor(color, theme)];
  });
  const [first] = steps;
  return first === undefined ? [[1, theme.line]] : [[shareOf(first.from), theme.line], ...ranges];
}

/** Returns a line across the scale at the target. */
const targetMark = (
  dial: GaugeSeriesOption,
  target: number,
  { min, max }: GaugeScale,
  theme: ChartTheme,
): GaugeSeriesOption => ({
  ...dial,
  silent: true,
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { show: false },
  axisLabel: { show: false },
  detail: { show: false },
  title: { show: false },
  pointer: {
    icon: 'rect',
    width: 3,
    length: '34%',
    offsetCenter: [0, '-68%'],
    itemStyle: { color: theme.text },
  },
  data: [{ value: Math.min(Math.max(target, min), max) }],
});
