import type { Context, TypedSql } from '../context.ts';
import { call, number, operation, type Sql } from './expression.ts';

/**
 * Returns the start of the group of a number, a multiple of `width`. A width such as 0.1, which no double is equal to, is
 * calculated with as a fraction, since 0.3 / 0.1 is less than 3.
 */
export function binStart(context: Context, { sql, type }: TypedSql, width: number): Sql {
  const [numerator, denominator] = fractionOf(width);
  const { dialect } = context;
  const scaled = denominator === 1 ? sql : operation(sql, '*', number(denominator));
  const divided = numerator === 1 ? scaled : dialect.quotient(scaled, number(numerator), [type, 'integer']);
  const floored = call('floor', divided);
  const multiplied = numerator === 1 ? floored : operation(floored, '*', number(numerator));
  return denominator === 1 ? multiplied : operation(multiplied, '/', number(denominator));
}

/** Returns a number as a fraction of integers: 0.3 as 3 / 10. A binary fraction such as 2.5 is exact as it is. */
function fractionOf(width: number): readonly [number, number] {
  if (Number.isInteger(width * 1_024)) return [width, 1];
  for (let denominator = 10; denominator <= 1e9; denominator *= 10) {
    const numerator = Math.round(width * denominator);
    if (numerator / denominator !== width) continue;
    const divisor = greatestCommonDivisor(numerator, denominator);
    return [numerator / divisor, denominator / divisor];
  }
  return [width, 1];
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
