import { endOf, gridColumns, type Layout } from '../grid/layout.ts';
import { gridGapPx, rowHeightPx } from '../grid/visible-layouts.ts';

/** Returns layouts on 12 columns for places on 24 with rows of `rowPixels`, in order. None overlaps another. */
export function placeAll(places: readonly Layout[], rowPixels: number): Layout[] {
  const scale = rowPixels / (rowHeightPx + gridGapPx);
  const top = places.reduce((least, { y }) => Math.min(least, y), Infinity);
  const free = Array.from({ length: gridColumns }, () => 0);
  const layouts = new Map<Layout, Layout>();
  for (const place of places.toSorted((one, other) => one.y - other.y || one.x - other.x)) {
    const x = clamp(Math.round(place.x / 2), 0, gridColumns - 1);
    const w = clamp(Math.round((place.x + place.w) / 2) - x, 1, gridColumns - x);
    const h = clamp(Math.round(place.h * scale), 2, 30);
    const wanted = clamp(Math.floor((place.y - top) * scale), 0, 10_000);
    const y = Math.max(wanted, ...free.slice(x, x + w));
    const layout = { x, y, w, h };
    free.fill(endOf(layout), x, x + w);
    layouts.set(place, layout);
  }
  return places.flatMap((place) => layouts.get(place) ?? []);
}

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number.isFinite(value) ? value : least));
