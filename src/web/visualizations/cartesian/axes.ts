import type { XAXisComponentOption, YAXisComponentOption } from 'echarts';
import type { Axis } from '../echarts/chart.ts';
import type { Formatter } from '../values/formats.ts';
import type { ChartTheme } from '../echarts/palette.ts';

/** An axis of either direction: the options of both are the same but for their place. */
type AxisOption = XAXisComponentOption & YAXisComponentOption;

/** How values lie along an axis. */
export type AxisScale = 'category' | 'time' | 'value' | 'log';

/** Returns the option of an axis: quiet lines, its name at its end, its numbers as the reader writes them. */
export function axisOption(
  theme: ChartTheme,
  {
    scale,
    axis = {},
    labels,
    formatter,
    isAlong,
    isBelow = isAlong,
    isFromZero = false,
    interval,
  }: {
    readonly scale: AxisScale;
    readonly axis?: Axis | undefined;
    /** The categories, in their order. */
    readonly labels?: readonly string[];
    readonly formatter?: Formatter;
    /** Whether the values along it are places, and not measures. */
    readonly isAlong: boolean;
    /** Whether it lies below the chart, not beside it. Left out: if it is the axis of the categories. */
    readonly isBelow?: boolean;
    /** The distance of its marks; left out: a round one. */
    readonly interval?: number;
    /** Whether the values begin at zero, as those of bars do. */
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
      ...(scale === 'category' && { width: 140, overflow: 'truncate' }),
    },
    axisLine: { show: isAlong, lineStyle: { color: theme.line } },
    axisTick: { show: false },
    ...(!isAlong && { splitNumber: 4 }),
    splitLine: { show: !isAlong, lineStyle: { color: theme.line } },
    ...(scale === 'category' ? { data: labels ?? [] } : { min, max, scale: !isFromZero }),
    type: scale,
  };
  // Sound because every member is one of any of the kinds of axes that ECharts tells apart.
  return option as unknown as AxisOption;
}
