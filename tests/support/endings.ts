import type { TestContext } from 'node:test';

/** Whose end is the end of what was started for it: a test, as a rule. */
export type Owner = Pick<TestContext, 'after'>;

type Work = () => unknown;

const endings = new WeakMap<Owner, Work[]>();

/** Runs `work` at the end of its owner, the last one first: what a server uses goes after the server. */
export function atEndOf(owner: Owner, work: Work): void {
  const known = endings.get(owner);
  if (known !== undefined) {
    known.push(work);
    return;
  }
  const works = [work];
  endings.set(owner, works);
  owner.after(() => endAll(works));
}

/**
 * Runs all of `works`, the last one first, and throws what any of them has thrown. After hooks would leave out those
 * behind one that throws, and what then still listens keeps the process of the test for ever.
 */
export async function endAll(works: readonly Work[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works.toReversed()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}
