/** Returns a list with one element replaced. */
export const replacedAt = <T>(list: readonly T[], index: number, element: T): T[] =>
  list.with(index, element);

/** Returns a list without one element. */
export const withoutAt = <T>(list: readonly T[], index: number): T[] => list.toSpliced(index, 1);
