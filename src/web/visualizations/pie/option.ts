import type { OfKind } from '../kind.ts';
import type { Chart } from '../echarts/chart.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption, legendOption } from '../echarts/frame-option.ts';
import { colorAt, type ChartTheme } from '../echarts/palette.ts';
import { findColumn, toNumber, type ResultRows } from '../values/result-values.ts';
import { tooltipOption } from '../echarts/tooltip.ts';
import { orderRows } from '../values/value-order.ts';

/** What more slices than this would be is one slice, unless the description says how many. */
const mostSlices = 12;

/** A slice, and the rows that it is of: one, or all those of the last. */
interface Slice {
  readonly name: string;
  readonly value: number;
  readonly words: string;
  readonly category: { readonly value: unknown } | undefined;
}

/** Returns a pie or a ring. Values without a share of the whole, such as negative numbers, are left out. */
export function pieChart(visualization: OfKind<'pie'>, result: ResultRows, theme: ChartTheme): Chart {
  const category = findColumn(result, visualization.category);
  const measure = findColumn(result, visualization.value);
  if (category === undefined || measure === undefined) return emptyChart;
  const isDonut = visualization.isDonut === true;
  const nameOf = createFormatter(category);
  const format = createFormatter(measure, visualization.format);
  const rows = orderRows(result, visualization.sort);
  const all = rows.flatMap((row): Slice[] => {
    const value = toNumber(row[measure.index]);
    if (value === undefined || value < 0) return [];
    const raw = row[category.index];
    return [{ name: nameOf(raw), value, words: format(row[measure.index]), category: { value: raw } }];
  });
  const slices = withRest(all, visualization.maxSlices ?? mostSlices, format);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const share = createFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });
  const left = rows.length - all.length;

  const beside = {
    legend: { orient: 'vertical', left: '62%', top: 'middle' },
    series: [{ center: ['31%', '50%'], radius: isDonut ? ['50%', '90%'] : ['0%', '90%'] }],
  } as const;
  const above = {
    legend: { orient: 'horizontal', left: 0, top: 0 },
    series: [{ center: ['50%', '57%'], radius: isDonut ? ['44%', '80%'] : ['0%', '80%'] }],
  } as const;

  return {
    option: {
      ...frameOption(theme),
      legend: { ...legendOption(theme, true), ...beside.legend },
      tooltip: tooltipOption(theme, 'item', ([part]) => {
        const slice = slices[part?.dataIndex ?? -1];
        return (
          slice && {
            title: slice.name,
            lines: [{ label: share(total === 0 ? 0 : slice.value / total), value: slice.words }],
          }
        );
      }),
      series: [
        {
          type: 'pie',
          animation: false,
          itemStyle: { borderColor: theme.surface, borderWidth: 1.5 },
          label: { show: false },
          data: slices.map(({ name, value }, index) => ({
            // Slices are told apart by their names, and two values may be written alike.
            id: String(index),
            name,
            value,
            itemStyle: { color: colorAt(theme, index) },
          })),
        },
      ],
      // Where there is no room beside the pie, its names stand above it.
      media: [
        { query: { maxAspectRatio: 1.5 }, option: above },
        // What holds when nothing else does: a place may become wide again.
        { option: beside },
      ],
    },
    fields: [category.name],
    pickedAt: (_, dataIndex) => {
      const picked = slices[dataIndex]?.category;
      return picked === undefined ? [] : [{ field: category.name, value: picked.value }];
    },
    notes: left > 0 ? [`${left} of ${rows.length} rows not shown: the value is missing or negative.`] : [],
  };
}

function withRest(all: readonly Slice[], most: number, format: (value: unknown) => string): readonly Slice[] {
  if (all.length <= most) return all;
  const rest = all.slice(most - 1);
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  const name = `Other (${rest.length})`;
  return [...all.slice(0, most - 1), { name, value, words: format(value), category: undefined }];
}
