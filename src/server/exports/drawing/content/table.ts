import type { Block, Inline } from '#charts/content/markdown.ts';
import { lightTheme as theme } from '#charts/drawing/palette.ts';
import { draw, drawLine, isFull, linesLeft, take, type Flow } from './flow.ts';
import { linesOf, widthOfRuns } from './lines.ts';
import type { Run } from './runs.ts';

type Table = Extract<Block, { kind: 'table' }>;

const size = 14;
const lineHeight = size * 1.55;
const padding = { x: 10, y: 4 };
/** Borders are one pixel. Those of neighbors are at the same place. */
const border = 1;
/** Columns that can't be as wide as this are left out. */
const minWidth = 2 * padding.x + 12;

/** Adds a table. Its columns are as wide as their texts, or share the width if there isn't enough. */
export function addTable(
  flow: Flow,
  { rows, alignments }: Table,
  x: number,
  width: number,
  runsOfCell: (cell: readonly Inline[], weight: 400 | 700) => readonly Run[],
): void {
  const columns = Math.max(1, Math.min(alignments.length, Math.floor(width / minWidth)));
  const shown = rows
    .slice(0, linesLeft(flow, lineHeight))
    .map((row, index) => row.slice(0, columns).map((cell) => runsOfCell(cell, index === 0 ? 700 : 400)));
  const widths = columnWidths(shown, columns, width);
  for (const row of shown) {
    if (isFull(flow)) return;
    const cells = row.map((runs, index) => {
      const room = Math.max(1, (widths[index] ?? 1) - 2 * padding.x - border);
      return { room, lines: linesOf(runs, room, linesLeft(flow, lineHeight)) };
    });
    const lineCount = cells.reduce((most, { lines }) => Math.max(most, lines.length), 1);
    const height = lineCount * lineHeight + 2 * padding.y + border;
    const top = take(flow, height);
    let left = x;
    for (const [index, { lines, room }] of cells.entries()) {
      const columnWidth = widths[index] ?? 0;
      const box = { x: left + 0.5, y: top + 0.5, width: columnWidth, height };
      draw(flow, top, (painter) => painter.rectangle(box, { stroke: theme.line }));
      // As in browsers, a cell with fewer lines than others of its row is in the middle.
      const start = top + border + padding.y + ((lineCount - lines.length) * lineHeight) / 2;
      for (const [number, line] of lines.entries()) {
        const spare = room - line.width;
        const alignment = alignments[index];
        const offset = alignment === 'right' ? spare : alignment === 'center' ? spare / 2 : 0;
        drawLine(
          flow,
          left + border + padding.x + offset,
          start + number * lineHeight,
          line,
          lineHeight,
          size,
        );
      }
      left += columnWidth;
    }
  }
  take(flow, border);
}

/** Returns the widths of columns: those of their longest lines, or as much of the given width as these differ. */
function columnWidths(
  rows: readonly (readonly (readonly Run[])[])[],
  columns: number,
  width: number,
): number[] {
  const natural = Array.from({ length: columns }, (_, index) => {
    const line = rows.reduce((widest, row) => Math.max(widest, widthOfRuns(row[index] ?? [])), 0);
    return { least: minWidth, most: Math.max(line + 2 * padding.x + border + 0.5, minWidth) };
  });
  const most = natural.reduce((sum, each) => sum + each.most, 0);
  if (most <= width - border) return natural.map((each) => each.most);
  const least = natural.reduce((sum, each) => sum + each.least, 0);
  const share = Math.max(0, width - border - least) / Math.max(1, most - least);
  return natural.map((each) => each.least + (each.most - each.least) * share);
}
