import type { ParameterType } from '../../parameter-values.ts';
import type { Context } from '../context.ts';
import type { Parameters } from '../parameters.ts';
import { allOf, anyOf, atom, call, compare, not, postfix, type Sql } from '../sql/expression.ts';
import { instantOf, startOfCurrent } from '../sql/time.ts';
import type { Condition } from '../structure.ts';
import { allowing, type FilteredColumn } from './column.ts';
import { groupCondition } from './group-condition.ts';
import { rangeCondition } from './range.ts';
import { valuesCondition } from './values.ts';

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
