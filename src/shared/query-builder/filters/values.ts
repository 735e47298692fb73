import { isTemporal } from '../../columns.ts';
import type { Context, TypedSql } from '../context.ts';
import type { Parameters } from '../parameters.ts';
import { allOf, anyOf, call, cast, compare, not, postfix, type Sql } from '../sql/expression.ts';
import { instantOf, later, startOf } from '../sql/time.ts';
import type { FilterValue } from '../structure.ts';
import { allowing, hasNoTime, parameterTypeOf, typedPlaceholder, type FilteredColumn } from './column.ts';

/** The types that text is cast to before it can be compared with a column of another type. */
const castTypes = {
  integer: 'integer',
  decimal: 'double',
  double: 'double',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  boolean: 'boolean',
} as const;

/** Returns whether a column has one of the values, or none of them. */
export function valuesCondition(
  context: Context,
  parameters: Parameters,
  column: FilteredColumn,
  values: readonly FilterValue[],
  isNegated: boolean,
): Sql {
  const { sql, type, parameter } = column;
  const [value] = values;
  if (value !== undefined && values.length === 1) {
    const isWholeDay = hasNoTime(value) && type !== 'date' && isTemporal(type);
    const placeholder = parameters.add(parameter, parameterTypeOf(type, value), value);
    if (isWholeDay) {
      const days = dayRange(context, column, { sql: placeholder, type: 'date' });
      const condition = isNegated ? anyOf([postfix(sql, 'IS NULL'), not(days)]) : days;
      return allowing(column, placeholder, condition);
    }
    const compared = typedPlaceholder(context, type, value, placeholder);
    return allowing(column, placeholder, compare(sql, isNegated ? 'IS DISTINCT FROM' : '=', compared));
  }
  const placeholder = parameters.add(parameter, 'list', values.length === 0 ? null : values.map(String));
  const [item, compared] = listItem(context, column, values);
  const list = item === undefined ? placeholder : cast(placeholder, `${item}[]`);
  if (!isNegated) return allowing(column, placeholder, compare(compared, '=', call('ANY ', list)));
  const isNone = anyOf([postfix(sql, 'IS NULL'), compare(compared, '<>', call('ALL ', list))]);
  return allowing(column, placeholder, isNone);
}

/** Returns the type of the items of a list, unless it is text, and what they are compared with. */
function listItem(
  context: Context,
  column: FilteredColumn,
  values: readonly FilterValue[],
): readonly [item: string | undefined, compared: Sql] {
  const { sql, type } = column;
  const { types } = context.dialect;
  if (isTemporal(type) && type !== 'date')
    return values.every(hasNoTime)
      ? [types.date, startOf(context, column, 'day').sql]
      : [type === 'instant' ? 'TIMESTAMPTZ' : types.datetime, sql];
  // A value such as 0.5 isn't equal to any integer, and can't be cast to one.
  if (type === 'integer' && !values.every(Number.isSafeInteger)) return [types.double, sql];
  const castType = type in castTypes ? castTypes[type as keyof typeof castTypes] : undefined;
  if (castType === undefined) return [undefined, sql];
  return [castType === 'boolean' ? 'BOOLEAN' : types[castType], sql];
}

/** Returns whether a datetime or an instant is on a day. */
function dayRange(context: Context, { sql, type }: TypedSql, day: TypedSql): Sql {
  const [start, end] = [day, later(day, 1, 'day')].map((bound) =>
    type === 'instant' ? instantOf(context, bound) : bound.sql,
  ) as [Sql, Sql];
  return allOf([compare(sql, '>=', start), compare(sql, '<', end)]);
}
