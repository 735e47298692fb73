import type { Delimiter, ImportOptions, ImportType } from '#contract/data-sources/imports.ts';
import {
  dateOrdersOf,
  hasMark,
  isNumberWith,
  isOrdered,
  typeOf,
  type DateOrder,
  type DecimalMark,
} from './values.ts';

/** The types of columns, guessed by some of their values, and what numbers and dates look like. */
export interface GuessedTypes {
  readonly types: readonly ImportType[];
  readonly decimalMark: DecimalMark;
  readonly dateOrder: DateOrder;
  /** Columns of dates that fit both orders. They are dates only if the other values of the file decide. */
  readonly unordered: readonly number[];
  /** Columns of numbers that are text, since nothing decides whether they have decimals or thousands. */
  readonly unmarked: readonly number[];
}

/**
 * Guesses the types of columns by their values, without empty ones and spaces around them. A column has a type only if all of
 * its values do. Where the decimal mark or the order of dates isn't chosen, one column decides for the others.
 */
export function guessTypes(
  columns: readonly (readonly string[])[],
  delimiter: Delimiter,
  chosen: Partial<Pick<ImportOptions, 'decimalMark' | 'dateOrder'>>,
): GuessedTypes {
  const evidence = marksOf(columns);
  const decimalMark = chosen.decimalMark ?? evidence ?? (delimiter === ';' ? ',' : '.');
  const isMarkKnown = chosen.decimalMark !== undefined || evidence !== undefined;
  const types = columns.map((values) => typeOf(values, decimalMark));
  const unmarked = types.flatMap((type, index) =>
    !isMarkKnown && isUnmarked(columns[index] ?? [], type, decimalMark, delimiter) ? [index] : [],
  );
  const order = chosen.dateOrder ?? orderOf(columns, types);
  const unordered = types.flatMap((type, index) =>
    order === undefined &&
    (type === 'date' || type === 'datetime') &&
    columns[index]?.some(isOrdered) === true
      ? [index]
      : [],
  );
  return {
    types: types.map((type, index) => (unmarked.includes(index) ? 'text' : type)),
    decimalMark,
    dateOrder: order ?? 'day_first',
    unordered,
    unmarked,
  };
}

/** Returns the decimal mark with which more columns have numbers; undefined if it makes no difference. */
function marksOf(columns: readonly (readonly string[])[]): DecimalMark | undefined {
  let balance = 0;
  for (const values of columns) {
    if (!values.some(hasMark)) continue;
    const fits = (mark: DecimalMark): boolean => values.every((value) => isNumberWith(mark, value));
    const [point, comma] = [fits('.'), fits(',')];
    if (point !== comma) balance += point ? 1 : -1;
  }
  if (balance === 0) return undefined;
  return balance > 0 ? '.' : ',';
}

/** Whether a column has only numbers such as `1.234`, which are as likely thousands as decimals. */
function isUnmarked(
  values: readonly string[],
  type: ImportType,
  mark: DecimalMark,
  delimiter: Delimiter,
): boolean {
  if (type !== 'integer' && type !== 'double') return false;
  if (!values.some(hasMark)) return false;
  const areThousands = type === 'integer';
  // In a file with commas between the cells, `"1,234"` is a thousand.
  return areThousands && !(mark === '.' && delimiter === ',');
}

/** Returns the order of day and month that a value of any column proves. */
function orderOf(
  columns: readonly (readonly string[])[],
  types: readonly ImportType[],
): DateOrder | undefined {
  for (const [index, values] of columns.entries()) {
    if (types[index] !== 'date' && types[index] !== 'datetime') continue;
    const possible = (['day_first', 'month_first'] as const).filter((order) =>
      values.every((value) => dateOrdersOf(value).includes(order)),
    );
    if (possible.length === 1) return possible[0];
  }
  return undefined;
}
