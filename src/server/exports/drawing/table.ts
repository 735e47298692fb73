import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { chartTheme, lightTheme as theme, resolveColor } from '#charts/drawing/palette.ts';
import { tableColumns, type TableColumn } from '#charts/table/columns.ts';
import { exactSum } from '#charts/values/exact-sum.ts';
import { toNumber } from '#charts/values/result-values.ts';
import { reachedThreshold } from '#charts/values/thresholds.ts';
import { orderRows } from '#charts/values/value-order.ts';
import { widthOf } from './fonts.ts';
import type { Box, Painter } from './painter.ts';
import { truncate, wrap } from './text.ts';
import { drawNotes } from './notes.ts';
import { noteLineHeight, textStyle } from './styles.ts';

const rowHeight = 30;
const cellPadding = 10;
const characterWidth = 8.7;
/** How much narrower than its values a column may be. */
const minShare = 0.6;
const headStyle = { size: 12, weight: 500, color: theme.dimmed } as const;
const footStyle = { ...textStyle, weight: 600 } as const;
const faultStyle = { size: 12, weight: 400, color: theme.text } as const;
const maxFaultLines = 4;
const thresholdRadius = 4;

interface PlacedColumn extends TableColumn {
  readonly x: number;
  readonly width: number;
}

/** Draws the rows of a result that fit: ResultTable.tsx. */
export function drawTable(
  painter: Painter,
  whole: Box,
  {
    visualization,
    result,
    faults,
  }: {
    readonly visualization: Visualization;
    readonly result: ReportResult;
    readonly faults: readonly string[];
  },
): void {
  const box = drawFaults(painter, whole, faults);
  const all = tableColumns(result, visualization);
  const columns = placeColumns(all, box);
  const rows = orderRows(result, visualization.kind === 'table' ? visualization.sort : undefined);
  const hasFoot = columns.some(({ hasTotal }) => hasTotal);
  const fixedRows = hasFoot ? 2 : 1;
  const fitting = (height: number): number => Math.max(0, Math.floor(height / rowHeight) - fixedRows);
  const isCut = rows.length > fitting(box.height) || columns.length < all.length || result.isCutOff;
  const inside = isCut
    ? drawNotes(painter, box, [
        cutNote(result, fitting(box.height - noteLineHeight - 4), all.length - columns.length),
      ])
    : box;
  const shown = rows.slice(0, fitting(inside.height));
  drawRule(painter, inside, rowHeight);
  for (const column of columns) drawCell(painter, inside, column, 0, column.label, headStyle);
  for (const [index, row] of shown.entries()) {
    drawRule(painter, inside, (index + 2) * rowHeight);
    for (const column of columns) {
      const value = row[column.index];
      const reached = reachedThreshold(column.thresholds, toNumber(value));
      const color = reached && resolveColor(reached.color, chartTheme(false));
      drawCell(painter, inside, column, index + 1, column.format(value), textStyle, color);
    }
  }
  if (!hasFoot) return;
  for (const [index, column] of columns.entries()) {
    const sum = column.hasTotal ? exactSum(rows.map((row) => row[column.index])) : undefined;
    const text = [index === 0 ? 'Total' : '', sum === undefined ? '' : column.format(sum)].join(' ').trim();
    drawCell(painter, inside, column, shown.length + 1, text, footStyle);
  }
}

function cutNote({ rowCount, isCutOff }: ReportResult, shownCount: number, hiddenColumns: number): string {
  const count = Math.min(shownCount, rowCount);
  const rows =
    count < rowCount || isCutOff
      ? [`${count.toLocaleString()} of ${isCutOff ? 'more than ' : ''}${rowCount.toLocaleString()} rows`]
      : [];
  const columns =
    hiddenColumns === 0
      ? []
      : [hiddenColumns === 1 ? '1 column left out' : `${hiddenColumns} columns left out`];
  return [...rows, ...columns].join(', ');
}

function drawFaults(painter: Painter, box: Box, faults: readonly string[]): Box {
  if (faults.length === 0) return box;
  const title = 'The result doesn’t fit this chart';
  const lines = wrap([title, ...faults].join('\n'), box.width, faultStyle, maxFaultLines);
  for (const [index, line] of lines.entries())
    painter.text(box.x, box.y + (index + 1) * noteLineHeight - 5, line, {
      ...faultStyle,
      weight: index === 0 ? 600 : 400,
    });
  const height = lines.length * noteLineHeight + 6;
  return { ...box, y: box.y + height, height: box.height - height };
}

/** Returns the columns that fit, at least one, with their places. They share the width by the lengths of their values. */
function placeColumns(columns: readonly TableColumn[], box: Box): PlacedColumn[] {
  const naturalWidth = ({ widthCh }: TableColumn): number => widthCh * characterWidth;
  let [count, total] = [0, 0];
  for (const column of columns) {
    const width = naturalWidth(column);
    if (count > 0 && (total + width) * minShare > box.width) break;
    total += width;
    count += 1;
  }
  let { x } = box;
  return columns.slice(0, count).map((column) => {
    const width = (naturalWidth(column) / total) * box.width;
    const placed = { ...column, x, width };
    x += width;
    return placed;
  });
}

function drawRule(painter: Painter, { x, y, width }: Box, below: number): void {
  const at = y + below - 0.5;
  painter.line({ x, y: at }, { x: x + width, y: at }, theme.line);
}

function drawCell(
  painter: Painter,
  box: Box,
  { x, width, isNumber }: PlacedColumn,
  rowIndex: number,
  text: string,
  style: Parameters<Painter['text']>[3],
  mark?: string,
): void {
  const room = width - 2 * cellPadding - (mark === undefined ? 0 : 2 * thresholdRadius + 6);
  const shown = truncate(text, room, style);
  const middle = box.y + rowIndex * rowHeight + rowHeight / 2;
  const start = isNumber
    ? x + width - cellPadding - widthOf(shown, style)
    : x + cellPadding + (width - 2 * cellPadding - room);
  painter.text(start, middle + style.size * 0.36, shown, style);
  if (mark !== undefined)
    painter.circle({ x: start - 6 - thresholdRadius, y: middle }, thresholdRadius, mark);
}
