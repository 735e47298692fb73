import { t } from '#shared/language/messages.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import { chartTheme, colorAt, lightTheme as theme, resolveColor } from '#charts/drawing/palette.ts';
import { listedNumbers } from '#charts/table/bars.ts';
import { tableColumns, type TableColumn } from '#charts/table/columns.ts';
import { cellLink } from '#charts/table/links.ts';
import { exactSum } from '#charts/values/exact-sum.ts';
import { toNumber } from '#charts/values/result-values.ts';
import { reachedThreshold } from '#charts/values/thresholds.ts';
import { orderRows } from '#charts/values/value-order.ts';
import type { Box, Painter } from '../painter.ts';
import { noteLineHeight, textColor } from '../styles.ts';
import { wrap } from '../text.ts';
import { drawGrid, type GridCell } from './grid.ts';

const faultStyle = { size: 12, weight: 400, color: textColor } as const;
const maxFaultLines = 4;

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
  const columns = tableColumns(result, visualization);
  const rows = orderRows(result, visualization.kind === 'table' ? visualization.sort : undefined);
  const hasTotals = columns.some(({ hasTotal }) => hasTotal);
  drawGrid(painter, drawFaults(painter, whole, faults), {
    columns,
    rowCount: rows.length,
    cellOf: (index, column) => cellOf(column, rows[index] ?? []),
    footOf: hasTotals ? (column, index) => totalOf(column, index, rows) : undefined,
    isCutOff: result.isCutOff,
    noteOf: (shownRows, hiddenColumns) => cutNote(result, shownRows, hiddenColumns),
  });
}

function cellOf(column: TableColumn, row: readonly unknown[]): GridCell {
  const colors = chartTheme(false);
  const value = row[column.index];
  const number = toNumber(value);
  const reached = reachedThreshold(column.thresholds, number);
  const own = column.colorsOf?.(value, colors);
  const values = column.display === 'sparkline' ? listedNumbers(value) : undefined;
  const bar = column.barOf?.(value);
  return {
    text: column.format(value),
    ...(own !== undefined && { background: own.background, color: own.text }),
    mark: reached && resolveColor(reached.color, colors),
    sparkline: values && { values, color: colorAt(colors, 0) },
    bar: bar && { ...bar, color: colorAt(colors, (number ?? 0) < 0 ? 3 : 0) },
    href: column.display === 'link' ? cellLink(row[column.linkIndex])?.href : undefined,
  };
}

function totalOf(column: TableColumn, index: number, rows: readonly (readonly unknown[])[]): GridCell {
  const sum = column.hasTotal ? exactSum(rows.map((row) => row[column.index])) : undefined;
  const label = index === 0 ? t('Total') : '';
  if (sum === undefined) return { text: label, isBold: false, color: theme.dimmed };
  return { text: [label, column.format(sum)].join(' ').trim() };
}

function cutNote({ rowCount, isCutOff }: ReportResult, shownCount: number, hiddenColumns: number): string {
  const count = Math.min(shownCount, rowCount);
  const rows = isCutOff
    ? [t('{count} of more than {rowCount, plural, one {# row} other {# rows}}', { count, rowCount })]
    : count < rowCount
      ? [t('{count} of {rowCount, plural, one {# row} other {# rows}}', { count, rowCount })]
      : [];
  return [...rows, ...hiddenColumnsNote(hiddenColumns)].join(', ');
}

/** Returns a note about columns that don't fit; none if all do. */
export const hiddenColumnsNote = (count: number): string[] =>
  count === 0 ? [] : [t('{count, plural, one {# column left out} other {# columns left out}}', { count })];

function drawFaults(painter: Painter, box: Box, faults: readonly string[]): Box {
  if (faults.length === 0) return box;
  const title = t('The result doesn’t fit this chart');
  const lines = wrap([title, ...faults].join('\n'), box.width, faultStyle, maxFaultLines);
  for (const [index, line] of lines.entries())
    painter.text(box.x, box.y + (index + 1) * noteLineHeight - 5, line, {
      ...faultStyle,
      weight: index === 0 ? 600 : 400,
    });
  const height = lines.length * noteLineHeight + 6;
  return { ...box, y: box.y + height, height: box.height - height };
}
