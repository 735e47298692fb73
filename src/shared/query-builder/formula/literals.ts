import { isDay } from '../../dates/days.ts';
import { isDatetime } from '../../dates/times.ts';
import type { TypedSql } from '../context.ts';
import { dateLiteral, datetimeLiteral } from '../sql/literals.ts';
import type { Formula } from './syntax.ts';

/** Returns text that is written in a formula as the date or datetime that it is, or undefined if it is none. */
export function temporalLiteral(formula: Formula): TypedSql | undefined {
  if (formula.kind !== 'text') return undefined;
  if (isDay(formula.text)) return { sql: dateLiteral(formula.text), type: 'date' };
  return isDatetime(formula.text) ? { sql: datetimeLiteral(formula.text), type: 'datetime' } : undefined;
}
