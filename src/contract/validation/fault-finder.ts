import type { TSchema } from 'typebox';
import type { Fault } from '../problem.ts';
import { checkOf } from './checks.ts';
import { maxFaults } from './findings.ts';

/**
 * Returns every fault of a value, at most 100, or an empty list, in time that is linear in its size. Nothing is coerced, filled in or
 * removed. If a text does not match its pattern, the message is the schema's `x-expected`.
 */
export function faultFinder(schema: TSchema): (value: unknown) => Fault[] {
  const check = checkOf(schema);
  return (value) => {
    const faults: Fault[] = [];
    check(value, { faults, path: [] });
    return faults.slice(0, maxFaults);
  };
}
