import { axisFormatter } from '../cartesian/axis-formatter.ts';
import { axisOption, slantedLabels } from '../cartesian/axes.ts';
import { labelFormatter } from '../cartesian/data-labels.ts';
import { withLines } from '../cartesian/value-lines.ts';
import type { Chart } from '../drawing/chart.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { mixColors } from '#shared/branding/contrast.ts';
import { t } from '#shared/language/messages.ts';
import { colorAt, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter, currentFormatter } from '../values/formats.ts';
import { findColumn, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { createStepFormatter } from '../values/time-steps.ts';
import { boxOf, type Box } from './quartiles.ts';

/** With more boxes, each is too thin. */
const maxBoxes = 100;
/** More points than this can't be told apart. */
const maxOutliers = 2_000;

interface NamedBox {
  readonly name: string;
  readonly box: Box;
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns a box for each category: from all of its rows, or from a row with its five numbers. */
export function boxPlotChart(visualization: OfKind<'boxPlot'>, result: ResultRows, theme: ChartTheme): Chart {
  const measure = findColumn(result, visualization.value);
  if (measure === undefined) return emptyChart;
  const category =
    visualization.category === undefined ? undefined : findColumn(result, visualization.category);
  const all = boxesOf(visualization, result, measure, category);
  const boxes = all.slice(0, maxBoxes);
  const format = createFormatter(
    visualization.format === undefined ? { type: 'double' } : measure,
    visualization.format,
  );
  const outliers = boxes.flatMap(({ box }, index) => box.outliers.map((value) => [index, value]));
  const shownOutliers = outliers.slice(0, maxOutliers);
  const labels = boxes.map(({ name }) => name);
  const color = colorAt(theme, 0);
  const chart: Chart = {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        if (part?.seriesIndex === 1) {
          const [index = -1, value] = shownOutliers[part.dataIndex] ?? [];
          return { title: labels[index] ?? '', lines: [{ label: measure.name, value: format(value) }] };
        }
        const one = part?.seriesIndex === 0 ? boxes[part.dataIndex] : undefined;
        if (one === undefined) return undefined;
        const { box, name, rows } = one;
        return {
          title: name,
          lines: [
            { label: t('Maximum'), value: format(box.max) },
            { label: t('Upper quartile'), value: format(box.upperQuartile) },
            { label: t('Median'), value: format(box.median) },
            { label: t('Lower quartile'), value: format(box.lowerQuartile) },
            { label: t('Minimum'), value: format(box.min) },
            ...(box.outliers.length > 0 ? [{ label: t('Outliers'), value: count(box.outliers.length) }] : []),
            ...(visualization.summary === undefined ? [{ label: t('Rows'), value: count(rows.length) }] : []),
          ],
        };
      },
    },
    option: {
      ...frameOption(theme),
      grid: gridOption(),
      xAxis: axisOption(theme, { scale: 'category', labels, isBase: true }),
      yAxis: axisOption(theme, {
        scale: visualization.yAxis?.scale === 'log' ? 'log' : 'value',
        axis: visualization.yAxis,
        formatter: axisFormatter(visualization.yAxis?.format ?? visualization.format ?? { kind: 'auto' }),
        isBase: false,
      }),
      media: slantedLabels(labels),
      series: [
        {
          type: 'boxplot',
          animation: false,
          boxWidth: [6, 56],
          itemStyle: { color: mixColors(color, theme.surface, 0.7), borderColor: color, borderWidth: 1.5 },
          data: boxes.map(({ box }) => [box.min, box.lowerQuartile, box.median, box.upperQuartile, box.max]),
        },
        {
          type: 'scatter',
          animation: false,
          symbolSize: 5,
          itemStyle: { color, opacity: 0.7 },
          data: shownOutliers,
        },
      ],
    },
    markAt: (seriesIndex, dataIndex) => {
      const one = seriesIndex === 0 ? boxes[dataIndex] : undefined;
      const [row] = one?.rows ?? [];
      if (one === undefined || row === undefined) return undefined;
      const mark = markOfRow(category === undefined ? [] : [category], [measure], row);
      return { ...mark, rows: one.rows, name: `${one.name} · ${format(one.box.median)}` };
    },
    notes: [
      ...(all.length > maxBoxes
        ? [t('Showing the first {maxBoxes} of {count} boxes.', { maxBoxes, count: all.length })]
        : []),
      ...(outliers.length > maxOutliers
        ? [
            t('Showing the first {count} of {count2} outliers.', {
              count: count(maxOutliers),
              count2: count(outliers.length),
            }),
          ]
        : []),
    ],
  };
  const values = boxes.flatMap(({ box, rows }) =>
    visualization.summary === undefined
      ? rows.flatMap((row) => toNumber(row[measure.index]) ?? [])
      : [box.median],
  );
  return withLines(
    chart,
    [
      {
        lines: visualization.referenceLines ?? [],
        values,
        format: labelFormatter({ type: 'double' }, visualization.yAxis?.format ?? visualization.format),
        isLog: visualization.yAxis?.scale === 'log',
        position: 0,
      },
    ],
    theme,
  );
}

const count = currentFormatter({ type: 'integer' }, { kind: 'number' });

/** Returns the boxes in the order of the rows. Those without a number are left out. */
function boxesOf(
  { whiskers = 'tukey', summary, value }: OfKind<'boxPlot'>,
  result: ResultRows,
  measure: ResultColumn,
  category: ResultColumn | undefined,
): NamedBox[] {
  const nameOf =
    category === undefined
      ? () => value
      : createStepFormatter(
          category,
          result.rows.map((row) => row[category.index]),
        );
  const nameOfRow = (row: readonly unknown[]) => nameOf(category && row[category.index]);
  if (summary !== undefined) {
    const columns = [summary.min, summary.lowerQuartile, value, summary.upperQuartile, summary.max].map(
      (field) => findColumn(result, field),
    );
    return result.rows.flatMap((row): NamedBox[] => {
      const numbers = columns.map((column) => column && toNumber(row[column.index]));
      const [min, lowerQuartile, median, upperQuartile, max] = numbers;
      if (min === undefined || lowerQuartile === undefined || median === undefined) return [];
      if (upperQuartile === undefined || max === undefined) return [];
      return [
        {
          name: nameOfRow(row),
          box: { min, lowerQuartile, median, upperQuartile, max, outliers: [] },
          rows: [row],
        },
      ];
    });
  }
  const groups = Map.groupBy(result.rows, (row) => JSON.stringify(category && row[category.index]));
  return [...groups.values()].flatMap((rows): NamedBox[] => {
    const box = boxOf(
      rows.flatMap((row) => toNumber(row[measure.index]) ?? []),
      whiskers,
    );
    const [first] = rows;
    return box === undefined || first === undefined ? [] : [{ name: nameOfRow(first), box, rows }];
  });
}
