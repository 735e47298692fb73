import type { EChartsOption, GaugeSeriesOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import type { Chart, Threshold } from '../drawing/chart.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, readableColor, resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter, currentFormatter } from '../values/formats.ts';
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
    ...(target === undefined ? [] : [{ label: t('Target'), value: format(target) }]),
    ...(target === undefined || target === 0 || value === undefined
      ? []
      : [{ label: t('Of the target'), value: percent(value / target) }]),
    ...(reached?.label === undefined ? [] : [{ label: t('Range'), value: reached.label }]),
  ];
  const labels = axisFormatter({ kind: 'number', isCompact: true, ...visualization.format });
  const dial = {
    type: 'gauge',
    animation: false,
    min: scale.min,
    max: scale.max,
    startAngle: 180,
    endAngle: 0,
    center: ['50%', '76%'],
  } as const satisfies GaugeSeriesOption;
  return {
    tooltip: { trigger: 'item', contentOf: () => ({ title: '', lines }) },
    option: {
      ...frameOption(theme),
      media: sizesOf(text, target !== undefined),
      series: [
        {
          ...dial,
          axisLine: { lineStyle: { width: 6, color: rangesOf(thresholds, scale, theme) } },
          progress: { show: false },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          // Only the ends, since the numbers between them would overlap in a small widget.
          splitNumber: 1,
          axisLabel: {
            distance: -14,
            color: theme.dimmed,
            fontSize: 11,
            // Below the ends of the scale.
            lineHeight: 22,
            formatter: (at: number) => `\n${labels(at)}`,
          },
          detail: { show: false },
          data: [],
          silent: true,
        },
        {
          ...dial,
          axisLine: { lineStyle: { color: [[1, theme.line]] } },
          progress: { show: value !== undefined, itemStyle: { color } },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          title: { show: target !== undefined, offsetCenter: [0, 13], color: theme.dimmed, fontSize: 11 },
          detail: {
            offsetCenter: [0, '-12%'],
            color: reached === undefined ? theme.text : readableColor(color, theme),
            fontWeight: 600,
            formatter: () => text,
          },
          data: [
            {
              value: value === undefined ? scale.min : Math.min(Math.max(value, scale.min), scale.max),
              name: target === undefined ? '' : t('Target {target}', { target: format(target) }),
            },
          ],
        },
        ...(target === undefined ? [] : [targetMark(dial, target, scale, theme)]),
      ],
    },
    markAt: (seriesIndex) => (seriesIndex === 1 ? markOfRow([], [column], row) : undefined),
    notes: [
      ...(isOutside
        ? [
            t('The value is outside the scale from {from} to {to}.', {
              from: labels(scale.min),
              to: labels(scale.max),
            }),
          ]
        : []),
      ...(result.rows.length > 1
        ? [
            t('Showing the first of {count} rows.', {
              count: result.rows.length,
            }),
          ]
        : []),
    ],
  };
}

/** Returns the sizes of the dial and of its text by the size and shape of the container. */
function sizesOf(text: string, hasTarget: boolean): NonNullable<EChartsOption['media']> {
  const ofSize = (query: object, radius: number, width: number, textPx: number) => {
    const fontSize = Math.max(Math.min(textPx, Math.floor((textPx * 7) / text.length)), 11);
    return {
      query,
      option: {
        series: [
          { radius: `${radius}%` },
          {
            radius: `${radius * 0.92}%`,
            axisLine: { lineStyle: { width } },
            progress: { width },
            detail: { fontSize },
          },
          ...(hasTarget ? [{ radius: `${radius}%` }] : []),
        ],
      },
    };
  };
  // The last one that fits applies.
  return [
    ofSize({ minWidth: 0 }, 96, 12, 18),
    ofSize({ minAspectRatio: 1.4 }, 138, 12, 18),
    ofSize({ minWidth: 180, minHeight: 160 }, 96, 18, 26),
    ofSize({ minWidth: 180, minHeight: 130, minAspectRatio: 1.4 }, 138, 18, 28),
  ];
}

const percent = currentFormatter({ type: 'double' }, { kind: 'percent', decimals: 0 });

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
    length: '36%',
    offsetCenter: [0, '-66%'],
    itemStyle: { color: theme.text },
  },
  data: [{ value: Math.min(Math.max(target, min), max) }],
});
