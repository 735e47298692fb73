import type { SeriesOption } from 'echarts';
import type { Chart } from './chart.ts';
import { dataOf, seriesOf } from './parts.ts';
import type { ChartTheme } from './palette.ts';

/** How many patterns there are before they repeat. The first is none. */
const patternCount = 7;

const dashes = ['solid', 'dashed', 'dotted', [12, 4, 2, 4], [2, 2], [16, 4], [8, 2, 2, 2, 2, 2]] as const;
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow', 'roundRect'] as const;

/** More symbols on a line would hide it. */
const maxSymbols = 60;

type Decal = Readonly<Record<string, unknown>>;

/** Stripes, dots and grids, which differ in direction and distance. */
const decals: readonly (Decal | undefined)[] = [
  undefined,
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  {
    symbol: 'circle',
    dashArrayX: [
      [8, 8],
      [0, 8, 8, 0],
    ],
    dashArrayY: [6, 0],
    symbolSize: 0.7,
  },
  { dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  { dashArrayX: [1, 0], dashArrayY: [3, 4] },
  {
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [6, 0],
  },
  { dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: Math.PI / 2 },
];

/**
 * Returns a chart whose colors have patterns, too, for people who can't distinguish the colors: stripes and dots in bars, slices and
 * areas, and other dashes and symbols of lines and points. A color of the legend has the pattern of its place there. A chart
 * without a legend stays as it is, since its colors mean nothing.
 */
export function withPatterns(chart: Chart, theme: ChartTheme): Chart {
  const items = chart.legend?.items ?? [];
  if (items.length < 2) return chart;
  const patternOf = new Map(
    items.map(({ color }, index) => [color, index % patternCount] as const).toReversed(),
  );
  const decalOf = (color: unknown): Decal | undefined => {
    const decal = typeof color === 'string' ? decals[patternOf.get(color) ?? 0] : undefined;
    return decal && { color: `${theme.surface}99`, ...decal };
  };
  const series = seriesOf(chart).map((one): SeriesOption => {
    // The lines and notes of a chart have no color of the legend.
    if (one.silent === true) return one;
    const pattern = typeof one.color === 'string' ? (patternOf.get(one.color) ?? 0) : 0;
    const decal = decalOf(one.color);
    const data = dataOf(one);
    const hasSymbols = one.type === 'line' || one.type === 'scatter';
    // Sound because only styles change.
    return {
      ...one,
      ...(decal && { itemStyle: { ...(one as { itemStyle?: object }).itemStyle, decal } }),
      ...(hasSymbols && { symbol: symbols[pattern] }),
      ...(one.type === 'line' && {
        lineStyle: { ...one.lineStyle, type: dashes[pattern] },
        ...(data.length <= maxSymbols && { showSymbol: true }),
      }),
      ...(one.type !== 'line' && data.length > 0 && { data: data.map((item) => withDecal(item, decalOf)) }),
      // A large series is drawn at once, without patterns.
      ...('large' in one && data.length <= 2_000 && { large: false }),
    } as SeriesOption;
  });
  return {
    ...chart,
    option: { ...chart.option, series },
    ...(chart.legend && {
      legend: {
        ...chart.legend,
        items: items.map((item, index) => ({ ...item, pattern: index % patternCount })),
      },
    }),
  };
}

/** Returns an item of a series with the pattern of its own color. */
function withDecal(item: unknown, decalOf: (color: unknown) => Decal | undefined): unknown {
  if (typeof item !== 'object' || item === null) return item;
  if ('children' in item && Array.isArray(item.children))
    return { ...item, children: (item.children as unknown[]).map((child) => withDecal(child, decalOf)) };
  if (!('itemStyle' in item)) return item;
  const style = item.itemStyle as { readonly color?: unknown };
  const decal = decalOf(style.color);
  return decal === undefined ? item : { ...item, itemStyle: { ...style, decal } };
}
