import type { ImportOptions, ImportType } from '#contract/data-sources/imports.ts';

/*
 * How values are written in text files. The patterns match whole values without spaces around them, and mean the same in
 * JavaScript, which guesses types, and in DuckDB, which converts values.
 */

export type DecimalMark = ImportOptions['decimalMark'];
export type DateOrder = ImportOptions['dateOrder'];

/** Whole numbers with a decimal mark elsewhere, in groups of three or not, and with a sign and a currency. */
export const integers = {
  '.': /^[-+−]? ?[$€£¥]? ?[-+−]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+|[0-9]{1,3}([ \u00a0\u202f][0-9]{3})+|[0-9]{1,3}(['’][0-9]{3})+) ?[$€£¥]?-?$/,
  ',': /^[-+−]? ?[$€£¥]? ?[-+−]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+|[0-9]{1,3}([ \u00a0\u202f][0-9]{3})+|[0-9]{1,3}(['’][0-9]{3})+) ?[$€£¥]?-?$/,
} as const;

export const numbers = {
  '.': /^[-+−]? ?[$€£¥]? ?[-+−]?(([0-9]+|[0-9]{1,3}(,[0-9]{3})+|[0-9]{1,3}([ \u00a0\u202f][0-9]{3})+|[0-9]{1,3}(['’][0-9]{3})+)(\.[0-9]*)?|\.[0-9]+) ?[$€£¥]?-?$/,
  ',': /^[-+−]? ?[$€£¥]? ?[-+−]?(([0-9]+|[0-9]{1,3}(\.[0-9]{3})+|[0-9]{1,3}([ \u00a0\u202f][0-9]{3})+|[0-9]{1,3}(['’][0-9]{3})+)(,[0-9]*)?|,[0-9]+) ?[$€£¥]?-?$/,
} as const;

/** As programs write numbers: `-1.5e10`. */
export const plainNumbers = {
  '.': /^[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/,
  ',': /^[-+]?[0-9]+(,[0-9]+)?([eE][-+]?[0-9]+)?$/,
} as const;

/** The year first, or a day and a month in either order, and a year with two or four digits. */
export const date =
  /^([0-9]{4}(-[0-9]{1,2}-|\/[0-9]{1,2}\/|\.[0-9]{1,2}\.)[0-9]{1,2}|[0-9]{1,2}(\.[0-9]{1,2}\.|\/[0-9]{1,2}\/|-[0-9]{1,2}-)([0-9]{2}|[0-9]{4}))$/;
export const time = /^[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?( ?[AaPp][Mm])?$/;
export const datetime =
  /^([0-9]{4}(-[0-9]{1,2}-|\/[0-9]{1,2}\/|\.[0-9]{1,2}\.)[0-9]{1,2}|[0-9]{1,2}(\.[0-9]{1,2}\.|\/[0-9]{1,2}\/|-[0-9]{1,2}-)([0-9]{2}|[0-9]{4}))(T|,? )[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?( ?[AaPp][Mm])?$/;
export const instant =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})? ?(Z|[-+][0-9]{2}(:?[0-9]{2})?)$/;
export const boolean = /^([Tt]rue|TRUE|[Ff]alse|FALSE)$/;

/** Returns an amount in parentheses, which is negative, with a minus instead. */
const withMinus = (value: string): string =>
  value.startsWith('(') && value.endsWith(')') ? `-${value.slice(1, -1)}` : value;

/** Identifiers, such as postal codes and account numbers, which would lose digits as numbers. */
const identifier = /^[-+]?(0[0-9]|[0-9]{19})/;

export const isNumberWith = (mark: DecimalMark, value: string): boolean =>
  numbers[mark].test(withMinus(value)) || plainNumbers[mark].test(value);

/** Whether a value is anything but text, and so not the name of a column. */
export function looksLikeData(cell: string): boolean {
  const value = cell.trim();
  if (value.length > maxTypedLength) return false;
  return [numbers['.'], numbers[','], date, datetime, instant, time, boolean].some((kind) =>
    kind.test(value),
  );
}

/** Longer values than any number or time. */
const maxTypedLength = 64;

/** Returns the type that all values have, which aren't empty. There are two types if the order of day and month matters. */
export function typeOf(values: readonly string[], mark: DecimalMark): ImportType {
  const all = (test: (value: string) => boolean): boolean => values.every(test);
  if (values.length === 0 || values.some((value) => value.length > maxTypedLength)) return 'text';
  if (all((value) => boolean.test(value))) return 'boolean';
  if (all((value) => isNumberWith(mark, value))) {
    const symbols = new Set(values.map((value) => /[$€£¥]/.exec(value)?.[0] ?? ''));
    symbols.delete('');
    if (symbols.size > 1 || values.some((value) => identifier.test(value))) return 'text';
    return all((value) => integers[mark].test(withMinus(value))) ? 'integer' : 'double';
  }
  if (all((value) => date.test(value))) return 'date';
  if (all((value) => instant.test(value))) return 'instant';
  if (all((value) => datetime.test(value) || date.test(value))) return 'datetime';
  return all((value) => time.test(value)) ? 'time' : 'text';
}

/** Whether a number is read differently with the other decimal mark: `1.234` is. */
export const hasMark = (value: string): boolean => /[.,]/.test(value);

/** Returns the orders in which a value can be a date; all if it starts with the year. */
export function dateOrdersOf(value: string): readonly DateOrder[] {
  const parts = /^([0-9]{1,2})([./-])([0-9]{1,2})[./-]/.exec(value);
  if (parts === null) return ['day_first', 'month_first'];
  const [first, second] = [Number(parts[1]), Number(parts[3])];
  const orders: DateOrder[] = [];
  if (second <= 12) orders.push('day_first');
  // Points are written where the day comes first.
  if (first <= 12 && parts[2] !== '.') orders.push('month_first');
  return orders;
}

/** Whether the order of day and month decides which date a value is. */
export const isOrdered = (value: string): boolean => /^[0-9]{1,2}[./-]/.test(value);
