import type { EChartsOption, XAXisComponentOption, YAXisComponentOption } from 'echarts';
import type { Axis } from '../drawing/chart.ts';
import { createTimeLabels } from './time-labels.ts';
import type { Formatter } from '../values/formats.ts';
import type { ChartTheme } from '../drawing/palette.ts';

/** An x or y axis: their options differ only in the position. */
type AxisOption = XAXisComponentOption & YAXisComponentOption;

/** How values are mapped to positions on an axis. */
export type AxisScale = 'category' | 'time' | 'value' | 'log';

/** Returns the option of an axis, with subtle lines and numbers in the locale of the organization. */
export function axisOption(
  theme: ChartTheme,
  {
    scale,
    axis = {},
    labels,
    formatter,
    isBase,
    isBelow = isBase,
    isFromZero = false,
    interval,
    isUtc = true,
  }: {
    readonly scale: AxisScale;
    readonly axis?: Axis | undefined;
    /** The categories, in their order. */
    readonly labels?: readonly string[];
    readonly formatter?: Formatter;
    /** Whether this is the base axis, which has categories, times or x values, and not the axis of the measures. */
    readonly isBase: boolean;
    /** Whether it is below the chart, not beside it. By default, the base axis is. */
    readonly isBelow?: boolean;
    /** The distance between its labels; chosen automatically if left out. */
    readonly interval?: number;
    /** Whether its times are shown in UTC, as those without a zone are, instead of the reader's zone. */
    readonly isUtc?: boolean;
    /** Whether the axis starts at zero, as for bars. */
    readonly isFromZero?: boolean;
  },
): AxisOption {
  const { title, min, max } = axis;
  const format = formatter;
  const option = {
    ...(title !== undefined && title !== '' && { name: title }),
    nameLocation: isBelow ? 'middle' : 'end',
    nameTextStyle: { color: theme.dimmed, align: isBelow ? 'center' : 'left' },
    nameGap: isBelow ? 24 : 10,
    ...(interval !== undefined && { interval }),
    axisLabel: {
      color: theme.dimmed,
      hideOverlap: true,
      ...(scale !== 'category' &&
        scale !== 'time' &&
        format && { formatter: (value: number) => format(value) }),
      ...(scale === 'time' && { formatter: createTimeLabels(isUtc), lineHeight: 14 }),
      ...(scale === 'category' && { width: 140, overflow: 'truncate' }),
    },
    axisLine: { show: isBase, lineStyle: { color: theme.line } },
    axisTick: { show: false },
    ...(!isBase && { splitNumber: 4 }),
    splitLine: { show: !isBase, lineStyle: { color: theme.line } },
    ...(scale === 'category' ? { data: labels ?? [] } : { min, max, scale: !isFromZero }),
    type: scale,
  };
  // Sound because every member exists on all the axis types that ECharts distinguishes.
  return option as unknown as AxisOption;
}

/** The approximate width of a letter, and of the space between labels. */
const letterWidthPx = 6.5;
const labelGapPx = 14;

/**
 * Returns the options of a container in which the labels of the categories below a chart don't fit side by side, so that
 * they are slanted, and of a wider one.
 */
export function slantedLabels(labels: readonly string[]): NonNullable<EChartsOption['media']> {
  const longest = labels.reduce((longest, { length }) => Math.max(longest, length), 0);
  const neededPx = Math.ceil(labels.length * (Math.min(longest * letterWidthPx, 140) + labelGapPx));
  const option = (axisLabel: object) => ({ xAxis: { axisLabel } }) as EChartsOption;
  // A few labels that don't fit are easier to read if only some of them are shown.
  if (labels.length < minSlanted) return [];
  return [
    { query: { maxWidth: neededPx }, option: option({ rotate: 50, width: 110 }) },
    { query: { minWidth: neededPx + 1 }, option: option({ rotate: 0, width: 140 }) },
  ];
}

const minSlanted = 5;
