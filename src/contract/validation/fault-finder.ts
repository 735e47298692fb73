import type { Static, TSchema } from 'typebox';
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

/** Returns what tells whether a value has the type of a schema, by the same rules. */
export function guardOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  const findFaults = faultFinder(schema);
  return (value): value is Static<Schema> => findFaults(value).length === 0;
}
