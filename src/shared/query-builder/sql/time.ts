import type { Context, TypedSql } from '../context.ts';
import { atom, call, cast, number, operation, type Sql } from './expression.ts';
import { interval, textLiteral } from './literals.ts';
import type { Granularity, RangeUnit, WeekStart } from '../structure.ts';

/** Returns a value as it is on clocks in the query's time zone: an instant becomes a datetime. */
export const local = (context: Context, { sql, type }: TypedSql): TypedSql =>
  type === 'instant'
    ? { sql: operation(sql, 'AT TIME ZONE', textLiteral(context.timeZone)), type: 'datetime' }
    : { sql, type };

/** Returns the instant at which clocks in the query's time zone show a date or datetime. */
export const instantOf = (context: Context, { sql, type }: TypedSql): Sql =>
  operation(type === 'date' ? cast(sql, 'TIMESTAMP') : sql, 'AT TIME ZONE', textLiteral(context.timeZone));

export const today = (context: Context): TypedSql => ({ sql: cast(now(context).sql, 'DATE'), type: 'date' });

const now = (context: Context): TypedSql => local(context, { sql: atom('now()'), type: 'instant' });

/** How many days before Monday a week starts. */
const daysBeforeMonday: Readonly<Record<WeekStart, number>> = { monday: 0, sunday: 1, saturday: 2 };

/** Returns the start of the unit of time that a value lies in: a date for days and longer units, else a datetime. */
export function startOf(context: Context, value: TypedSql, unit: RangeUnit): TypedSql {
  const { sql, type } = local(context, value);
  const truncate = (from: Sql): Sql => call('date_trunc', textLiteral(unit), from);
  switch (unit) {
    case 'minute':
    case 'hour':
      return { sql: truncate(sql), type: 'datetime' };
    case 'day':
      return { sql: type === 'date' ? sql : cast(sql, 'DATE'), type: 'date' };
    case 'week': {
      const days = number(daysBeforeMonday[context.weekStart]);
      if (days.text === '0') return { sql: cast(truncate(sql), 'DATE'), type: 'date' };
      const shifted = operation(type === 'date' ? sql : cast(sql, 'DATE'), '+', days);
      return { sql: operation(cast(truncate(shifted), 'DATE'), '-', days), type: 'date' };
    }
    case 'month':
    case 'quarter':
    case 'year':
      return { sql: cast(truncate(sql), 'DATE'), type: 'date' };
  }
}

/** Returns the datetime at which the current unit of time started, moved by `count` units. */
export function startOfCurrent(context: Context, unit: RangeUnit, count: number): TypedSql {
  const shift = unit === 'week' ? daysBeforeMonday[context.weekStart] : 0;
  const moment = shift === 0 ? now(context) : later(now(context), shift, 'day');
  const start = { sql: call('date_trunc', textLiteral(unit), moment.sql), type: 'datetime' } as const;
  const moved = count * (unit === 'week' ? 7 : 1) - shift;
  return moved === 0 ? start : later(start, moved, unit === 'week' ? 'day' : unit);
}

/** Returns a date or datetime `count` units later, or earlier if it is negative. */
export function later({ sql, type }: TypedSql, count: number, unit: RangeUnit): TypedSql {
  const operator = count < 0 ? '-' : '+';
  const size = Math.abs(count);
  const isInDays = unit === 'day' || unit === 'week';
  if (type === 'date' && isInDays)
    return { sql: operation(sql, operator, number(unit === 'week' ? size * 7 : size)), type };
  const moved = operation(
    sql,
    operator,
    unit === 'quarter' ? interval(size * 3, 'month') : interval(size, unit),
  );
  return { sql: type === 'date' ? cast(moved, 'DATE') : moved, type };
}

/** The granularities whose groups follow each other, unlike those that repeat. */
export const isRangeUnit = (granularity: Granularity): granularity is RangeUnit =>
  !(granularity in repeating);

const repeating = { hour_of_day: 'hour', day_of_week: 'isodow', month_of_year: 'month' } as const;

/** Returns the group that a value falls into. */
export function truncated(context: Context, value: TypedSql, granularity: Granularity): TypedSql {
  if (isRangeUnit(granularity)) return startOf(context, value, granularity);
  return { sql: context.dialect.part(repeating[granularity], local(context, value).sql), type: 'integer' };
}
