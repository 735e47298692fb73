import type { ImportOptions, ImportType } from '#contract/data-sources/imports.ts';
import { boolean, date, datetime, instant, integers, numbers, plainNumbers, time } from '../../csv/values.ts';
import { quoteText } from '../instance.ts';

export type ConversionOptions = Pick<ImportOptions, 'decimalMark' | 'dateOrder'>;

/** Returns the SQL of a text without spaces around it. */
export const trimmedText = (column: string): string => `trim(${column}, ${quoteText(' \t\u00a0')})`;

/** Returns the SQL that converts a text column to a type. It is null for a value that doesn't fit, and for spaces. */
export function conversion(column: string, type: ImportType, options: ConversionOptions): string {
  const value = trimmedText(column);
  switch (type) {
    case 'text':
      return column;
    case 'boolean':
      return guarded(value, boolean, `TRY_CAST(${value} AS BOOLEAN)`);
    case 'integer':
      return toNumber(value, integers[options.decimalMark], '[^0-9]', options, 'BIGINT');
    case 'double': {
      const mark = options.decimalMark;
      const plain = `TRY_CAST(replace(${value}, ${quoteText(mark)}, '.') AS DOUBLE)`;
      const amount = toNumber(value, numbers[mark], `[^0-9${mark}]`, options, 'DOUBLE');
      const number = `CASE WHEN ${matches(value, plainNumbers[mark])} THEN ${plain} ELSE ${amount} END`;
      // The double of a number such as 1e400 is infinite.
      return `nullif(nullif(${number}, 'Infinity'), '-Infinity')`;
    }
    case 'date':
      return guarded(value, date, toDate(value, options));
    case 'datetime': {
      const day = toDate(`regexp_extract(${value}, '^[0-9./-]+')`, options);
      const ofDay = toTime(`regexp_extract(${value}, '[0-9]{1,2}:.*$')`);
      return `CASE WHEN ${matches(value, datetime)} THEN ${day} + ${ofDay}
        WHEN ${matches(value, date)} THEN CAST(${toDate(value, options)} AS TIMESTAMP) END`;
    }
    case 'instant':
      return guarded(value, instant, `TRY_CAST(${value} AS TIMESTAMPTZ)`);
    case 'time':
      return guarded(value, time, toTime(value));
  }
}

const matches = (value: string, { source }: RegExp): string =>
  `regexp_matches(${value}, ${quoteText(withoutEscapes(source))})`;

/** RE2 has no `\\u`. */
const withoutEscapes = (source: string): string =>
  source.replaceAll('\\u00a0', '\u00a0').replaceAll('\\u202f', '\u202f');

const guarded = (value: string, pattern: RegExp, sql: string): string =>
  `CASE WHEN ${matches(value, pattern)} THEN ${sql} END`;

function toNumber(
  value: string,
  pattern: RegExp,
  dropped: string,
  { decimalMark }: ConversionOptions,
  type: 'BIGINT' | 'DOUBLE',
): string {
  // An amount in parentheses is negative.
  const signed = `regexp_replace(${value}, '^\\((.*)\\)$', '-\\1')`;
  const digits = `replace(regexp_replace(${value}, ${quoteText(dropped)}, '', 'g'), ${quoteText(decimalMark)}, '.')`;
  const sign = `CASE WHEN regexp_matches(${value}, '[-−(]') THEN -1 ELSE 1 END`;
  return guarded(signed, pattern, `TRY_CAST(${digits} AS ${type}) * ${sign}`);
}

function toDate(value: string, { dateOrder }: ConversionOptions): string {
  const [first, second] = dateOrder === 'day_first' ? ['%d', '%m'] : ['%m', '%d'];
  const years = ['%y', '%Y'];
  const formats = [
    ...['-', '/', '.'].map((mark) => ['%Y', '%m', '%d'].join(mark)),
    // Two digits first, since `%Y` reads 26 as the year 26.
    ...['.', '/', '-'].flatMap((mark) => years.map((year) => [first, second, year].join(mark))),
  ];
  return `CAST(try_strptime(${value}, [${formats.map(quoteText).join(', ')}]) AS DATE)`;
}

function toTime(value: string): string {
  const formats = ['%I:%M:%S %p', '%I:%M %p', '%I:%M:%S%p', '%I:%M%p'].map(quoteText).join(', ');
  return `CASE WHEN ${value} ILIKE '%m' THEN CAST(try_strptime(${value}, [${formats}]) AS TIME)
    ELSE TRY_CAST(${value} AS TIME) END`;
}
