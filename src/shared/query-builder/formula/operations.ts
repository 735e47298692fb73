import { isGroupable, isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import type { Context } from '../context.ts';
import { allOf, anyOf, call, compare, number, operation, type Sql } from '../sql/expression.ts';
import { instantOf } from '../sql/time.ts';
import { isNull, valueName, type CompileScope, type Place } from './scope.ts';
import type { Argument } from './functions/definition.ts';
import { temporalLiteral } from './literals.ts';
import type { Formula } from './syntax.ts';
import { commonType } from './types.ts';

type Operation = Extract<Formula, { readonly kind: 'operation' }>;

export function compileOperation(
  scope: CompileScope,
  formula: Operation,
  place: Place,
): Argument | undefined {
  const left = scope.compile(formula.left, place);
  const right = scope.compile(formula.right, place);
  if (left === undefined || right === undefined) return undefined;
  const { operator } = formula;
  switch (operator) {
    case 'and':
    case 'or': {
      const wrong = [left, right].find((value) => value.type !== 'boolean' || isNull(value.formula));
      if (wrong !== undefined)
        return scope.fault(wrong.formula, `“${operator}” needs conditions, not ${valueName(wrong)}.`);
      const sql = operator === 'and' ? allOf([left.sql, right.sql]) : anyOf([left.sql, right.sql]);
      return { formula, sql, type: 'boolean' };
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const wrong = [left, right].find((value) => !isNumeric(value.type) || isNull(value.formula));
      if (wrong !== undefined)
        return scope.fault(
          wrong.formula,
          `“${operator}” needs numbers, not ${valueName(wrong)}.${hint(wrong)}`,
        );
      return { formula, ...arithmetic(scope.context, operator, left, right) };
    }
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(scope, formula, left, right);
  }
}

function hint({ type }: Argument): string {
  if (type === 'text') return ' Use concat to join texts.';
  return isTemporal(type) ? ' Use date_add or date_diff.' : '';
}

function arithmetic(
  { dialect }: Context,
  operator: '+' | '-' | '*' | '/' | '%',
  left: Argument,
  right: Argument,
): { sql: Sql; type: ColumnType } {
  const type = commonType([left.type, right.type]) ?? 'double';
  const types = [left.type, right.type] as const;
  if (operator === '/') return { sql: dialect.quotient(left.sql, divisor(right), types), type: 'double' };
  if (operator === '%') return { sql: dialect.remainder(left.sql, divisor(right), types), type };
  return { sql: operation(left.sql, operator, right.sql), type };
}

/** Returns a divisor that is null instead of zero. */
function divisor({ formula, sql }: Argument): Sql {
  const isNotZero = formula.kind === 'number' && Number(formula.text) !== 0;
  return isNotZero ? sql : call('nullif', sql, number(0));
}

function comparison(
  { context, fault }: CompileScope,
  formula: Operation,
  left: Argument,
  right: Argument,
): Argument | undefined {
  const { operator } = formula;
  if (isNull(left.formula) || isNull(right.formula))
    return fault(formula, 'Nothing is equal to null. Use is_null(…).');
  const pair = comparable(context, left, right);
  if (pair === undefined)
    return fault(formula, `${capitalized(valueName(left))} can’t be compared with ${valueName(right)}.`);
  if (left.type === 'boolean' && operator !== '=' && operator !== '<>')
    return fault(formula, 'True and false have no order.');
  return { formula, sql: compare(pair[0], operator, pair[1]), type: 'boolean' };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns two values as they can be compared, or undefined if they can't be. */
function comparable(context: Context, left: Argument, right: Argument): readonly [Sql, Sql] | undefined {
  if (isNumeric(left.type) && isNumeric(right.type)) return [left.sql, right.sql];
  if (isTemporal(left.type) && right.type === 'text') return withLiteral(context, left, right);
  if (left.type === 'text' && isTemporal(right.type)) {
    const [sql, literal] = withLiteral(context, right, left) ?? [];
    return sql && literal && [literal, sql];
  }
  if (isTemporal(left.type) && isTemporal(right.type)) {
    if (left.type === right.type) return [left.sql, right.sql];
    if (left.type !== 'instant' && right.type !== 'instant') return [left.sql, right.sql];
    return [left, right].map((value) =>
      value.type === 'instant' ? value.sql : instantOf(context, value),
    ) as [Sql, Sql];
  }
  return left.type === right.type && isGroupable(left.type) ? [left.sql, right.sql] : undefined;
}

/** Returns a date or time, and the text that it is compared with as one of the same type. */
function withLiteral(context: Context, value: Argument, text: Argument): readonly [Sql, Sql] | undefined {
  const literal = temporalLiteral(text.formula);
  if (literal === undefined || (value.type === 'date' && literal.type === 'datetime')) return undefined;
  return [value.sql, value.type === 'instant' ? instantOf(context, literal) : literal.sql];
}
