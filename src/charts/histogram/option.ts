import { t } from '#shared/language/messages.ts';
import type { OfKind } from '../kind.ts';
import type { Chart } from '../drawing/chart.ts';
import type { Mark } from '../marks/mark.ts';
import { axisOption } from '../cartesian/axes.ts';
import { labelFormatter } from '../cartesian/data-labels.ts';
import { withLines } from '../cartesian/value-lines.ts';
import { placeInBins } from './place-lines.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import { axisFormatter } from '../cartesian/axis-formatter.ts';
import { emptyChart, frameOption, gridOption } from '../drawing/frame-option.ts';
import { binOf, binValues, type Bins } from './bins.ts';
import { colorAt, type ChartTheme } from '../drawing/palette.ts';
import { findColumn, toNumber, type ResultRows } from '../values/result-values.ts';

/** Returns the chart of how the values of a column are distributed. */
export function histogramChart(
  visualization: OfKind<'histogram'>,
  result: ResultRows,
  theme: ChartTheme,
): Chart {
  const column = findColumn(result, visualization.value);
  if (column === undefined) return emptyChart;
  const values = result.rows.flatMap((row) => toNumber(row[column.index]) ?? []);
  const bins = binValues(values, visualization.bins);
  if (bins === undefined) return emptyChart;
  const format = axisFormatter(visualization.xAxis?.format ?? { kind: 'auto' });
  const count = createFormatter({ type: 'integer' }, visualization.yAxis?.format ?? { kind: 'number' });
  const bars = barsOf(bins, format);
  const edgeLabels = edgeLabelsOf(bins, format);
  const omitted = result.rows.length - values.length;
  // Only read after a click, since the result can have many rows.
  let byBar: Map<number | undefined, Mark['rows'][number][]> | undefined;
  const chart: Chart = {
    tooltip: {
      trigger: 'axis',
      contentOf: (parts) => {
        const bar = bars[parts.find(({ seriesIndex }) => seriesIndex === 0)?.dataIndex ?? -1];
        return bar && { title: bar.title, lines: [{ label: t('Rows'), value: count(bar.count) }] };
      },
    },
    option: {
      ...frameOption(theme),
      grid: gridOption(),
      // The bars stand on categories, and the labels at the edges between them.
      xAxis: [
        axisOption(theme, { scale: 'category', labels: bars.map(({ label }) => label), isBase: true }),
        {
          ...axisOption(theme, {
            scale: 'value',
            axis: { title: column.name, ...visualization.xAxis, min: 0, max: bars.length },
            formatter: (position) => edgeLabels[Number(position)] ?? '',
            interval: 1,
            isBase: true,
          }),
          position: 'bottom',
          axisPointer: { show: false },
        },
      ],
      yAxis: axisOption(theme, {
        scale: visualization.yAxis?.scale === 'log' ? 'log' : 'value',
        axis: visualization.yAxis,
        formatter: count,
        isBase: false,
        isFromZero: true,
      }),
      series: [
        {
          type: 'bar',
          animation: false,
          barCategoryGap: '4%',
          color: colorAt(theme, 0),
          data: bars.map(({ count, isOpen }) =>
            isOpen ? { value: count, itemStyle: { opacity: 0.55 } } : count,
          ),
        },
      ],
    },
    markAt: (_, dataIndex) => {
      const bar = bars[dataIndex];
      if (bar === undefined) return undefined;
      byBar ??= Map.groupBy(result.rows, (row) => barOf(bins, toNumber(row[column.index])));
      const name = `${bar.title} · ${count(bar.count)}`;
      return {
        key: bar.title,
        fields: [],
        measures: [column.name],
        rows: byBar.get(dataIndex) ?? [],
        name,
      };
    },
    notes:
      omitted > 0
        ? [
            t("{omitted} of {count} rows not shown: the value isn't a number.", {
              omitted,
              count: result.rows.length,
            }),
          ]
        : [],
  };
  const counts = bars.map((bar) => bar.count);
  const lines = (wanted: 'x' | 'y') =>
    (visualization.referenceLines ?? []).filter(({ axis = 'x' }) => axis === wanted);
  return withLines(
    chart,
    [
      {
        lines: lines('x'),
        values,
        format: labelFormatter({ type: 'double' }, visualization.xAxis?.format),
        isAcross: true,
        side: 1,
        position: Math.max(...counts),
        place: placeInBins(bins),
      },
      {
        lines: lines('y'),
        values: counts,
        format: count,
        isLog: visualization.yAxis?.scale === 'log',
        isFromZero: true,
        position: 0,
      },
    ],
    theme,
  );
}

/** Returns the index of the bar that has a value. The bars of those below and above the edges are the first and the last. */
function barOf(bins: Bins, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const bin = binOf(bins, value);
  const shift = bins.below > 0 ? 1 : 0;
  if (bin === 'below') return 0;
  return shift + (bin === 'above' ? bins.counts.length : bin);
}

interface Bar {
  readonly count: number;
  /** The range of its values. */
  readonly title: string;
  /** Below the bar; empty if its edges are labeled. */
  readonly label: string;
  /** Whether it has all values below or above the others. */
  readonly isOpen: boolean;
}

function barsOf({ edges, counts, below, above }: Bins, format: Formatter): Bar[] {
  const texts = edges.map(format);
  const [first = '', last = ''] = [texts[0], texts.at(-1)];
  return [
    ...(below > 0
      ? [{ count: below, title: t('Less than {first}', { first }), label: `< ${first}`, isOpen: true }]
      : []),
    ...counts.map((count, index): Bar => {
      const [from = '', to = ''] = [texts[index], texts[index + 1]];
      const isWhole = edges[index] === edges[index + 1];
      const includesEnd = index === counts.length - 1 && above === 0;
      const title = isWhole
        ? from
        : includesEnd
          ? t('From {from} to {to}', { from, to })
          : t('From {from} up to {to}', { from, to });
      return { count, title, label: isWhole ? from : '', isOpen: false };
    }),
    ...(above > 0
      ? [{ count: above, title: t('{last} or more', { last }), label: `≥ ${last}`, isOpen: true }]
      : []),
  ];
}

/** Returns the labels of the edges between the bars, and of both ends. An open bar is labeled itself. */
function edgeLabelsOf({ edges, below, above }: Bins, format: Formatter): string[] {
  const texts = edges.map(format);
  if (edges[0] === edges.at(-1)) return ['', ''];
  return [
    ...(below > 0 ? ['', ''] : texts.slice(0, 1)),
    ...texts.slice(1, -1),
    ...(above > 0 ? ['', ''] : texts.slice(-1)),
  ];
}
