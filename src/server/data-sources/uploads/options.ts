import type { ChosenOptions } from '#contract/data-sources/imports.ts';
import type { Fault } from '#contract/problem.ts';
import { invalidFaults } from '../../base/errors.ts';

/** Throws `invalid_body` unless columns have names that SQL can distinguish. */
export function requireColumnNames({ columns = [] }: ChosenOptions): void {
  const taken = new Set<string>();
  const faults: Fault[] = [];
  for (const [index, { name }] of columns.entries()) {
    const key = name.trim().toLowerCase();
    const message =
      key === '' || /\p{Cc}/u.test(name)
        ? 'must be on one line, with at least one visible character'
        : taken.has(key)
          ? 'must not be the name of another column, in upper or lower case'
          : undefined;
    if (message !== undefined)
      faults.push({ pointer: `/options/columns/${index}/name`, code: 'name', message });
    taken.add(key);
  }
  if (faults.length > 0) throw invalidFaults(faults);
}
