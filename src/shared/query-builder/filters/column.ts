import { isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import { hasZone } from '../../dates/times.ts';
import type { ParameterType } from '../../parameter-values.ts';
import type { Context, TypedSql } from '../context.ts';
import { anyOf, cast, postfix, type Sql } from '../sql/expression.ts';
import { instantOf } from '../sql/time.ts';
import type { FilterValue } from '../structure.ts';

/** A column that is filtered, and how its parameters are named. */
export interface FilteredColumn extends TypedSql {
  readonly parameter: string;
  readonly isOptional: boolean;
}

/** Returns the condition, or one that also allows everything while the parameter is empty. */
export const allowing = ({ isOptional }: FilteredColumn, placeholder: Sql, condition: Sql): Sql =>
  isOptional ? anyOf([postfix(placeholder, 'IS NULL'), condition]) : condition;

/** Whether a value is a date without a time. */
export const hasNoTime = (value: FilterValue | undefined): boolean =>
  typeof value === 'string' && value.length === 10;

/** Returns the type of the parameter that has a value of a column. */
export function parameterTypeOf(type: ColumnType, value: FilterValue): ParameterType {
  if (isNumeric(type)) return 'number';
  if (type === 'boolean') return 'boolean';
  if (isTemporal(type)) return hasNoTime(value) ? 'date' : 'datetime';
  return 'text';
}

/** Returns a parameter as a value that can be compared with a column. */
export function typedPlaceholder(
  context: Context,
  type: ColumnType,
  value: FilterValue,
  placeholder: Sql,
): Sql {
  if (type === 'time' || type === 'uuid') return cast(placeholder, context.dialect.types[type]);
  // A datetime without a time zone is one of the query's time zone.
  const isLocal = type === 'instant' && !hasZone(String(value));
  return isLocal ? instantOf(context, { sql: placeholder, type: 'datetime' }) : placeholder;
}
