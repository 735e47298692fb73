import type { Column } from '#contract/data-sources/data-sources.ts';
import { isNumeric, isTemporal, type ColumnType } from '#shared/columns.ts';
import { t } from '#shared/language/messages.ts';
import { dateFormat, numberFormat } from '#shared/region/intl.ts';
import { currentCurrency } from '#shared/region/region.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { toMilliseconds } from './result-values.ts';

/** Formats a value of a column in the locale of the organization. */
export type Formatter = (value: unknown) => string;

/** Shown for a missing value. */
const noValue = '–';

/**
 * Returns a function that formats the values of a column by `format`, or else by its type. Numbers are formatted from their
 * digits, so that none is lost. A date without a zone is the same everywhere; an instant is shown in the reader's zone. A
 * value that doesn't fit its format is returned unformatted.
 */
export function createFormatter(
  { type }: Pick<Column, 'type'>,
  format: ValueFormat = { kind: 'auto' },
  locale?: string,
): Formatter {
  const write = writerOf(type, format, locale);
  const { prefix = '', suffix = '' } = format;
  return (value) => {
    if (value === null || value === undefined) return noValue;
    return `${prefix}${write(value) ?? plainText(value)}${suffix}`;
  };
}

/**
 * Like `createFormatter`, for a constant of a module: it looks up the region at each call. The page may have changed to another
 * organization since the module was loaded.
 */
export const currentFormatter =
  (column: Pick<Column, 'type'>, format?: ValueFormat): Formatter =>
  (value) =>
    createFormatter(column, format)(value);

/** Returns a value as unformatted text. */
function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  return JSON.stringify(value) ?? noValue;
}

type Writer = (value: unknown) => string | undefined;

function writerOf(type: ColumnType, format: ValueFormat, locale: string | undefined): Writer {
  switch (format.kind) {
    case 'auto':
      if (isNumeric(type)) return numberWriter(autoOptions(type, format), locale);
      return isTemporal(type) ? timeWriter(type, type !== 'date', locale) : plainText;
    case 'number':
      return numberWriter(autoOptions(type, format), locale);
    case 'percent':
      return numberWriter({ style: 'percent', ...digits(format, 1) }, locale);
    case 'currency':
      return numberWriter(currencyOptions(format), locale);
    case 'date':
      return timeWriter(type, false, locale);
    case 'datetime':
      return timeWriter(type, true, locale);
    case 'text':
      return plainText;
  }
}

/** Integers below 10,000 have no separator: many of them are years, and the others are readable without it. */
function autoOptions(type: ColumnType, format: ValueFormat): Intl.NumberFormatOptions {
  if (format.decimals !== undefined || format.isCompact === true) return digits(format, 1);
  if (type === 'integer') return { useGrouping: format.kind === 'auto' ? 'min2' : true };
  if (type === 'decimal') return { maximumFractionDigits: 20 };
  return { maximumFractionDigits: 2, maximumSignificantDigits: 4, roundingPriority: 'morePrecision' };
}

function currencyOptions(format: ValueFormat): Intl.NumberFormatOptions {
  const { currency = currentCurrency(), decimals, isCompact } = format;
  return {
    ...(currency === undefined ? { minimumFractionDigits: 2 } : { style: 'currency', currency }),
    ...((decimals !== undefined || isCompact === true) && digits(format, 1)),
    ...(currency === undefined && decimals === undefined && { maximumFractionDigits: 2 }),
  };
}

const digits = (
  { decimals, isCompact = false }: ValueFormat,
  maxByDefault: number,
): Intl.NumberFormatOptions => ({
  minimumFractionDigits: decimals ?? 0,
  maximumFractionDigits: decimals ?? maxByDefault,
  ...(isCompact && { notation: 'compact' }),
});

function numberWriter(options: Intl.NumberFormatOptions, locale: string | undefined): Writer {
  const intl = numberFormat(options, locale);
  const isCompact = options.notation === 'compact';
  return (value) => {
    const isDigits = typeof value === 'string' && decimalDigits.test(value);
    if (typeof value !== 'number' && !isDigits) return undefined;
    if (isCompact && Math.abs(Number(value)) >= minScientific) {
      return numberFormat({ ...options, notation: 'scientific' }, locale).format(Number(value));
    }
    // Intl formats a text of digits exactly, and any other text as NaN.
    return intl.format(isDigits ? (value as Intl.StringNumericLiteral) : (value as number));
  };
}

/** Larger numbers than Intl's compact units, which end at trillions. */
export const minScientific = 1e15;

const decimalDigits = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function timeWriter(type: ColumnType, hasTime: boolean, locale: string | undefined): Writer {
  const zone = type === 'instant' ? {} : { timeZone: 'UTC' };
  // Created when the first value is written: most charts only use the numbers of a column.
  let intl: Intl.DateTimeFormat | undefined;
  return (value) => {
    const milliseconds = toMilliseconds(value);
    if (milliseconds === undefined) return undefined;
    intl ??= dateFormat({ dateStyle: 'medium', ...(hasTime && { timeStyle: 'short' }), ...zone }, locale);
    return intl.format(milliseconds);
  };
}
