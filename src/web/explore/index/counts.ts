import type { ColumnProfile } from '#contract/explore.ts';
import { binsOf, cellCount, type Axis, type Selection } from '#shared/explore/axes.ts';
import { barOf, selectedCells } from './cells.ts';
import type { Cubes } from './cubes.ts';

/** Everything that decides what the charts show. */
export interface Shown {
  readonly profiles: ReadonlyMap<string, ColumnProfile>;
  readonly rowCount: number | undefined;
  readonly selections: readonly Selection[];
  /** The column of the chart whose indexes are used. */
  readonly leading: string | undefined;
}

/** Computes what the charts show, in a time that depends only on how many bars they have. */
export interface Counts {
  /** Returns the rows of each bar that are selected in the other charts; undefined until they are known. */
  of(shown: Shown, column: string): Float64Array | undefined;
  /** Returns how many rows are selected in all charts. */
  total(shown: Shown): number | undefined;
}

export function createCounts(cubes: Pick<Cubes, 'find'>): Counts {
  // Reused in each frame.
  const buffers = new Map<string, Float64Array>();
  const one = new Float64Array(1);

  function bufferOf(axis: Axis): Float64Array {
    const size = cellCount(binsOf(axis));
    const known = buffers.get(axis.column);
    if (known?.length === size) return known;
    const buffer = new Float64Array(size);
    buffers.set(axis.column, buffer);
    return buffer;
  }

  /** The active chart's own rows, which are counted by its cells. */
  function ownCounts(axis: Axis, selections: readonly Selection[]): Float64Array | undefined {
    const cube = cubes.find(axis, undefined, selections);
    if (cube === undefined) return undefined;
    const buffer = bufferOf(axis).fill(0);
    for (let cell = 0; cell < cellCount(axis); cell += 1) {
      cube.count({ from: cell, to: cell + 1 }, one);
      addTo(buffer, barOf(axis, cell), one[0] ?? 0);
    }
    return buffer;
  }

  return {
    of({ profiles, selections, leading }, column) {
      const profile = profiles.get(column);
      if (profile?.axis === undefined) return undefined;
      const { axis } = profile;
      if (selections.every((selection) => selection.column === column))
        return profileCounts(axis, profile, bufferOf(axis));
      const active = leading === undefined ? undefined : profiles.get(leading)?.axis;
      if (active === undefined) return undefined;
      if (active === axis) return ownCounts(axis, selections);
      const cube = cubes.find(active, axis, selections);
      if (cube === undefined) return undefined;
      const buffer = bufferOf(axis);
      cube.count(selectedCells(active, selectionIn(selections, active.column)), buffer);
      return buffer;
    },
    total({ profiles, rowCount, selections, leading }) {
      if (selections.length === 0) return rowCount;
      const active = leading === undefined ? undefined : profiles.get(leading)?.axis;
      const cube = active && cubes.find(active, undefined, selections);
      if (active === undefined || cube === undefined) return undefined;
      cube.count(selectedCells(active, selectionIn(selections, active.column)), one);
      return one[0];
    },
  };
}

export const selectionIn = (selections: readonly Selection[], column: string): Selection | undefined =>
  selections.find((selection) => selection.column === column);

function profileCounts(axis: Axis, profile: ColumnProfile, buffer: Float64Array): Float64Array {
  const { cells = [], counts = [], nullCount = 0 } = profile;
  buffer.fill(0);
  for (const [index, cell] of cells.entries()) addTo(buffer, barOf(axis, cell), counts[index] ?? 0);
  addTo(buffer, buffer.length - 1, nullCount);
  return buffer;
}

const addTo = (counts: Float64Array, index: number, count: number): void => {
  counts[index] = (counts[index] ?? 0) + count;
};
