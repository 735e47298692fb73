export const listFilters = ['own', 'starred', 'recent'] as const;
export type ListFilter = (typeof listFilters)[number];

export const listSorts = ['updated', 'name', 'created'] as const;
export type ListSort = (typeof listSorts)[number];

/** What the address of a list says: what is looked for, which are shown, in which order, and what is open over it. */
export interface ListSearch {
  readonly q?: string;
  /** Left out: all. */
  readonly show?: ListFilter;
  /** Left out: the last changed first. */
  readonly sort?: ListSort;
  /** The dialog that asks for the name of a new one. */
  readonly open?: 'new';
}

const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  (words as readonly unknown[]).includes(value);

export const readListSearch = ({ q, show, sort, open }: Readonly<Record<string, unknown>>): ListSearch => ({
  ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 200) }),
  ...(isOneOf(listFilters, show) && { show }),
  ...(isOneOf(listSorts, sort) && { sort }),
  ...(open === 'new' && { open }),
});
