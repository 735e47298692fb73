import type { Visualization } from '#contract/reports/visualizations.ts';
import { isNumeric } from '#shared/columns.ts';
import type { Threshold } from '../echarts/chart.ts';
import { createFormatter, type Formatter } from '../values/formats.ts';
import { findColumn, type ResultColumn, type ResultRows } from '../values/result-values.ts';

/** A column of a table: its values as words, and as wide as most of them need. */
export interface TableColumn extends ResultColumn {
  readonly label: string;
  readonly format: Formatter;
  readonly isNumber: boolean;
  readonly thresholds: readonly Threshold[] | undefined;
  readonly widthCh: number;
}

/** So many rows tell how wide a column is: what is measured once does not jump while one scrolls. */
const measuredRows = 100;
const narrowestCh = 8;
const widestCh = 42;

/** Returns the columns that a table shows: those of its description that there are, or all. */
export function tableColumns(result: ResultRows, visualization: Visualization | undefined): TableColumn[] {
  const described = visualization?.kind === 'table' ? visualization.columns : undefined;
  const shown =
    described?.flatMap(({ field, ...rest }) => {
      const column = findColumn(result, field);
      return column === undefined ? [] : [{ column, ...rest }];
    }) ?? [];
  const columns =
    shown.length > 0 ? shown : result.columns.map((column, index) => ({ column: { ...column, index } }));
  return columns.map(({ column, ...described }) => {
    const { label, format, thresholds } = described as Partial<NonNullable<typeof shown>[number]>;
    const write = createFormatter(column, format);
    const longest = result.rows
      .slice(0, measuredRows)
      .reduce(
        (most, row) => Math.max(most, write(row[column.index]).length),
        (label ?? column.name).length + 2,
      );
    return {
      ...column,
      label: label ?? column.name,
      format: write,
      isNumber: isNumeric(column.type),
      thresholds,
      widthCh: Math.min(Math.max(longest + 3, narrowestCh), widestCh),
    };
  });
}
