import { isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import type { ParameterType } from '../../parameter-values.ts';
import type { Context, TypedSql } from '../context.ts';
import type { Parameters } from '../parameters.ts';
import {
  allOf,
  anyOf,
  atom,
  between,
  call,
  cast,
  compare,
  not,
  postfix,
  type Sql,
} from '../sql/expression.ts';
import { instantOf, later, startOf, startOfCurrent } from '../sql/time.ts';
import type { Condition, FilterValue } from '../structure.ts';
import { hasZone } from '../values.ts';
import { groupCondition } from './group-condition.ts';

/** A column that is filtered, and how its parameters are named. */
export interface FilteredColumn extends TypedSql {
  readonly parameter: string;
  readonly isOptional: boolean;
}

/** Returns a valid condition as SQL: see `conditionFault`. */
export function conditionSql(
  context: Context,
  parameters: Parameters,
  column: FilteredColumn,
  condition: Condition,
): Sql {
  const { sql, type, parameter } = column;
  const { dialect } = context;
  switch (condition.operator) {
    case 'is':
    case 'is_not':
      return valuesCondition(context, parameters, column, condition.values, condition.operator === 'is_not');
    case 'contains':
    case 'does_not_contain':
    case 'starts_with':
    case 'ends_with': {
      const placeholder = parameters.add(parameter, 'text', condition.text);
      const [text, searched] = [call('lower', sql), call('lower', placeholder)] as const;
      switch (condition.operator) {
        case 'contains':
          return allowing(column, placeholder, dialect.contains(text, searched));
        case 'does_not_contain': {
          const isWithout = anyOf([postfix(sql, 'IS NULL'), not(dialect.contains(text, searched))]);
          return allowing(column, placeholder, isWithout);
        }
        case 'starts_with':
          return allowing(column, placeholder, call('starts_with', text, searched));
        case 'ends_with':
          return allowing(column, placeholder, dialect.endsWith(text, searched));
      }
      break;
    }
    case 'between':
      return rangeCondition(context, parameters, column, condition);
    case 'relative': {
      const { direction, count, unit, includesCurrent = false } = condition;
      const [from, to] = {
        last: [-count, includesCurrent ? 1 : 0],
        this: [0, 1],
        next: [includesCurrent ? 0 : 1, count + 1],
      }[direction] as [number, number];
      const [start, end] = [from, to].map((offset) => {
        const bound = startOfCurrent(context, unit, offset);
        return type === 'instant' ? instantOf(context, bound) : bound.sql;
      }) as [Sql, Sql];
      return allOf([compare(sql, '>=', start), compare(sql, '<', end)]);
    }
    case 'in_group': {
      const { value } = condition;
      if (value === undefined) return postfix(sql, 'IS NULL');
      if (condition.granularity === undefined && condition.binWidth === undefined)
        return valuesCondition(context, parameters, column, [value], false);
      const add = (valueType: ParameterType): Sql => parameters.add(parameter, valueType, value);
      return groupCondition(context, column, condition, add, (placeholder, filter) =>
        allowing(column, placeholder, filter),
      );
    }
    case 'is_empty':
      return type === 'text'
        ? anyOf([postfix(sql, 'IS NULL'), compare(sql, '=', atom("''"))])
        : postfix(sql, 'IS NULL');
    case 'is_not_empty':
      return type === 'text' ? compare(sql, '<>', atom("''")) : postfix(sql, 'IS NOT NULL');
  }
}

/** Returns the condition, or one that also allows everything while the parameter is empty. */
const allowing = ({ isOptional }: FilteredColumn, placeholder: Sql, condition: Sql): Sql =>
  isOptional ? anyOf([postfix(placeholder, 'IS NULL'), condition]) : condition;

const isDay = (value: FilterValue | undefined): boolean => typeof value === 'string' && value.length === 10;

/** Returns the type of the parameter that has a value of a column. */
function parameterTypeOf(type: ColumnType, value: FilterValue): ParameterType {
  if (isNumeric(type)) return 'number';
  if (type === 'boolean') return 'boolean';
  if (isTemporal(type)) return isDay(value) ? 'date' : 'datetime';
  return 'text';
}

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

function valuesCondition(
  context: Context,
  parameters: Parameters,
  column: FilteredColumn,
  values: readonly FilterValue[],
  isNegated: boolean,
): Sql {
  const { sql, type, parameter } = column;
  const [value] = values;
  if (value !== undefined && values.length === 1) {
    const isWholeDay = isDay(value) && type !== 'date' && isTemporal(type);
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

function typedPlaceholder(context: Context, type: ColumnType, value: FilterValue, placeholder: Sql): Sql {
  if (type === 'time' || type === 'uuid') return cast(placeholder, context.dialect.types[type]);
  // A datetime without a time zone is one of the query's time zone.
  const isLocal = type === 'instant' && !hasZone(String(value));
  return isLocal ? instantOf(context, { sql: placeholder, type: 'datetime' }) : placeholder;
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
    return values.every(isDay)
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

function rangeCondition(
  context: Context,
  parameters: Parameters,
  column: FilteredColumn,
  { from, to, isEndExcluded = false }: Extract<Condition, { readonly operator: 'between' }>,
): Sql {
  const { sql, type, parameter, isOptional } = column;
  function bound(
    value: string | number | undefined,
    end: 'from' | 'to',
  ): { sql: Sql; placeholder: Sql; isWholeDay: boolean } | undefined {
    if (value === undefined) return undefined;
    const placeholder = parameters.add(`${parameter}_${end}`, parameterTypeOf(type, value), value);
    if (isDay(value) && isTemporal(type) && type !== 'date') {
      const day = { sql: placeholder, type: 'date' } as const;
      const shifted = end === 'to' && !isEndExcluded ? later(day, 1, 'day') : day;
      const limit = type === 'instant' ? instantOf(context, shifted) : shifted.sql;
      return { sql: limit, placeholder, isWholeDay: true };
    }
    return { sql: typedPlaceholder(context, type, value, placeholder), placeholder, isWholeDay: false };
  }
  const [start, end] = [bound(from, 'from'), bound(to, 'to')];
  if (start !== undefined && end !== undefined && !end.isWholeDay && !isEndExcluded && !isOptional)
    return between(sql, start.sql, end.sql);
  const conditions: Sql[] = [];
  if (start !== undefined)
    conditions.push(allowing(column, start.placeholder, compare(sql, '>=', start.sql)));
  if (end !== undefined) {
    const condition = compare(sql, end.isWholeDay || isEndExcluded ? '<' : '<=', end.sql);
    conditions.push(allowing(column, end.placeholder, condition));
  }
  return allOf(conditions);
}
