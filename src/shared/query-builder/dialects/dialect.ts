import type { Sql } from '../sql/expression.ts';
import type { ColumnType } from '../../columns.ts';

/** The types that values are cast to. */
export type CastType = 'text' | 'integer' | 'double' | 'date' | 'datetime' | 'time' | 'uuid';

/** The parts of a date or time. Those of a week start on Monday: ISO 8601. */
export type TimePart =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'isodow'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year';

/** How SQL is written for one engine. What both engines write in the same way isn't part of it. */
export interface Dialect {
  /** The schema whose name is left out. */
  readonly defaultSchema: string;
  /** The longest name of a column, in bytes of UTF-8. */
  readonly maxNameBytes: number;
  readonly types: Readonly<Record<CastType, string>>;
  /** What follows a column that is sorted in descending order, so that nulls come last. */
  readonly descending: string;
  /** Returns a column's values as ordinary text, if it may hold enum values, for which there are no text functions. */
  readonly asText: (value: Sql, sourceType: string | undefined) => Sql;
  /** Returns the exact quotient of two numbers. The divisor isn't zero. */
  readonly quotient: (dividend: Sql, divisor: Sql, types: readonly [ColumnType, ColumnType]) => Sql;
  /** Returns the remainder, with the sign of the dividend. The divisor isn't zero. */
  readonly remainder: (dividend: Sql, divisor: Sql, types: readonly [ColumnType, ColumnType]) => Sql;
  /** Returns the quotient of two integers, which is an integer. */
  readonly integerQuotient: (dividend: Sql, divisor: Sql) => Sql;
  /** Returns how many times a new unit of time starts between two dates or datetimes. */
  readonly difference: (unit: 'minute' | 'hour' | 'month' | 'quarter' | 'year', from: Sql, to: Sql) => Sql;
  /** Returns a number rounded half away from zero. */
  readonly round: (value: Sql, digits: Sql | undefined, type: ColumnType) => Sql;
  /** Returns a number as text: as few digits as possible. */
  readonly numberText: (value: Sql, type: ColumnType) => Sql;
  /** Returns the value below which a fraction of the numbers lies, interpolated. */
  readonly percentile: (value: Sql, fraction: number, type: ColumnType) => Sql;
  /** Returns an integer. The value is a date, a time or a datetime. */
  readonly part: (part: TimePart, value: Sql) => Sql;
  readonly contains: (text: Sql, searched: Sql) => Sql;
  readonly endsWith: (text: Sql, searched: Sql) => Sql;
}
