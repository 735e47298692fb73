import type { VisualMapComponentOption } from 'echarts';
import { mixColors } from '#shared/branding/contrast.ts';
import { t } from '#shared/language/messages.ts';
import type { Chart } from '../drawing/chart.ts';
import { frameOption } from '../drawing/frame-option.ts';
import { colorAt, type ChartTheme } from '../drawing/palette.ts';
import type { OfKind } from '../kind.ts';
import { markOfRow } from '../marks/mark.ts';
import { exactSum } from '../values/exact-sum.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import { extentOf, toNumber, type ResultColumn, type ResultRows } from '../values/result-values.ts';
import { baseMap, emptyColor } from './base-map.ts';
import { around, geometryOfMap, type Geometry } from './geometry.ts';
import { regionsOf } from './regions.ts';

/** A region of the map with its values. */
interface Area {
  readonly code: string;
  readonly name: string;
  /** Undefined if it has none. */
  readonly value: number | undefined;
  readonly text: string;
  readonly rows: ResultRows['rows'];
}

const maxNamed = 5;

/** Returns a map whose regions are colored by the sum of their values. Regions that are too small are dots. */
export function regionMap(
  { map = 'world', format }: OfKind<'map'>,
  { region, value }: { readonly region: ResultColumn; readonly value: ResultColumn },
  result: ResultRows,
  theme: ChartTheme,
): Chart {
  const geometry = geometryOfMap(map);
  const write = createFormatter(value, format);
  const { areas, unknown, unknownRows } = areasOf(result, region, value, geometry, map, write);
  const [large, small] = [
    areas.filter(({ code }) => geometry.names.has(code)),
    areas.filter(({ code, value: sum }) => !geometry.names.has(code) && sum !== undefined),
  ];
  const extent = extentOf(areas.map(({ value: sum }) => sum));
  const shown = areas.filter(({ value: sum }) => sum !== undefined);
  const corners = shown.flatMap(({ code }) => {
    const bounds = geometry.bounds.get(code);
    const dot = geometry.dots.get(code);
    return bounds === undefined ? (dot === undefined ? [] : [dot]) : [bounds.from, bounds.to];
  });
  const areaAt = (seriesIndex: number, dataIndex: number) => (seriesIndex === 0 ? large : small)[dataIndex];
  return {
    tooltip: {
      trigger: 'item',
      contentOf: ([part]) => {
        const area = part && areaAt(part.seriesIndex, part.dataIndex);
        return area && { title: area.name, lines: [{ label: value.name, value: area.text }] };
      },
    },
    option: {
      ...frameOption(theme),
      ...baseMap(map, map === 'world' ? around(corners) : undefined, theme, { hasColorScale: true }),
      ...colorScale(extent, write, theme),
      series: [
        {
          type: 'map',
          geoIndex: 0,
          map: `atrium-${map}`,
          animation: false,
          data: large.map(({ code, value: sum }) => ({ name: code, value: sum ?? '-' })),
        },
        {
          type: 'scatter',
          coordinateSystem: 'geo',
          animation: false,
          symbolSize: 8,
          itemStyle: { borderColor: theme.surface, borderWidth: 0.6 },
          data: small.map(({ code, value: sum }) => [...(geometry.dots.get(code) ?? [0, 0]), sum ?? 0]),
        },
      ],
    },
    canZoom: true,
    ...(large.some(({ value: sum }) => sum === undefined) && {
      legend: { items: [{ name: t('No value'), color: emptyColor(theme) }], isStatic: true },
    }),
    markAt: (seriesIndex, dataIndex) => {
      const area = areaAt(seriesIndex, dataIndex);
      const [row] = area?.rows ?? [];
      if (area === undefined || row === undefined) return undefined;
      const mark = { ...markOfRow([region], [value], row), key: area.code };
      if (area.rows.length === 1) return mark;
      return { ...mark, rows: area.rows, name: `${area.name} · ${area.text}` };
    },
    notes: notesOf(unknown, unknownRows, result.rows.length),
  };
}

/** Returns all regions of a map with their rows, and the values that name none of them. */
function areasOf(
  { rows }: ResultRows,
  region: ResultColumn,
  measure: ResultColumn,
  { names, dots }: Geometry,
  map: NonNullable<OfKind<'map'>['map']>,
  write: Formatter,
): { readonly areas: readonly Area[]; readonly unknown: readonly string[]; readonly unknownRows: number } {
  const { find, nameOf } = regionsOf(map);
  const codes = new Map<unknown, string | undefined>();
  const codeOf = (value: unknown) => {
    if (!codes.has(value)) codes.set(value, find(value));
    return codes.get(value);
  };
  const byCode = Map.groupBy(rows, (row) => codeOf(row[region.index]));
  const areas = [...names.keys(), ...dots.keys()].map((code): Area => {
    const ofCode = byCode.get(code) ?? [];
    const sum = exactSum(ofCode.map((row) => row[measure.index]));
    return { code, name: nameOf(code), value: toNumber(sum), text: write(sum), rows: ofCode };
  });
  const unknownRows = byCode.get(undefined) ?? [];
  const writeRegion = createFormatter(region);
  const unknown = [...new Set(unknownRows.map((row) => writeRegion(row[region.index])))];
  return { areas, unknown, unknownRows: unknownRows.length };
}

function notesOf(unknown: readonly string[], omitted: number, count: number): readonly string[] {
  if (omitted === 0) return [];
  const named = unknown.slice(0, maxNamed).map((name) => `“${name}”`);
  const names =
    unknown.length > maxNamed
      ? t('{names} and {count} more', { names: named.join(', '), count: unknown.length - maxNamed })
      : named.join(', ');
  return [
    t(
      '{omitted} of {count, plural, one {# row} other {# rows}} not shown: the map has no region called {names}.',
      {
        omitted,
        count,
        names,
      },
    ),
  ];
}

/** Returns a scale from light to dark; if there are values on both sides of zero, one color for each side. */
function colorScale(
  extent: { readonly min: number; readonly max: number } | undefined,
  write: Formatter,
  theme: ChartTheme,
): { readonly visualMap?: VisualMapComponentOption } {
  if (extent === undefined) return {};
  const mix = (color: string, share: number) => mixColors(color, theme.surface, share);
  const isDiverging = extent.min < 0 && extent.max > 0;
  const limit = Math.max(Math.abs(extent.min), Math.abs(extent.max));
  const [min, max] = isDiverging ? [-limit, limit] : [extent.min, extent.max];
  const [low, high] = [colorAt(theme, 1), colorAt(theme, 0)];
  const color = isDiverging
    ? [low, mix(low, 0.5), mix(theme.dimmed, 0.8), mix(high, 0.5), high]
    : [0.8, 0.45, 0].map((share) => mix(high, share));
  return {
    visualMap: {
      type: 'continuous',
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: 10,
      itemHeight: 110,
      // The map can be below it.
      backgroundColor: theme.surface,
      padding: 6,
      textStyle: { color: theme.dimmed },
      seriesIndex: [0, 1],
      min,
      max,
      text: [write(max), write(min)],
      inRange: { color },
      outOfRange: { color: emptyColor(theme) },
    },
  };
}
