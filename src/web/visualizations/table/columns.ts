import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric } from '#shared/columns.ts';
import type { Threshold } from '../echarts/chart.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import { findColumn, type ResultColumn, type ResultRows } from '../values/result-values.ts';

/** A column of a table, with its format, and a width that suits most of its values. */
export interface TableColumn extends ResultColumn {
  readonly label: string;
  readonly format: Formatter;
  readonly isNumber: boolean;
  readonly thresholds: readonly Threshold[] | undefined;
  readonly widthCh: number;
}

/** The rows that determine the width of a column. It is measured once, so that it doesn't change while you scroll. */
const measuredRows = 100;
const minWidthCh = 8;
const maxWidthCh = 42;

/** Returns the columns that a table shows: the configured columns that exist in the result, or all. */
export function tableColumns(result: ResultRows, visualization: Visualization | undefined): TableColumn[] {
  const configured = visualization?.kind === 'table' ? visualization.columns : undefined;
  const shown =
    configured?.flatMap(({ field, ...rest }) => {
      const column = findColumn(result, field);
      return column === undefined ? [] : [{ column, ...rest }];
    }) ?? [];
  const columns =
    shown.length > 0 ? shown : result.columns.map((column, index) => ({ column: { ...column, index } }));
  return columns.map(({ column, ...settings }) => {
    const { label, format, thresholds } = settings as Partial<NonNullable<typeof shown>[number]>;
    const write = createFormatter(column, format);
    const longest = result.rows
      .slice(0, measuredRows)
      .reduce(
        (longest, row) => Math.max(longest, write(row[column.index]).length),
        (label ?? column.name).length + 2,
      );
    return {
      ...column,
      label: label ?? column.name,
      format: write,
      isNumber: isNumeric(column.type),
      thresholds,
      widthCh: Math.min(Math.max(longest + 3, minWidthCh), maxWidthCh),
    };
  });
}
