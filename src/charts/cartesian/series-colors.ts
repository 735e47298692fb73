import { colorAt, resolveColor, type ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { ChartSeries } from './series-points.ts';

/** Returns a function that returns the color of a series: of its value if a column splits them, or else the one configured or of its position. */
export function seriesColors(
  series: readonly ChartSeries[],
  theme: ChartTheme,
  colors: ValueColors,
): (series: ChartSeries) => string {
  const indexes = colors.indexesOf(series.flatMap(({ name, split }) => (split === undefined ? [] : [name])));
  return ({ name, description, index, split }) => {
    if (split !== undefined) return colorAt(theme, indexes.get(name) ?? index);
    return description.color === undefined ? colorAt(theme, index) : resolveColor(description.color, theme);
  };
}
