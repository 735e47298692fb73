import { paletteSize } from './palette.ts';

/** The indexes in the palette of values that charts distinguish by color. A value has the same one in all charts that share this. */
export interface ValueColors {
  /** Returns the index of each of the values that a chart shows together. Their order doesn't matter. */
  readonly indexesOf: (values: readonly string[]) => ReadonlyMap<string, number>;
  /** Changes when known values get other colors, because a chart with new values was added. */
  readonly version: () => number;
  /** Calls `listener` after such a change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * Returns the colors of a group of charts. They depend only on the values of all its charts, not on which chart was first: a
 * value prefers a color that depends only on its text, and gets the next free one if another value has that one. If there are
 * more values than colors, those of different charts share them. Values that are filtered out keep their colors.
 */
export function createValueColors(): ValueColors {
  /** The values that were shown together, by their text. */
  const together = new Map<string, readonly string[]>();
  let indexes: ReadonlyMap<string, number> = new Map();
  let version = 0;
  const listeners = new Set<() => void>();

  function recompute(): void {
    const before = indexes;
    indexes = assign([...together.values()]);
    if ([...before].every(([value, index]) => indexes.get(value) === index)) return;
    version += 1;
    // Later, because charts ask for colors while they are rendered.
    queueMicrotask(() => {
      for (const listener of listeners) listener();
    });
  }

  return {
    indexesOf(values) {
      const shown = [...new Set(values)].toSorted();
      const key = JSON.stringify(shown);
      if (!together.has(key)) {
        together.set(key, shown);
        recompute();
      }
      return new Map(shown.map((value) => [value, indexes.get(value) ?? 0]));
    },
    version: () => version,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the index of each value; values of one chart have different ones as long as there are enough. */
function assign(charts: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  const usedInAll = new Set<number>();
  /** The indexes that are used in each chart of a value. */
  const usedBeside = new Map<string, Set<number>[]>();
  for (const values of charts) {
    const used = new Set<number>();
    for (const value of values) usedBeside.set(value, [...(usedBeside.get(value) ?? []), used]);
  }
  const take = (value: string, index: number): void => {
    indexes.set(value, index);
    usedInAll.add(index);
    for (const used of usedBeside.get(value) ?? []) used.add(index);
  };
  const values = [...usedBeside.keys()].toSorted();
  const displaced = values.filter((value) => {
    const preferred = preferredIndexOf(value);
    if (usedInAll.has(preferred)) return true;
    take(value, preferred);
    return false;
  });
  for (const value of displaced) {
    const candidates = indexesFrom(preferredIndexOf(value));
    const beside = usedBeside.get(value) ?? [];
    const free =
      candidates.find((index) => !usedInAll.has(index)) ??
      candidates.find((index) => beside.every((used) => !used.has(index)));
    take(value, free ?? preferredIndexOf(value));
  }
  return indexes;
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
