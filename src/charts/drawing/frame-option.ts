import type { EChartsOption } from 'echarts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './palette.ts';

/** The chart of a result without the required columns. */
export const emptyChart: Chart = { option: {}, markAt: () => undefined, notes: [] };

/** Returns the options that all charts have in common, without animation. */
export const frameOption = (theme: ChartTheme, useUTC = true): EChartsOption => ({
  animation: false,
  useUTC,
  textStyle: { fontFamily: theme.fontFamily, color: theme.text },
  color: [...theme.colors],
});

/** Returns the position of the axes, which fill the space beside the color scale and leave some for labels of points at the edges. */
export const gridOption = (
  around: { readonly hasColorScale?: boolean; readonly hasLabels?: boolean } = {},
): NonNullable<EChartsOption['grid']> => ({
  left: 4,
  right: around.hasLabels === true ? 28 : 12,
  top: around.hasLabels === true ? 20 : 8,
  bottom: around.hasColorScale === true ? 38 : 4,
  outerBoundsMode: 'same',
});
