import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric } from '#shared/columns.ts';
import type { OfKind } from '../kind.ts';
import { cellBars } from './bars.ts';
import { cellColors } from './cell-colors.ts';
import type { Threshold } from '../drawing/chart.ts';
import { createAlignedFormatter } from '../values/aligned-format.ts';
import { exactSum } from '../values/exact-sum.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import type { Formatter } from '../values/formats.ts';
import { findColumn, type ResultColumn, type ResultRows } from '../values/result-values.ts';

type ColumnSettings = NonNullable<OfKind<'table'>['columns']>[number];

/** A column of a table, with its format, and a width that suits most of its values. */
export interface TableColumn extends ResultColumn {
  readonly label: string;
  readonly format: Formatter;
  readonly isNumber: boolean;
  /** Whether the last row shows the sum of its values. */
  readonly hasTotal: boolean;
  readonly thresholds: readonly Threshold[] | undefined;
  /** Returns the colors of a cell; undefined if all cells look as usual. */
  readonly colorsOf: ReturnType<typeof cellColors>;
  readonly display: NonNullable<ColumnSettings['display']>;
  /** Returns the bar of a cell; undefined if its column has none. */
  readonly barOf: ReturnType<typeof cellBars> | undefined;
  /** The index of the column with the addresses of links. */
  readonly linkIndex: number;
  readonly widthCh: number;
}

/** The rows that determine the width of a column and its digits after the decimal mark. They are measured once, so that they don't change while you scroll. */
const measuredRows = 200;
const minWidthCh = 8;
const maxWidthCh = 42;
/** A list of numbers as text is longer than its line. */
const sparklineCh = 18;

/** Returns the columns that a table shows: the configured columns that exist in the result, or all. */
export function tableColumns(result: ResultRows, visualization: Visualization | undefined): TableColumn[] {
  const { columns: configured, hasTotals = false } = visualization?.kind === 'table' ? visualization : {};
  const shown =
    configured?.flatMap(({ field, ...rest }) => {
      const column = findColumn(result, field);
      return column === undefined ? [] : [{ column, ...rest }];
    }) ?? [];
  const columns =
    shown.length > 0 ? shown : result.columns.map((column, index) => ({ column: { ...column, index } }));
  return columns.map(({ column, ...settings }) => {
    const {
      label,
      format,
      thresholds,
      display = 'text',
      linkField,
      ...colors
    } = settings as Partial<ColumnSettings>;
    const sample = result.rows.slice(0, measuredRows).map((row) => row[column.index]);
    const write = createAlignedFormatter(column, format, sample);
    const hasTotal = hasTotals && isNumeric(column.type) && isSummable(format);
    const measured = hasTotal ? [...sample, exactSum(result.rows.map((row) => row[column.index]))] : sample;
    const longest = measured.reduce<number>(
      (longest, value) => Math.max(longest, write(value).length),
      (label ?? column.name).length + 2,
    );
    return {
      ...column,
      label: label ?? column.name,
      format: write,
      isNumber: isNumeric(column.type),
      hasTotal,
      thresholds,
      colorsOf: cellColors(colors, column, result.rows),
      display,
      barOf: display === 'bar' ? cellBars(column, result.rows) : undefined,
      linkIndex: (linkField === undefined ? undefined : findColumn(result, linkField)?.index) ?? column.index,
      widthCh:
        display === 'sparkline' ? sparklineCh : Math.min(Math.max(longest + 3, minWidthCh), maxWidthCh),
    };
  });
}

const isSummable = (format: ValueFormat | undefined): boolean =>
  format === undefined || format.kind === 'auto' || format.kind === 'number' || format.kind === 'currency';
