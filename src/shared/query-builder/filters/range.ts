import { isTemporal } from '../../columns.ts';
import type { Context } from '../context.ts';
import type { Parameters } from '../parameters.ts';
import { allOf, between, compare, type Sql } from '../sql/expression.ts';
import { instantOf, later } from '../sql/time.ts';
import type { Condition } from '../structure.ts';
import { allowing, hasNoTime, parameterTypeOf, typedPlaceholder, type FilteredColumn } from './column.ts';

/** Returns whether a column is between two values, of which one may be absent. */
export function rangeCondition(
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
    if (hasNoTime(value) && isTemporal(type) && type !== 'date') {
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
