import type { OfKind } from '../kind.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import type { EChartsOption, VisualMapComponentOption } from 'echarts';
import type { Axis, Chart } from '../drawing/chart.ts';
import { axisOption, slantedLabels } from '../cartesian/axes.ts';
import { maxLabels, tooManyLabels } from '../cartesian/data-labels.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { mixColors } from '#shared/branding/contrast.ts';
import { t } from '#shared/language/messages.ts';
import { resolveColor, textColorOn, type ChartTheme } from '../drawing/palette.ts';
import {
  extentOf,
  findColumn,
  toNumber,
  type ResultColumn,
  type ResultRows,
} from '../values/result-values.ts';
import { comparerOf } from '../values/value-order.ts';

/** Smaller cells can't be told apart, and a picture of them is large. */
const maxColumns = 200;
const maxRows = 100;

/** Returns a heat map: a grid of cells, each colored by thresholds if there are any, or else on a continuous scale. */
export function heatMapChart(visualization: OfKind<'heatMap'>, result: ResultRows, theme: ChartTheme): Chart {
  const x = findColumn(result, visualization.x);
  const y = findColumn(result, visualization.y);
  const measure = findColumn(result, visualization.value);
  if (x === undefined || y === undefined || measure === undefined) return emptyChart;
  const columns = categoriesOf(x, result, visualization.xAxis, maxColumns);
  const rows = categoriesOf(y, result, visualization.yAxis, maxRows);
  const format = createFormatter(measure, visualization.format);
  const cells = result.rows.flatMap((row) => {
    const value = toNumber(row[measure.index]);
    const position = [columns.indexOf(row[x.index]), rows.indexOf(row[y.index])];
    return value === undefined || position.includes(-1) ? [] : [{ row, value, data: [...position, value] }];
  });
  const axis = { scale: 'category', isBase: true } as const;
  const values = cells.map(({ value }) => value);
  const isLabelled = visualization.hasDataLabels === true && cells.length <= maxLabels;
  const scale = colorScale(visualization, values, format, theme);

  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const row = cells[part?.dataIndex ?? -1]?.row;
        return (
          row && {
            title: `${columns.format(row[x.index])} · ${rows.format(row[y.index])}`,
            lines: [{ label: measure.name, value: format(row[measure.index]) }],
          }
        );
      },
    },
    option: {
      ...frameOption(theme),
      grid: gridOption({ hasColorScale: true }),
      xAxis: axisOption(theme, { ...axis, axis: visualization.xAxis, labels: columns.labels }),
      yAxis: {
        ...axisOption(theme, { ...axis, isBelow: false, axis: visualization.yAxis, labels: rows.labels }),
        inverse: true,
      },
      visualMap: scale.visualMap,
      media: [...slantedLabels(columns.labels), ...scale.media],
      series: [
        {
          type: 'heatmap',
          animation: false,
          data: cells.map(({ data, value, row }) =>
            isLabelled
              ? {
                  value: data,
                  label: {
                    color: textColorOn(scale.colorOf(value), theme),
                    formatter: () => format(row[measure.index]),
                  },
                }
              : data,
          ),
          ...(isLabelled && {
            label: { show: true, fontSize: 11 },
            // A label that is wider than its cell would cover others.
            labelLayout: ({ rect, labelRect }) =>
              labelRect.width > rect.width - 2 || labelRect.height > rect.height
                ? { x: -1_000, y: -1_000 }
                : {},
          }),
          itemStyle: { borderColor: theme.surface, borderWidth: 1 },
        },
      ],
    },
    markAt: (_, dataIndex) => {
      const row = cells[dataIndex]?.row;
      return row && markOfRow([x, y], [measure], row);
    },
    notes: [
      ...[columns, rows].flatMap(({ note }) => note ?? []),
      ...(visualization.hasDataLabels === true && !isLabelled ? [tooManyLabels()] : []),
    ],
  };
}

/** Returns the categories of a column: numbers and times sorted, others in the order of the rows. */
function categoriesOf(
  column: ResultColumn,
  { rows }: ResultRows,
  axis: Axis | undefined,
  max: number,
): {
  labels: readonly string[];
  indexOf: (value: unknown) => number;
  format: (value: unknown) => string;
  /** Says how many there are, if not all are shown. */
  note: string | undefined;
} {
  const format = createFormatter(column, axis?.format);
  const distinct = [...new Set(rows.map((row) => row[column.index]))];
  const all =
    isNumeric(column.type) || isTemporal(column.type) ? distinct.toSorted(comparerOf(column.type)) : distinct;
  const values = all.slice(0, max);
  const indexes = new Map(values.map((value, index) => [value, index]));
  return {
    labels: values.map(format),
    indexOf: (value) => indexes.get(value) ?? -1,
    format,
    note:
      all.length > max
        ? t('Showing the first {max} of {count} values of {name}.', {
            max,
            count: all.length,
            name: column.name,
          })
        : undefined,
  };
}

type MediaOption = NonNullable<EChartsOption['media']>[number];

const scaleLengthPx = 110;

/** The approximate width of a letter, and of the marker and margins around each label. */
const letterWidthPx = 6.5;
const labelMarginPx = 36;

/** The color scale, and how it adapts to a narrow container. */
interface ColorScale {
  readonly visualMap: VisualMapComponentOption;
  readonly media: MediaOption[];
  readonly colorOf: (value: number) => string;
}

/** Hides the legend of thresholds if its labels don't fit. The tooltip of each cell shows its value. */
function narrowSteps(labels: readonly string[]): MediaOption[] {
  const neededPx = Math.ceil(
    labels.reduce((sum, { length }) => sum + length * letterWidthPx + labelMarginPx, 0),
  );
  return [
    { query: { maxWidth: neededPx }, option: { visualMap: { show: false }, grid: gridOption() } },
    {
      query: { minWidth: neededPx + 1 },
      option: { visualMap: { show: true }, grid: gridOption({ hasColorScale: true }) },
    },
  ];
}

/** How much of the surface is in the lightest, the middle and the darkest color of the scale. */
const stops = [0.88, 0.5, 0] as const;
const [first, middle, last] = stops;

const narrowRange: MediaOption[] = [
  { query: { minWidth: 240 }, option: { visualMap: { itemHeight: scaleLengthPx } } },
  { query: { minWidth: 160, maxWidth: 239 }, option: { visualMap: { itemHeight: 50 } } },
  { query: { maxWidth: 159 }, option: { visualMap: { itemHeight: 20 } } },
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
      const range =
        next === undefined
          ? t('{from} or more', { from: format(from) })
          : t('{from} to {next}', { from: format(from), next: format(next) });
      return {
        gte: from,
        ...(next !== undefined && { lt: next }),
        label: label ?? range,
        color: resolveColor(color, theme),
      };
    });
    return {
      visualMap: { ...common, type: 'piecewise', outOfRange: { color: theme.line }, pieces },
      media: narrowSteps(pieces.map(({ label }) => label)),
      colorOf: (value) => pieces.findLast(({ gte }) => value >= gte)?.color ?? theme.line,
    };
  }
  const extent = extentOf(values);
  const full = theme.colors[0] ?? theme.text;
  return {
    visualMap: {
      ...common,
      type: 'continuous',
      min: extent?.min ?? 0,
      max: extent?.max ?? 1,
      itemHeight: scaleLengthPx,
      text: extent === undefined ? [] : [format(extent.max), format(extent.min)],
      inRange: { color: stops.map((share) => mixColors(full, theme.surface, share)) },
    },
    media: narrowRange,
    colorOf: (value) => {
      const { min, max } = extent ?? { min: 0, max: 1 };
      const at = max > min ? (value - min) / (max - min) : 1;
      const share = at < 0.5 ? first + (middle - first) * at * 2 : middle + (last - middle) * (at * 2 - 1);
      return mixColors(full, theme.surface, share);
    },
  };
}
