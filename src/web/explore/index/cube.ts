import { cellCount, type Axis } from '#shared/explore/axes.ts';

/** The cells of the active chart that are selected: a range without its end, a list, or all of them. */
export type SelectedCells = { readonly from: number; readonly to: number } | readonly number[] | undefined;

/** How many rows there are in each cell of a chart, for every selection in the active chart. */
export interface Cube {
  readonly width: number;
  /** Writes the rows of each cell of the chart into `counts`, in a time that doesn't depend on how many rows there are. */
  count(selected: SelectedCells, counts: Float64Array): void;
}

/**
 * Returns the index of a pair of charts, from the cells `active cell * width + cell of the chart`. Along the cells of a range it
 * has running totals, so that the rows of a range are the difference of two of them (as in Falcon, CHI 2019).
 */
export function createCube(
  active: Axis,
  width: number,
  { cells = [], counts = [] }: { readonly cells?: readonly number[]; readonly counts?: readonly number[] },
): Cube {
  const height = cellCount(active);
  // Row `n` has the totals of the cells before cell `n`.
  const totals = new Float64Array((height + 1) * width);
  for (const [index, cell] of cells.entries()) totals[cell + width] = counts[index] ?? 0;
  for (let index = width; index < totals.length; index += 1)
    totals[index] = (totals[index] ?? 0) + (totals[index - width] ?? 0);

  function add(from: number, to: number, into: Float64Array): void {
    for (let cell = 0; cell < width; cell += 1)
      into[cell] = (into[cell] ?? 0) + (totals[to * width + cell] ?? 0) - (totals[from * width + cell] ?? 0);
  }
  return {
    width,
    count(selected, into) {
      into.fill(0);
      if (selected === undefined) add(0, height, into);
      else if ('from' in selected) add(selected.from, selected.to, into);
      else for (const cell of selected) add(cell, cell + 1, into);
    },
  };
}
