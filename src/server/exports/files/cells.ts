import type { Cell, CellObject } from 'write-excel-file/node';
import { isNumeric, type ColumnType } from '#shared/columns.ts';
import { wallClockAt } from '#shared/dates/wall-clock.ts';
import { toMilliseconds } from '#charts/values/result-values.ts';
import { withoutInvalid } from './xml.ts';

/** The limit of Excel. */
const maxTextLength = 32_767;
/** Doubles have 15 significant digits that are always exact, and Excel shows no more. */
const maxDigits = 15;

const formats: Readonly<Partial<Record<ColumnType, string>>> = {
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm:ss',
  instant: 'yyyy-mm-dd hh:mm:ss',
};

/**
 * Returns a function that writes the values of a column as cells of their type. What a cell can't have without loss is a text:
 * numbers with too many digits, and days before those that all programs count in the same way. A text is never a formula.
 * Instants are in the reader's time zone, since cells have none.
 */
export function cellWriter(type: ColumnType, timeZone: string): (value: unknown) => Cell {
  if (isNumeric(type)) return (value) => numberCell(value) ?? textCell(value);
  if (type === 'boolean')
    return (value) => (typeof value === 'boolean' ? { value, type: Boolean } : textCell(value));
  const format = formats[type];
  if (format === undefined) return textCell;
  const toShown = (time: number): number => (type === 'instant' ? wallClockAt(time, timeZone) : time);
  return (value) => {
    const milliseconds = toMilliseconds(value);
    const shown = milliseconds === undefined ? undefined : toShown(milliseconds);
    if (shown === undefined || shown < firstDay || shown > lastDay) return textCell(value);
    return { value: new Date(shown), type: Date, format };
  };
}

/** Excel counts February 29, 1900, which didn't exist; other programs don't. */
const firstDay = Date.UTC(1900, 2, 1);
const lastDay = Date.UTC(9999, 11, 31, 23, 59, 59);

function numberCell(value: unknown): Cell | undefined {
  if (value === null || value === undefined) return null;
  const number =
    typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  if (typeof value === 'string' && significantDigits(value) > maxDigits) return undefined;
  return { value: number, type: Number };
}

function significantDigits(digits: string): number {
  let [count, zeros] = [0, 0];
  for (const digit of digits.toLowerCase().split('e', 1).join('')) {
    if (digit === '0') zeros += count === 0 ? 0 : 1;
    else if (digit !== '-' && digit !== '.') [count, zeros] = [count + zeros + 1, 0];
  }
  return count;
}

/** Returns a text as a cell that is never a formula; null for a missing or empty value. */
export function textCell(value: unknown): Cell {
  const text =
    typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
  const written = excelText(text);
  return written === '' ? null : { value: written, type: String };
}

/** Removes what XML can't contain, and escapes what Excel would take for an escaped character, such as `_x0041_`. */
const excelText = (text: string): string =>
  withoutInvalid(text.slice(0, maxTextLength))
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .slice(0, maxTextLength);

/** Returns the text of a head or a total as a bold cell, which is never empty. */
export const boldCell = (text: string): CellObject => ({
  value: excelText(text) || ' ',
  type: String,
  fontWeight: 'bold',
});
