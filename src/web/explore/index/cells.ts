import { cellAtEdge, selectedEdge, type Axis, type RangeAxis, type Selection } from '#shared/explore/axes.ts';
import type { SelectedCells } from './cube.ts';

/** Returns the cells of a selection; undefined if nothing is selected. */
export function selectedCells(axis: Axis, selection: Selection | undefined): SelectedCells {
  if (selection === undefined) return undefined;
  if (axis.kind === 'values') {
    if (selection.kind !== 'values') return undefined;
    return selection.values.flatMap((value) => {
      const cell = value === null ? axis.values.length + 1 : axis.values.indexOf(value);
      return cell === -1 ? [] : [cell];
    });
  }
  return selection.kind === 'values' ? undefined : rangeOf(axis, selection);
}

/** Returns the cells of a selected range. */
export function rangeOf(
  axis: RangeAxis,
  { from, to }: Exclude<Selection, { readonly kind: 'values' }>,
): { readonly from: number; readonly to: number } {
  const start = Math.min(cellAtEdge(axis, from), axis.count - 1);
  return { from: start, to: Math.max(cellAtEdge(axis, to), start + 1) };
}

/** Returns the selection of a range of cells. */
export function selectionOfCells(
  axis: RangeAxis,
  { from, to }: { readonly from: number; readonly to: number },
): Selection {
  const edges = { from: selectedEdge(axis, from), to: selectedEdge(axis, to) };
  // Sound because the edges of an axis of numbers are numbers, and those of times are texts.
  return { kind: axis.kind, column: axis.column, ...edges } as Selection;
}

/** Returns a selection with the edges of the axis that are nearest to it, or undefined if it doesn't fit the axis. */
export function fitted(axis: Axis, selection: Selection): Selection | undefined {
  if (axis.kind !== selection.kind) return undefined;
  if (axis.kind === 'values' || selection.kind === 'values') return selection;
  return selectionOfCells(axis, rangeOf(axis, selection));
}

/** Returns the bar of a cell; the extra cells follow the bars, too. */
export function barOf(axis: Axis, cell: number): number {
  if (axis.kind === 'values') return cell;
  return cell < axis.count ? Math.floor(cell / axis.perBin) : axis.count / axis.perBin + cell - axis.count;
}
