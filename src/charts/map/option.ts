import type { Chart } from '../drawing/chart.ts';
import { emptyChart } from '../drawing/frame-option.ts';
import type { ChartTheme } from '../drawing/palette.ts';
import type { ValueColors } from '../drawing/value-colors.ts';
import type { OfKind } from '../kind.ts';
import { findColumn, type ResultRows } from '../values/result-values.ts';
import { pointMap } from './point-map.ts';
import { regionMap } from './region-map.ts';

/** Returns a map of points, if the columns of their coordinates are set, or else of colored regions. */
export function mapChart(
  visualization: OfKind<'map'>,
  result: ResultRows,
  theme: ChartTheme,
  colors: ValueColors,
): Chart {
  const find = (field: string | undefined) => (field === undefined ? undefined : findColumn(result, field));
  const [latitude, longitude] = [find(visualization.latitude), find(visualization.longitude)];
  const value = find(visualization.value);
  if (latitude !== undefined && longitude !== undefined) {
    const [color, label] = [find(visualization.color), find(visualization.label)];
    return pointMap(visualization, { latitude, longitude, value, color, label }, result, theme, colors);
  }
  const region = find(visualization.region);
  if (region === undefined || value === undefined) return emptyChart;
  return regionMap(visualization, { region, value }, result, theme);
}
