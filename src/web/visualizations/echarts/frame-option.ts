import type { EChartsOption, LegendComponentOption } from 'echarts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './palette.ts';

/** The chart of a result without the required columns. */
export const emptyChart: Chart = { option: {}, fields: [], pickedAt: () => [], notes: [] };

/** Returns the options that all charts have in common, without animation. */
export const frameOption = (theme: ChartTheme, useUTC = true): EChartsOption => ({
  animation: false,
  useUTC,
  textStyle: { fontFamily: theme.fontFamily, color: theme.text },
  color: [...theme.colors],
});

/** Returns the position of the axes, which fill the space beside the legend and the color scale. */
export const gridOption = (around: {
  readonly hasLegend?: boolean;
  readonly hasColorScale?: boolean;
}): NonNullable<EChartsOption['grid']> => ({
  left: 4,
  right: 12,
  top: around.hasLegend === true ? 30 : 6,
  bottom: around.hasColorScale === true ? 38 : 4,
  outerBoundsMode: 'same',
});

/** Returns the legend of a chart, in one scrollable line above it. */
export function legendOption(theme: ChartTheme, isShown: boolean): LegendComponentOption {
  return {
    show: isShown,
    type: 'scroll',
    top: 0,
    left: 0,
    right: 0,
    itemWidth: 12,
    itemHeight: 8,
    itemGap: 14,
    icon: 'roundRect',
    textStyle: { color: theme.text, fontSize: 12, width: 160, overflow: 'truncate' },
    pageIconColor: theme.text,
    pageIconInactiveColor: theme.line,
    pageTextStyle: { color: theme.dimmed },
  };
}
