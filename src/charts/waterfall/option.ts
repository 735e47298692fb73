import type { CustomSeriesOption } from 'echarts';
import { t } from '#shared/language/messages.ts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import { axisOption, slantedLabels } from '../cartesian/axes.ts';
import { labelFormatter, labelledPoints } from '../cartesian/data-labels.ts';
import { withLines } from '../cartesian/value-lines.ts';
import type { Chart } from '../drawing/chart.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { namedValues } from '../values/named-values.ts';
import type { ResultRows } from '../values/result-values.ts';
import { waterfallSteps, type Step } from './steps.ts';

/** Returns a waterfall: a bar for each change of a total, from the total before it to that after it, and one for the total. */
export function waterfallChart(
  visualization: OfKind<'waterfall'>,
  result: ResultRows,
  theme: ChartTheme,
): Chart {
  const named = namedValues(visualization, result);
  if (named === undefined) return emptyChart;
  const { category, measure, format, items } = named;
  const {
    hasTotal = true,
    totalLabel = t('Total'),
    increaseColor = '3',
    decreaseColor = '4',
  } = visualization;
  const steps = waterfallSteps(items, measure, format, hasTotal ? totalLabel : undefined);
  const omitted = result.rows.length - items.length;
  const colors = {
    increase: resolveColor(increaseColor, theme),
    decrease: resolveColor(decreaseColor, theme),
    total: resolveColor('1', theme),
  };
  const colorOf = ({ type, change }: Step) =>
    type === 'total' ? colors.total : change < 0 ? colors.decrease : colors.increase;
  const labels = steps.map(({ name }) => name);
  const labelled = labelledPoints(
    visualization.dataLabels ?? 'none',
    steps.map(({ change }) => change),
  );
  const chart: Chart = {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const step = part?.seriesIndex === 0 ? steps[part.dataIndex] : undefined;
        if (step === undefined) return undefined;
        const lines = [
          { label: measure.name, value: step.text, color: colorOf(step) },
          ...(step.type === 'total' ? [] : [{ label: t('Total'), value: step.totalText }]),
        ];
        return { title: step.name, lines };
      },
    },
    option: {
      ...frameOption(theme),
      grid: gridOption({ hasLabels: labelled.size > 0 }),
      xAxis: axisOption(theme, { scale: 'category', labels, isBase: true }),
      yAxis: axisOption(theme, {
        scale: 'value',
        formatter: axisFormatter({ kind: 'number', isCompact: true, ...visualization.format }),
        isBase: false,
        isFromZero: true,
      }),
      media: slantedLabels(labels),
      series: [
        {
          type: 'custom',
          animation: false,
          encode: { x: 0, y: [1, 2] },
          data: steps.map((step, index) => ({
            value: [index, step.to, step.from],
            itemStyle: { color: colorOf(step) },
          })),
          renderItem: renderBar(steps, labelled, theme),
          labelLayout: { hideOverlap: true },
        },
      ],
    },
    legend: {
      items: [
        { name: t('Increase'), color: colors.increase },
        { name: t('Decrease'), color: colors.decrease },
        ...(hasTotal ? [{ name: totalLabel, color: colors.total }] : []),
      ],
      isStatic: true,
    },
    markAt: (_, dataIndex) => {
      const step = steps[dataIndex];
      const [row] = step?.rows ?? [];
      if (step === undefined || row === undefined) return undefined;
      const mark = markOfRow([category], [measure], row);
      if (step.type !== 'rest') return mark;
      return { ...mark, key: step.name, rows: step.rows, name: `${step.name} · ${step.text}` };
    },
    notes:
      omitted > 0
        ? [
            t('{omitted} of {count} rows not shown: the value is missing.', {
              omitted,
              count: result.rows.length,
            }),
          ]
        : [],
  };
  return withLines(
    chart,
    [
      {
        lines: visualization.referenceLines ?? [],
        values: steps.map(({ to }) => to),
        format: labelFormatter(measure, visualization.format),
        isFromZero: true,
        position: 0,
      },
    ],
    theme,
  );
}

/** Returns a function that draws a bar, with a line from its end to the next bar. */
const renderBar =
  (
    steps: readonly Step[],
    labelled: ReadonlySet<number>,
    theme: ChartTheme,
  ): NonNullable<CustomSeriesOption['renderItem']> =>
  ({ dataIndex }, api) => {
    const index = Number(api.value(0));
    const [x = 0, end = 0] = api.coord([index, api.value(1)]);
    const [, start = 0] = api.coord([index, api.value(2)]);
    const [nextX = x] = api.coord([index + 1, api.value(1)]);
    const size = api.size?.([1, 0]);
    const bandPx = Array.isArray(size) ? (size[0] ?? 0) : 0;
    const width = Math.min(bandPx * 0.7, 64);
    const color = api.visual('color');
    const decal = api.visual('decal');
    const shape = {
      x: x - width / 2,
      y: Math.min(start, end),
      width,
      // A change of zero is a line.
      height: Math.max(Math.abs(start - end), 1),
    };
    const bar = {
      type: 'rect' as const,
      shape: { ...shape, r: width > 6 ? 2 : 0 },
      style: { fill: typeof color === 'string' ? color : theme.text, ...(decal && { decal }) },
      ...(labelled.has(dataIndex) && labelOf(steps[dataIndex], theme)),
    };
    if (dataIndex >= steps.length - 1) return bar;
    const line = {
      type: 'line' as const,
      silent: true,
      shape: { x1: x + width / 2, y1: end, x2: nextX - width / 2, y2: end },
      style: { stroke: theme.dimmed, lineWidth: 1 },
    };
    return { type: 'group', children: [bar, line] };
  };

/** The label of a bar is above it, or below it if it goes down. */
const labelOf = (step: Step | undefined, theme: ChartTheme): object => ({
  textContent: {
    type: 'text',
    style: {
      text: step?.text ?? '',
      fontSize: 11,
      fontFamily: theme.fontFamily,
      fill: theme.text,
      stroke: theme.surface,
      lineWidth: 2,
    },
  },
  textConfig: { position: step !== undefined && step.to < step.from ? 'bottom' : 'top', distance: 4 },
});
