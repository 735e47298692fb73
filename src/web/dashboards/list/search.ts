const listFilters = ['own', 'starred', 'recent'] as const;
export type ListFilter = (typeof listFilters)[number];

const listSorts = ['updated', 'name', 'created'] as const;
export type ListSort = (typeof listSorts)[number];

/** What the URL of a list contains: the search text, the filter, the order, and the dialog that is open. */
export interface ListSearch {
  readonly q?: string;
  /** Left out for all dashboards. */
  readonly show?: ListFilter;
  /** Left out for the last updated first. */
  readonly sort?: ListSort;
  /** The folder that is open, or `all` for what is in all of them; left out for what is in none. */
  readonly folder?: string;
  /** The dialog that creates or imports a dashboard. */
  readonly open?: 'new' | 'import';
}

const isOneOf = <Option extends string>(options: readonly Option[], value: unknown): value is Option =>
  (options as readonly unknown[]).includes(value);

export const readListSearch = ({
  q,
  show,
  sort,
  folder,
  open,
}: Readonly<Record<string, unknown>>): ListSearch => ({
  ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 200) }),
  ...(isOneOf(listFilters, show) && { show }),
  ...(isOneOf(listSorts, sort) && { sort }),
  ...(typeof folder === 'string' && folder !== '' && { folder: folder.slice(0, 100) }),
  ...((open === 'new' || open === 'import') && { open }),
});
