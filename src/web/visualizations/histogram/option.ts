import type { OfKind } from '../kind.ts';
import type { Chart } from '../echarts/chart.ts';
import { axisOption } from '../cartesian/axes.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, gridOption } from '../echarts/frame-option.ts';
import { binValues } from './bins.ts';
import { colorAt, type ChartTheme } from '../echarts/palette.ts';
import { findColumn, toNumber, type ResultRows } from '../values/result-values.ts';
import { tooltipOption } from '../echarts/tooltip.ts';

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
  const { start, width, counts } = bins;
  const format = createFormatter({ type: 'double' }, visualization.xAxis?.format);
  const count = createFormatter({ type: 'integer' }, visualization.yAxis?.format ?? { kind: 'number' });
  const labels = counts.map((_, index) =>
    width === 0
      ? format(start)
      : `${format(start + index * width)} to ${format(start + (index + 1) * width)}`,
  );
  const omitted = result.rows.length - values.length;
  return {
    option: {
      ...frameOption(theme),
      grid: gridOption({}),
      xAxis: axisOption(theme, {
        scale: 'category',
        axis: { title: column.name, ...visualization.xAxis },
        labels: counts.map((_, index) => format(start + index * width)),
        isBase: true,
      }),
      yAxis: axisOption(theme, {
        scale: visualization.yAxis?.scale === 'log' ? 'log' : 'value',
        axis: visualization.yAxis,
        formatter: count,
        isBase: false,
        isFromZero: true,
      }),
      tooltip: tooltipOption(theme, 'axis', ([part]) => {
        const index = part?.dataIndex ?? -1;
        const title = labels[index];
        return title === undefined
          ? undefined
          : { title, lines: [{ label: 'Rows', value: count(counts[index]) }] };
      }),
      series: [
        {
          type: 'bar',
          animation: false,
          barCategoryGap: '4%',
          color: colorAt(theme, 0),
          data: [...counts],
        },
      ],
    },
    fields: [],
    pickedAt: () => [],
    notes:
      omitted > 0
        ? [`${count(omitted)} of ${count(result.rows.length)} rows not shown: the value isn't a number.`]
        : [],
  };
}
