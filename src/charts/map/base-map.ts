import type { EChartsOption, GeoComponentOption } from 'echarts';
import { registerMap } from 'echarts/core';
import { mixColors } from '#shared/branding/contrast.ts';
import type { ChartTheme } from '../drawing/palette.ts';
import { geometryOfMap, viewOf, type Bounds, type MapName } from './geometry.ts';

const registered = new Set<MapName>();

/** The color of regions without a value. */
export const emptyColor = (theme: ChartTheme): string => mixColors(theme.line, theme.surface, 0.25);

/** Returns the option of a map that shows what is within some bounds, or everything. */
export function baseMap(
  map: MapName,
  bounds: Bounds | undefined,
  theme: ChartTheme,
  { hasColorScale }: { readonly hasColorScale: boolean },
): Pick<EChartsOption, 'geo'> {
  const geometry = geometryOfMap(map);
  const name = `atrium-${map}`;
  if (!registered.has(map)) {
    // Sound because ECharts reads only the type and the coordinates of the areas, and their names.
    registerMap(name, geometry.areas as never);
    registered.add(map);
  }
  const { from, to } = viewOf(bounds, geometry);
  const style = { areaColor: emptyColor(theme), borderColor: theme.surface, borderWidth: 0.6 };
  const geo: GeoComponentOption = {
    map: name,
    // The geometry is projected already.
    projection: { project: copy, unproject: copy },
    boundingCoords: [[...from], [...to]],
    left: 0,
    right: 0,
    top: 0,
    bottom: hasColorScale ? 36 : 0,
    preserveAspect: 'contain',
    roam: false,
    scaleLimit: { min: 1, max: 40 },
    label: { show: false },
    itemStyle: style,
    emphasis: {
      label: { show: false },
      itemStyle: { areaColor: 'inherit', borderColor: theme.text, borderWidth: 1.2 },
    },
    select: { disabled: true },
  };
  return { geo };
}

const copy = ([x = 0, y = 0]: number[]): number[] => [x, y];
