import type { ValueFormat } from '#shared/visualizations/format.ts';
import { createFormatter, type Formatter } from './formats.ts';
import { findColumn, toNumber, type ResultColumn, type ResultRows } from './result-values.ts';
import { createStepFormatter } from './time-steps.ts';
import { orderRows, type RowOrder } from './value-order.ts';

/** A number with its name, from a row. */
export interface NamedValue {
  readonly name: string;
  readonly value: number;
  /** The formatted value. */
  readonly text: string;
  readonly row: readonly unknown[];
}

/** The numbers of a result by category, in their order. */
interface NamedValues {
  readonly category: ResultColumn;
  readonly measure: ResultColumn;
  readonly format: Formatter;
  readonly items: readonly NamedValue[];
}

/** Returns the numbers of a result by category, without the rows that have none; undefined if a column is missing. */
export function namedValues(
  settings: {
    readonly category: string;
    readonly value: string;
    readonly format?: ValueFormat;
    readonly sort?: RowOrder;
  },
  result: ResultRows,
): NamedValues | undefined {
  const category = findColumn(result, settings.category);
  const measure = findColumn(result, settings.value);
  if (category === undefined || measure === undefined) return undefined;
  const nameOf = createStepFormatter(
    category,
    result.rows.map((row) => row[category.index]),
  );
  const format = createFormatter(measure, settings.format);
  const items = orderRows(result, settings.sort).flatMap((row): NamedValue[] => {
    const raw = row[measure.index];
    const value = toNumber(raw);
    return value === undefined ? [] : [{ name: nameOf(row[category.index]), value, text: format(raw), row }];
  });
  return { category, measure, format, items };
}
