import { t } from '#shared/language/messages.ts';
import type { OfKind } from '../kind.ts';
import type { Chart } from '../drawing/chart.ts';
import { markOfRow } from '../marks/mark.ts';
import { createFormatter } from '../values/formats.ts';
import { emptyChart, frameOption } from '../drawing/frame-option.ts';
import { colorAt, restColor, textColorOn, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import { findColumn, toNumber, type ResultRows } from '../values/result-values.ts';
import { orderRows } from '../values/value-order.ts';

/** The maximum number of slices if none is configured. The others are combined into one. */
const defaultMaxSlices = 12;

/** A slice. */
interface Slice {
  readonly name: string;
  readonly value: number;
  /** The formatted value. */
  readonly text: string;
  readonly rows: readonly (readonly unknown[])[];
  /** Whether it combines the smallest slices. */
  readonly isRest: boolean;
}

/** Returns a pie or donut chart. Missing and negative values are left out. */
export function pieChart(
  visualization: OfKind<'pie'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const category = findColumn(result, visualization.category);
  const measure = findColumn(result, visualization.value);
  if (category === undefined || measure === undefined) return emptyChart;
  const { isDonut = false, dataLabels = 'none' } = visualization;
  const nameOf = createFormatter(category);
  const format = createFormatter(measure, visualization.format);
  const rows = orderRows(result, visualization.sort ?? { field: measure.name, direction: 'descending' });
  const all = rows.flatMap((row): Slice[] => {
    const value = toNumber(row[measure.index]);
    if (value === undefined || value < 0) return [];
    const raw = row[category.index];
    return [{ name: nameOf(raw), value, text: format(row[measure.index]), rows: [row], isRest: false }];
  });
  const slices = withRest(all, visualization.maxSlices ?? defaultMaxSlices, format);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const indexes = colors.indexesOf(slices.filter(({ isRest }) => !isRest).map(({ name }) => name));
  const share = createFormatter({ type: 'double' }, { kind: 'percent', decimals: 1 });
  const shareOf = ({ value }: Slice) => share(total === 0 ? 0 : value / total);
  const colorOf = ({ name, isRest }: Slice) =>
    isRest ? restColor(theme) : colorAt(theme, indexes.get(name) ?? 0);
  const omitted = rows.length - all.length;

  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const slice = slices[part?.dataIndex ?? -1];
        return (
          slice && {
            title: slice.name,
            lines: [{ label: shareOf(slice), value: slice.text }],
          }
        );
      },
    },
    option: {
      ...frameOption(theme),
      series: [
        {
          type: 'pie',
          radius: isDonut ? ['50%', '92%'] : ['0%', '92%'],
          animation: false,
          itemStyle: { borderColor: theme.surface, borderWidth: 1.5 },
          label: { show: dataLabels !== 'none', position: 'inside', fontSize: 11 },
          labelLine: { show: false },
          // Smaller slices have no space for a label.
          minShowLabelAngle: 14,
          labelLayout: { hideOverlap: true },
          data: slices.map((slice, index) => ({
            // ECharts identifies slices by name unless they have an ID, and two values can have the same name.
            id: String(index),
            name: slice.name,
            value: slice.value,
            itemStyle: { color: colorOf(slice) },
            ...(dataLabels !== 'none' && {
              label: {
                color: textColorOn(colorOf(slice), theme),
                // Also readable on a pattern.
                textBorderColor: colorOf(slice),
                textBorderWidth: 2,
                formatter: () => (dataLabels === 'share' ? shareOf(slice) : slice.text),
              },
            }),
          })),
        },
      ],
    },
    legend: {
      items: slices.map((slice) => ({ name: slice.name, color: colorOf(slice), value: shareOf(slice) })),
      isBeside: true,
    },
    markAt: (_, dataIndex) => {
      const slice = slices[dataIndex];
      const [row] = slice?.rows ?? [];
      if (slice === undefined || row === undefined) return undefined;
      const mark = markOfRow([category], [measure], row);
      if (!slice.isRest) return mark;
      return { ...mark, key: slice.name, rows: slice.rows, name: `${slice.name} · ${slice.text}` };
    },
    notes:
      omitted > 0
        ? [
            t('{omitted} of {count} rows not shown: the value is missing or negative.', {
              omitted,
              count: rows.length,
            }),
          ]
        : [],
  };
}

/** Returns the slices in their order. If there are more than `max`, the smallest are combined into the last one. */
function withRest(all: readonly Slice[], max: number, format: (value: unknown) => string): readonly Slice[] {
  if (all.length <= max) return all;
  const largest = new Set(all.toSorted((a, b) => b.value - a.value).slice(0, max - 1));
  const rest = all.filter((slice) => !largest.has(slice));
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  const name = t('Other ({count})', { count: rest.length });
  return [
    ...all.filter((slice) => largest.has(slice)),
    { name, value, text: format(value), rows: rest.flatMap(({ rows }) => rows), isRest: true },
  ];
}
