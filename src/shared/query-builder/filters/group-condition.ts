import { isNumeric } from '../../columns.ts';
import type { ParameterType } from '../../parameter-values.ts';
import type { Context, TypedSql } from '../context.ts';
import { allOf, compare, number, operation, type Sql } from '../sql/expression.ts';
import { instantOf, isRangeUnit, later, truncated } from '../sql/time.ts';
import { isTimeOfDay, type Grouping } from '../structure.ts';

/** Returns whether a column is in the group that starts with the value of a parameter: a range, if the engine can use one. */
export function groupCondition(
  context: Context,
  column: TypedSql,
  { granularity, binWidth }: Grouping,
  addParameter: (type: ParameterType) => Sql,
  allowing: (placeholder: Sql, condition: Sql) => Sql,
): Sql {
  const { sql, type } = column;
  if (isNumeric(type)) {
    const start = addParameter('number');
    const end = operation(start, '+', number(binWidth ?? 1));
    return allowing(start, allOf([compare(sql, '>=', start), compare(sql, '<', end)]));
  }
  const unit = granularity ?? 'day';
  if (!isRangeUnit(unit)) {
    const placeholder = addParameter('number');
    return allowing(placeholder, compare(truncated(context, column, unit).sql, '=', placeholder));
  }
  const isDatetime = isTimeOfDay(unit);
  const placeholder = addParameter(isDatetime ? 'datetime' : 'date');
  const start: TypedSql = { sql: placeholder, type: isDatetime ? 'datetime' : 'date' };
  // Where clocks are put back, the same hour occurs twice, so it isn't one range of instants.
  if (type === 'instant' && isDatetime)
    return allowing(placeholder, compare(truncated(context, column, unit).sql, '=', placeholder));
  const [from, to] = [start, later(start, 1, unit)].map((bound) =>
    type === 'instant' ? instantOf(context, bound) : bound.sql,
  ) as [Sql, Sql];
  const isSingleDay = type === 'date' && unit === 'day';
  const condition = isSingleDay
    ? compare(sql, '=', placeholder)
    : allOf([compare(sql, '>=', from), compare(sql, '<', to)]);
  return allowing(placeholder, condition);
}
