import type { TestContext } from 'node:test';

/** A test or suite; what is started for it ends with it. */
export type Owner = Pick<TestContext, 'after'>;

type Work = () => unknown;

const endings = new WeakMap<Owner, Work[]>();

/** Runs `work` when its owner ends, in reverse order: what a server uses is stopped after the server. */
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
 * Runs all of `works` in reverse order, and throws what any of them has thrown. After a hook that throws, Node skips
 * the remaining hooks, and what is still listening then would keep the test's process alive forever.
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
