import { t } from '#shared/language/messages.ts';
import type { Pivot, PivotLine } from '#charts/pivot/pivot.ts';
import { headText, pivotWidths } from '#charts/pivot/heads.ts';
import { drawNotes } from '../notes.ts';
import type { Box, Painter } from '../painter.ts';
import { drawGrid, type GridCell } from './grid.ts';
import { hiddenColumnsNote } from './table.ts';

/** The background of totals on the page. */
const totalBackground = '#f8f9fa';

/** Draws the lines of a pivot table that fit, and its totals: PivotTable.tsx. */
export function drawPivot(painter: Painter, whole: Box, pivot: Pivot): void {
  const { heads, lines, total, textOf } = pivot;
  const box = drawNotes(painter, whole, pivot.notes);
  const widths = pivotWidths(pivot);
  const columns = [
    ...heads.map((label, depth) => ({ label, isNumber: false, depth, column: undefined })),
    ...pivot.columns.map((column) => ({ label: column.label, isNumber: true, depth: 0, column })),
  ].map((column, index) => ({ ...column, widthCh: widths[index] ?? 0 }));
  type Column = (typeof columns)[number];
  const cellOf = (line: PivotLine, { column, depth }: Column, before: PivotLine | undefined): GridCell => {
    const isTotal = line.isTotal || column?.isTotal === true;
    const head = column === undefined ? headText(line, depth, before) : undefined;
    return {
      text:
        column === undefined ? (head?.isRepeated === true ? '' : (head?.text ?? '')) : textOf(line, column),
      ...(isTotal && { background: totalBackground, isBold: true }),
    };
  };
  drawGrid(painter, box, {
    columns,
    rowCount: lines.length,
    cellOf(index, column) {
      const line = lines[index];
      return line === undefined ? { text: '' } : cellOf(line, column, lines[index - 1]);
    },
    footOf:
      total === undefined
        ? undefined
        : (column, index) =>
            column.column === undefined
              ? { text: index === 0 ? t('Total') : '' }
              : cellOf(total, column, undefined),
    isCutOff: false,
    noteOf: (shownRows, hiddenColumns) =>
      [
        ...(shownRows < lines.length
          ? [`${shownRows.toLocaleString()} of ${lines.length.toLocaleString()} rows`]
          : []),
        ...hiddenColumnsNote(hiddenColumns),
      ].join(', '),
  });
}
