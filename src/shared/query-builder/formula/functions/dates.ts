import { isTimeOfDay, type RangeUnit } from '../../structure.ts';
import type { Context } from '../../context.ts';
import type { TimePart } from '../../dialects/dialect.ts';
import { atom, call, cast, number, operation, type Sql } from '../../sql/expression.ts';
import { interval } from '../../sql/literals.ts';
import { instantOf, later, local, startOf, today } from '../../sql/time.ts';
import { temporalLiteral } from '../literals.ts';
import type { Formula } from '../syntax.ts';
import type { Argument, FunctionDefinition, FunctionParameter } from './definition.ts';

const date: FunctionParameter = { name: 'date', kind: 'date' };
const unit: FunctionParameter = { name: 'unit', kind: 'unit' };

const part = (name: string, sqlPart: TimePart, description: string): FunctionDefinition => ({
  name,
  category: 'date',
  parameters: [date],
  description,
  example: `${name}([ordered_on])`,
  result: 'integer',
  sql: (context, value) => context.dialect.part(sqlPart, local(context, value).sql),
});

/** Sound because the argument was checked to be a unit. */
const unitOf = (formula: Formula | undefined): RangeUnit =>
  (formula?.kind === 'text' ? formula.text.toLowerCase() : 'day') as RangeUnit;

export const dateFunctions: readonly FunctionDefinition[] = [
  part('year', 'year', 'The year.'),
  part('quarter', 'quarter', 'The quarter, from 1 to 4.'),
  part('month', 'month', 'The month, from 1 to 12.'),
  part('week', 'week', 'The number of the week in the year as in ISO 8601.'),
  part('day', 'day', 'The day of the month.'),
  part('weekday', 'isodow', 'The day of the week: Monday is 1, Sunday is 7.'),
  part('hour', 'hour', 'The hour, from 0 to 23.'),
  part('minute', 'minute', 'The minute, from 0 to 59.'),
  {
    name: 'today',
    category: 'date',
    parameters: [],
    description: 'The current date.',
    example: 'date_diff([ordered_on], today(), "day")',
    result: 'date',
    sql: (context) => today(context).sql,
  },
  {
    name: 'now',
    category: 'date',
    parameters: [],
    description: 'The current date and time.',
    example: 'date_diff([created_at], now(), "hour")',
    result: 'instant',
    sql: () => atom('now()'),
  },
  {
    name: 'start_of',
    category: 'date',
    parameters: [date, unit],
    description: 'The first day of the month, or the start of another unit, that the date is in.',
    example: 'start_of([ordered_on], "month")',
    result: (_types, formulas) => (isTimeOfDay(unitOf(formulas[1])) ? 'datetime' : 'date'),
    sql: (context, value, argument) => startOf(context, value, unitOf(argument?.formula)).sql,
  },
  {
    name: 'date_add',
    category: 'date',
    parameters: [date, { name: 'count', kind: 'wholeNumber' }, unit],
    description: 'The date moved by a number of units: later, or earlier if the number is negative.',
    example: 'date_add([ordered_on], 30, "day")',
    result: ([type = 'date'], formulas) =>
      type === 'date' && isTimeOfDay(unitOf(formulas[2])) ? 'datetime' : type,
    sql: dateAddSql,
  },
  {
    name: 'date_diff',
    category: 'date',
    parameters: [{ name: 'from', kind: 'date' }, { name: 'to', kind: 'date' }, unit],
    description: 'How many times a new unit, such as a day or a month, starts between two dates.',
    example: 'date_diff([ordered_on], [shipped_on], "day")',
    result: 'integer',
    sql: dateDifferenceSql,
  },
  {
    name: 'date',
    category: 'date',
    parameters: [{ name: 'value', kind: 'any' }],
    description: 'The day of a date and time, or text such as 2026-01-31 as a date.',
    example: 'date([created_at])',
    result: 'date',
    sql(context, value) {
      const literal = temporalLiteral(value.formula);
      if (literal?.type === 'date') return literal.sql;
      if (value.type !== 'text') return startOf(context, value, 'day').sql;
      return cast(call('nullif', call('trim', value.sql), atom("''")), 'DATE');
    },
  },
];

function dateAddSql(context: Context, value: Argument, count?: Argument, argument?: Argument): Sql {
  const unitName = unitOf(argument?.formula);
  // Days are those of clocks; hours pass at the same rate everywhere.
  const isLocal = value.type === 'instant' && !isTimeOfDay(unitName);
  const start = isLocal ? local(context, value) : value;
  const literal = literalOf(count);
  const moved =
    literal === undefined
      ? movedBy(start, count?.sql ?? number(0), unitName)
      : later(start, literal, unitName).sql;
  return isLocal ? instantOf(context, { sql: moved, type: 'datetime' }) : moved;
}

function movedBy({ sql, type }: Pick<Argument, 'sql' | 'type'>, count: Sql, unitName: RangeUnit): Sql {
  const size = unitName === 'quarter' ? interval(3, 'month') : interval(1, unitName);
  const moved = operation(sql, '+', operation(cast(count, 'INT'), '*', size));
  return type === 'date' && !isTimeOfDay(unitName) ? cast(moved, 'DATE') : moved;
}

/** Returns an integer that is written in the formula, or undefined if it is computed. */
export function literalOf(argument: Argument | undefined): number | undefined {
  if (argument === undefined) return undefined;
  const { formula } = argument;
  if (formula.kind === 'number') return Number(formula.text);
  if (formula.kind !== 'prefix' || formula.operand.kind !== 'number') return undefined;
  return -Number(formula.operand.text);
}

function dateDifferenceSql(context: Context, one: Argument, other?: Argument, argument?: Argument): Sql {
  const unitName = unitOf(argument?.formula);
  const to = other ?? one;
  const { dialect } = context;
  const isElapsed = isTimeOfDay(unitName) && one.type === 'instant' && to.type === 'instant';
  const [start, end] = isElapsed ? [one, to] : [local(context, one), local(context, to)];
  if (unitName === 'day' || unitName === 'week') {
    const [first, last] = [startOf(context, start, unitName), startOf(context, end, unitName)];
    const days = operation(last.sql, '-', first.sql);
    return unitName === 'day' ? days : dialect.integerQuotient(days, number(7));
  }
  return dialect.difference(unitName, start.sql, end.sql);
}
