import type { OfKind } from '../kind.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import type { EChartsOption, VisualMapComponentOption } from 'echarts';
import type { Axis, Chart } from '../echarts/chart.ts';
import { axisOption } from '../cartesian/axes.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, gridOption } from '../echarts/frame-option.ts';
import { mixColors, resolveColor, type ChartTheme } from '../echarts/palette.ts';
import { findColumn, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { tooltipOption } from '../echarts/tooltip.ts';
import { comparerOf } from '../values/value-order.ts';

/** Returns a grid of cells, each coloured by its value: by thresholds where there are such, or from pale to full. */
export function heatMapChart(visualization: OfKind<'heatMap'>, result: ResultRows, theme: ChartTheme): Chart {
  const x = findColumn(result, visualization.x);
  const y = findColumn(result, visualization.y);
  const measure = findColumn(result, visualization.value);
  if (x === undefined || y === undefined || measure === undefined) return emptyChart;
  const across = categoriesOf(x, result, visualization.xAxis);
  const down = categoriesOf(y, result, visualization.yAxis);
  const format = createFormatter(measure, visualization.format);
  const cells = result.rows.flatMap((row) => {
    const value = toNumber(row[measure.index]);
    const place = [across.placeOf(row[x.index]), down.placeOf(row[y.index])];
    return value === undefined ? [] : [{ row, value, data: [...place, value] }];
  });
  const axis = { scale: 'category', isAlong: true } as const;
  const values = cells.map(({ value }) => value);
  const scale = colorScale(visualization, values, format, theme);

  return {
    option: {
      ...frameOption(theme),
      grid: gridOption({ hasColorScale: true }),
      xAxis: axisOption(theme, { ...axis, axis: visualization.xAxis, labels: across.labels }),
      yAxis: {
        ...axisOption(theme, { ...axis, isBelow: false, axis: visualization.yAxis, labels: down.labels }),
        inverse: true,
      },
      ...scale,
      tooltip: tooltipOption(theme, 'item', ([part]) => {
        const row = cells[part?.dataIndex ?? -1]?.row;
        return (
          row && {
            title: `${across.format(row[x.index])} · ${down.format(row[y.index])}`,
            lines: [{ label: measure.name, value: format(row[measure.index]) }],
          }
        );
      }),
      series: [
        {
          type: 'heatmap',
          animation: false,
          data: cells.map(({ data }) => data),
          itemStyle: { borderColor: theme.surface, borderWidth: 1 },
        },
      ],
    },
    fields: [x.name, y.name],
    pickedAt: (_, dataIndex) => {
      const row = cells[dataIndex]?.row;
      return row
        ? [
            { field: x.name, value: row[x.index] },
            { field: y.name, value: row[y.index] },
          ]
        : [];
    },
    notes: [],
  };
}

/** The categories of a column: numbers and times in their order, others as they come. */
function categoriesOf(
  column: ResultColumn,
  { rows }: ResultRows,
  axis: Axis | undefined,
): { labels: readonly string[]; placeOf: (value: unknown) => number; format: (value: unknown) => string } {
  const format = createFormatter(column, axis?.format);
  const distinct = [...new Set(rows.map((row) => row[column.index]))];
  const values =
    isNumeric(column.type) || isTemporal(column.type) ? distinct.toSorted(comparerOf(column.type)) : distinct;
  const places = new Map(values.map((value, place) => [value, place]));
  return { labels: values.map(format), placeOf: (value) => places.get(value) ?? -1, format };
}

type MediaOption = NonNullable<EChartsOption['media']>[number];

const scaleLength = 110;

/** About how many pixels of a letter, and what is around each word. */
const letterWidth = 6.5;
const aroundWord = 36;

/** The scale of colours, and how it keeps within a narrow place. */
interface ColorScale {
  readonly visualMap: VisualMapComponentOption;
  readonly media: MediaOption[];
}

/** Where words have no room, steps have no scale: each cell tells its value. */
const narrowSteps = (words: readonly string[]): MediaOption[] => [
  {
    query: {
      maxWidth: Math.ceil(words.reduce((sum, { length }) => sum + length * letterWidth + aroundWord, 0)),
    },
    option: { visualMap: { show: false }, grid: gridOption({}) },
  },
  { option: { visualMap: { show: true }, grid: gridOption({ hasColorScale: true }) } },
];

const narrowRange: MediaOption[] = [
  { query: { minWidth: 160, maxWidth: 239 }, option: { visualMap: { itemHeight: 50 } } },
  { query: { maxWidth: 159 }, option: { visualMap: { itemHeight: 20 } } },
  { option: { visualMap: { itemHeight: scaleLength } } },
];

function colorScale(
  { thresholds = [] }: OfKind<'heatMap'>,
  values: readonly number[],
  format: (value: unknown) => string,
  theme: ChartTheme,
): ColorScale {
  const common = {
    show: true,
    orient: 'horizontal',
    left: 'center',
    bottom: 0,
    itemWidth: 10,
    textStyle: { color: theme.dimmed },
  } as const;
  if (thresholds.length > 0) {
    const steps = thresholds.toSorted((a, b) => a.from - b.from);
    const pieces = steps.map(({ from, color, label }, index) => {
      const next = steps[index + 1]?.from;
      const words = next === undefined ? `${format(from)} or more` : `${format(from)} to ${format(next)}`;
      return {
        gte: from,
        ...(next !== undefined && { lt: next }),
        label: label ?? words,
        color: resolveColor(color, theme),
      };
    });
    return {
      visualMap: { ...common, type: 'piecewise', outOfRange: { color: theme.line }, pieces },
      media: narrowSteps(pieces.map(({ label }) => label)),
    };
  }
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const full = theme.colors[0] ?? theme.text;
  return {
    visualMap: {
      ...common,
      type: 'continuous',
      min: values.length === 0 ? 0 : min,
      max: values.length === 0 ? 1 : max,
      itemHeight: scaleLength,
      text: values.length === 0 ? [] : [format(max), format(min)],
      inRange: { color: [0.88, 0.5, 0].map((share) => mixColors(full, theme.surface, share)) },
    },
    media: narrowRange,
  };
}
