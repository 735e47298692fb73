import type { Column } from '#contract/data-sources/data-sources.ts';
import { isNumeric, isTemporal } from '#shared/columns.ts';
import { toNumber } from '../values/result-values.ts';
import { isIdentifierName, isOrdinalName, isShareName, isYearName } from './names.ts';

export type Rows = readonly (readonly unknown[])[];

/** The rows that are counted; more would take too long. */
const sampledRows = 5_000;

/** What a column is for a chart. */
export interface Role {
  readonly name: string;
  /** The distinct values as texts, without missing ones. */
  readonly texts: readonly string[];
  /** The length of the longest value as text. */
  readonly longest: number;
  /** The values that are numbers. */
  readonly numbers: readonly number[];
  /** Whether its numbers are shares, such as a rate between 0 and 1. */
  readonly isShare: boolean;
  /** Whether its values have an order of their own, such as months. */
  readonly isOrdinal: boolean;
}

export interface Roles {
  readonly times: readonly Role[];
  readonly measures: readonly Role[];
  readonly categories: readonly Role[];
  readonly rowCount: number;
}

/** A column of texts that are sentences, not categories. */
const longText = 80;

/**
 * Returns what the columns of a result are. Columns without any value are left out. Identifiers, booleans, parts of a year and the columns in
 * `groups` are categories, also if they are numbers.
 */
export function rolesOf(columns: readonly Column[], rows: Rows, groups: ReadonlySet<string>): Roles {
  const times: Role[] = [];
  const measures: Role[] = [];
  const categories: Role[] = [];
  for (const [index, column] of columns.entries()) {
    const values = rows.slice(0, sampledRows).flatMap((row) => {
      const value = row[index];
      return value === null || value === undefined ? [] : [value];
    });
    if (values.length === 0 && rows.length > 0) continue;
    const role = roleOf(column, values);
    const isLabel =
      isIdentifierName(column.name) || (column.type === 'integer' && isOrdinalName(column.name));
    if (isTemporal(column.type) || isYear(column, values)) times.push(role);
    else if (isNumeric(column.type) && !groups.has(column.name) && !isLabel) measures.push(role);
    else categories.push(role);
  }
  // Without other numbers, a second column of years is a measure.
  const years = times
    .slice(1)
    .filter(({ name }) => columns.some((one) => one.name === name && isNumeric(one.type)));
  if (measures.length === 0 && rows.length > 1 && years.length > 0) {
    measures.push(...years);
    return {
      times: times.filter((role) => !years.includes(role)),
      measures,
      categories,
      rowCount: rows.length,
    };
  }
  return { times, measures, categories, rowCount: rows.length };
}

function roleOf({ name, type }: Column, values: readonly unknown[]): Role {
  const texts = [...new Set(values.map(String))];
  const numbers = isNumeric(type) ? values.flatMap((value) => toNumber(value) ?? []) : [];
  const isShare =
    isShareName(name) && numbers.length > 0 && numbers.every((number) => number >= -1 && number <= 1);
  return {
    name,
    texts,
    longest: texts.slice(0, 1_000).reduce((longest, { length }) => Math.max(longest, length), 0),
    numbers,
    isShare,
    isOrdinal: isOrdinalName(name) || areOrdinal(texts),
  };
}

/** Whether a category has sentences instead of names. */
export const isProse = ({ longest }: Role): boolean => longest > longText;

/** Whether texts are ranges or numbers in their order, or names of months or weekdays. */
function areOrdinal(texts: readonly string[]): boolean {
  if (texts.length < 2) return false;
  const starts = texts.map((text) => /^\D{0,2}(\d{1,12})/.exec(text)?.[1]);
  if (starts.every((start) => start !== undefined)) {
    const numbers = starts.map(Number);
    if (numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0))) return true;
  }
  const names = calendarNames();
  return texts.every((text) => names.has(text.toLowerCase().replace(/\.$/, '')));
}

let knownNames: ReadonlySet<string> | undefined;

/** Returns the names of months and weekdays in English and German, long and short, in small letters. */
function calendarNames(): ReadonlySet<string> {
  knownNames ??= new Set(
    ['en', 'de'].flatMap((language) =>
      (['long', 'short'] as const).flatMap((length) => {
        const month = new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' });
        const weekday = new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' });
        const days = Array.from({ length: 12 }, (_, index) => index);
        return days
          .flatMap((index) => [
            month.format(Date.UTC(2026, index, 1)),
            weekday.format(Date.UTC(2026, 0, 1 + index)),
          ])
          .map((name) => name.toLowerCase().replace(/\.$/, ''));
      }),
    ),
  );
  return knownNames;
}

/** Whether a column of integers has the name and the values of years. */
const isYear = ({ name, type }: Column, values: readonly unknown[]): boolean =>
  type === 'integer' &&
  isYearName(name) &&
  values.every((value) => Number(value) >= 1000 && Number(value) <= 2999);
