import { lightTheme as theme } from '#charts/drawing/palette.ts';
import type { CellBar } from '#charts/table/bars.ts';
import { sparklinePath } from '#charts/values/sparkline.ts';
import { widthOf } from '../fonts.ts';
import { drawNotes } from '../notes.ts';
import type { Box, Painter, TextStyle } from '../painter.ts';
import { noteLineHeight, textStyle } from '../styles.ts';
import { truncate } from '../text.ts';

/** What a cell shows: VirtualTable.module.css and ResultTable.module.css. */
export interface GridCell {
  readonly text: string;
  readonly color?: string;
  readonly isBold?: boolean;
  readonly background?: string;
  /** The color of the dot before the text. */
  readonly mark?: string | undefined;
  readonly bar?: (CellBar & { readonly color: string }) | undefined;
  /** A small line in place of the text. */
  readonly sparkline?:
    | { readonly values: readonly (number | undefined)[]; readonly color: string }
    | undefined;
  /** Where it leads: an address that `safeHref` returned. */
  readonly href?: string | undefined;
}

export interface GridColumn {
  readonly label: string;
  readonly isNumber: boolean;
  /** The width that suits its values, in characters. */
  readonly widthCh: number;
}

export interface Grid<Column extends GridColumn> {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly cellOf: (row: number, column: Column, columnIndex: number) => GridCell;
  /** The cells of the last row, which is always shown; undefined if there is none. */
  readonly footOf: ((column: Column, columnIndex: number) => GridCell) | undefined;
  /** Whether there are rows that aren't in it. */
  readonly isCutOff: boolean;
  /** Says how many of the rows are shown, and how many columns aren't. */
  readonly noteOf: (shownRows: number, hiddenColumns: number) => string;
}

const headHeight = 31;
const rowHeight = 30;
/** Where a row begins, below the top of the table; the head is row 0. */
const topOf = (row: number): number => (row === 0 ? 0 : headHeight + (row - 1) * rowHeight);
const heightOf = (row: number): number => (row === 0 ? headHeight : rowHeight);
const cellPadding = 10;
const characterWidth = 8.7;
/** How much narrower than its values a column may be. */
const minShare = 0.6;
const headStyle = { size: 12, weight: 500, color: theme.dimmed } as const;
const thresholdRadius = 4;
const bar = { below: 7, height: 4 };
const sparkline = { height: 18, width: 1.5 };

type Placed<Column> = {
  readonly column: Column;
  readonly index: number;
  readonly x: number;
  readonly width: number;
};

/** Draws the rows and columns that fit. A note says what doesn't. */
export function drawGrid<Column extends GridColumn>(painter: Painter, box: Box, grid: Grid<Column>): void {
  const { columns: all, rowCount, cellOf, footOf, isCutOff, noteOf } = grid;
  const columns = placeColumns(all, box);
  const footCount = footOf === undefined ? 0 : 1;
  const fitting = (height: number): number =>
    Math.max(0, Math.floor((height - headHeight) / rowHeight) - footCount);
  const hidden = all.length - columns.length;
  const isCut = rowCount > fitting(box.height) || hidden > 0 || isCutOff;
  const inside = isCut
    ? drawNotes(painter, box, [noteOf(Math.min(fitting(box.height - noteLineHeight - 4), rowCount), hidden)])
    : box;
  const shownCount = Math.min(rowCount, fitting(inside.height));
  drawRule(painter, inside, topOf(1));
  for (const placed of columns)
    drawText(painter, inside, placed, 0, { text: placed.column.label }, headStyle);
  for (let row = 0; row < shownCount; row += 1) {
    for (const placed of columns)
      drawCell(painter, inside, placed, row + 1, cellOf(row, placed.column, placed.index));
    drawRule(painter, inside, topOf(row + 2));
  }
  if (footOf === undefined) return;
  drawRule(painter, inside, topOf(shownCount + 1) + 1);
  for (const placed of columns)
    drawCell(painter, inside, placed, shownCount + 1, {
      isBold: true,
      ...footOf(placed.column, placed.index),
    });
}

/** Returns the columns that fit, at least one, with their places. They share the width by the lengths of their values. */
function placeColumns<Column extends GridColumn>(columns: readonly Column[], box: Box): Placed<Column>[] {
  const naturalWidth = ({ widthCh }: GridColumn): number => widthCh * characterWidth;
  let [count, total] = [0, 0];
  for (const column of columns) {
    const width = naturalWidth(column);
    if (count > 0 && (total + width) * minShare > box.width) break;
    total += width;
    count += 1;
  }
  let { x } = box;
  return columns.slice(0, count).map((column, index) => {
    const width = (naturalWidth(column) / total) * box.width;
    const placed = { column, index, x, width };
    x += width;
    return placed;
  });
}

function drawRule(painter: Painter, { x, y, width }: Box, below: number): void {
  const at = y + below - 0.5;
  painter.line({ x, y: at }, { x: x + width, y: at }, theme.line);
}

function drawCell(painter: Painter, box: Box, placed: Placed<GridColumn>, row: number, cell: GridCell): void {
  const top = box.y + topOf(row);
  const { x, width } = placed;
  if (cell.background !== undefined)
    painter.rectangle({ x, y: top, width, height: rowHeight - 1 }, { fill: cell.background });
  const room = width - 2 * cellPadding;
  if (room <= 0) return;
  if (cell.sparkline !== undefined) {
    const { values, color } = cell.sparkline;
    const path = sparklinePath(values, { width: room - 4, height: sparkline.height });
    const at = { x: x + cellPadding + 2, y: top + (rowHeight - sparkline.height) / 2 };
    painter.path(at, path, color, sparkline.width);
    return;
  }
  if (cell.bar !== undefined) {
    const { start, width: share, color } = cell.bar;
    const y = top + rowHeight - bar.below;
    painter.rectangle(
      { x: x + cellPadding + start * room, y, width: Math.max(share * room, 1), height: bar.height },
      { fill: color, radius: 1 },
    );
  }
  const style = {
    ...textStyle,
    ...(cell.isBold === true && { weight: 600 as const }),
    ...(cell.color !== undefined && { color: cell.color }),
  };
  drawText(painter, box, placed, row, cell, style);
}

function drawText(
  painter: Painter,
  box: Box,
  { x, width, column: { isNumber } }: Placed<GridColumn>,
  row: number,
  { text, mark, bar: cellBar, href }: GridCell,
  style: TextStyle,
): void {
  const inner = width - 2 * cellPadding;
  const room = inner - (mark === undefined ? 0 : 2 * thresholdRadius + 6);
  const shown = truncate(text, room, style);
  const textWidth = widthOf(shown, style);
  // A bar is below its number.
  const middle = box.y + topOf(row) + heightOf(row) / 2 - (cellBar === undefined ? 0 : 2.5);
  const start = isNumber ? x + width - cellPadding - textWidth : x + cellPadding + (inner - room);
  const baseline = middle + style.size * 0.36;
  painter.text(start, baseline, shown, style);
  if (href !== undefined && shown !== '') {
    const end = start + textWidth;
    painter.line({ x: start, y: baseline + 2 }, { x: end, y: baseline + 2 }, style.color);
    painter.link({ x: start, y: box.y + topOf(row), width: textWidth, height: rowHeight }, href);
  }
  if (mark !== undefined)
    painter.circle({ x: start - 6 - thresholdRadius, y: middle }, thresholdRadius, mark);
}
