import { t } from '#shared/language/messages.ts';
import type { Cell, Row } from 'write-excel-file/node';
import { headText, pivotWidths } from '#charts/pivot/heads.ts';
import type { Pivot, PivotLine } from '#charts/pivot/pivot.ts';
import { TooLarge } from '../job.ts';
import { boldCell, cellWriter, textCell } from './cells.ts';

/** Each cell of a workbook takes memory until it is written. */
const maxCells = 2_000_000;

/** Returns a sheet with a pivot table: its columns, its lines with subtotals, and its totals. Values are numbers. */
export function sheetOfPivot(pivot: Pivot): {
  readonly data: Row[];
  readonly columns: { width: number }[];
  readonly stickyRowsCount: number;
} {
  const { heads, columns, lines, total, valueOf } = pivot;
  if (lines.length * (heads.length + columns.length) > maxCells)
    throw new TooLarge('A pivot table has too many cells. Choose filters that select less.');
  const writeNumber = cellWriter('decimal', 'UTC');
  const rowOf = (line: PivotLine, texts: readonly string[]): Row => [
    ...texts.map((text): Cell => (line.isTotal && text !== '' ? boldCell(text) : textCell(text))),
    ...columns.map((column): Cell => {
      const cell = writeNumber(valueOf(line, column));
      const isBold = line.isTotal || column.isTotal;
      const hasValue = cell !== null && typeof cell === 'object' && 'value' in cell;
      return isBold && hasValue ? { ...cell, fontWeight: 'bold' } : cell;
    }),
  ];
  return {
    data: [
      [...heads.map(boldCell), ...columns.map(({ label }): Cell => ({ ...boldCell(label), align: 'right' }))],
      // Programs that sort or filter a sheet need the value of every line.
      ...lines.map((line) =>
        rowOf(
          line,
          heads.map((_, depth) => headText(line, depth, undefined).text),
        ),
      ),
      ...(total === undefined
        ? []
        : [
            rowOf(
              total,
              heads.map((_, depth) => (depth === 0 ? t('Total') : '')),
            ),
          ]),
    ],
    columns: pivotWidths(pivot).map((width) => ({ width })),
    stickyRowsCount: 1,
  };
}
