import { createContext } from 'react';
import { paletteSize } from './palette.ts';

/** The indexes in the palette of values that charts distinguish by color. A value has the same one in all charts that share this. */
export interface ValueColors {
  /** Returns the index of each of the values that a chart shows together. Their order doesn't matter. */
  readonly indexesOf: (values: readonly string[]) => ReadonlyMap<string, number>;
}

/**
 * Returns the colors of a group of charts. A value prefers a color that depends only on its text, and gets the next free one if
 * the preferred one is taken. Once it has a color, it keeps it, whatever else is filtered out or loaded.
 */
export function createValueColors(): ValueColors {
  const known = new Map<string, number>();
  return {
    indexesOf(values) {
      const shown = new Set(values);
      const fresh = [...shown].filter((value) => !known.has(value)).toSorted();
      const inChart = new Set([...shown].flatMap((value) => known.get(value) ?? []));
      const inAll = new Set(known.values());
      const take = (value: string, index: number) => {
        known.set(value, index);
        inChart.add(index);
        inAll.add(index);
      };
      const displaced: string[] = [];
      for (const value of fresh) {
        const preferred = preferredIndexOf(value);
        if (inAll.has(preferred)) displaced.push(value);
        else take(value, preferred);
      }
      for (const value of displaced) {
        const candidates = indexesFrom(preferredIndexOf(value));
        const [first = 0] = candidates;
        take(
          value,
          candidates.find((index) => !inAll.has(index)) ??
            candidates.find((index) => !inChart.has(index)) ??
            first,
        );
      }
      return new Map([...shown].map((value) => [value, known.get(value) ?? 0]));
    },
  };
}

/** The colors that the charts around share; undefined if each has its own. */
export const SharedValueColors = createContext<ValueColors | undefined>(undefined);

const byDashboard = new Map<string, ValueColors>();

/** Returns the colors of the widgets of a dashboard, which are the same for viewing and editing it. */
export function valueColorsOf(dashboardId: string): ValueColors {
  const colors = byDashboard.get(dashboardId) ?? createValueColors();
  byDashboard.set(dashboardId, colors);
  return colors;
}

/** Returns all indexes of the palette, starting with this one. */
const indexesFrom = (start: number): number[] =>
  Array.from({ length: paletteSize }, (_, step) => (start + step) % paletteSize);

/** FNV-1a, a hash that spreads short texts well. */
function preferredIndexOf(value: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < value.length; at += 1) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % paletteSize;
}
