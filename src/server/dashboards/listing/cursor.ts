import type { DashboardListQuery } from '#contract/dashboards/listing.ts';
import { cursorOf, invalidCursor, pageRequest } from '../../base/paging.ts';

/** What a list is sorted by. `visited`: when the reader last opened the dashboard; `found`: its key in the search index. */
export type ListOrder = 'created' | 'name' | 'updated' | 'visited' | 'found';

/** The position of a dashboard in a list: its value in the order of the list, and its ID. */
export interface Place {
  readonly id: string;
  readonly value: string;
}

/** Where a page starts and how long it is. */
export interface ListPage {
  readonly limit: number;
  /** Undefined for the start of the list. */
  readonly after: Place | undefined;
  /** For a search that isn't sorted by time, the end of the keys that it covers, which is the same on each page. */
  readonly endKey: number | undefined;
}

/** The patterns of the kind of list, the end of the keys, the ID and the value. */
const patterns: Readonly<Record<ListOrder, RegExp>> = {
  created: /^(.*)\n(\d{0,16})\n([0-9a-f-]{36})\n([0-9a-f-]{36})$/u,
  name: /^(.*)\n(\d{0,16})\n([0-9a-f-]{36})\n([^\0]{0,320})$/u,
  updated: /^(.*)\n(\d{0,16})\n([0-9a-f-]{36})\n(\d{4}-\d\d-\d\dT[\d:.]{12}Z)$/u,
  visited: /^(.*)\n(\d{0,16})\n([0-9a-f-]{36})\n(\d{4}-\d\d-\d\dT[\d:.]{12}Z)$/u,
  found: /^(.*)\n(\d{0,16})\n([0-9a-f-]{36})\n(\d{1,16})$/u,
};

/** Returns the kind of a list: a cursor of one kind is invalid in another. */
const kindOf = ({ filter, q }: DashboardListQuery, order: ListOrder): string =>
  `${order} ${filter ?? 'all'} ${q === undefined ? '' : 'q'}`;

/** Reads the page that a query asks for. Throws `invalid_parameters` if the cursor isn't one of this kind of list. */
export function readListPage(query: DashboardListQuery, order: ListOrder): ListPage {
  const { limit, after } = pageRequest(query, patterns[order]);
  const [, kind, endKey = '', afterId = '', value = ''] = (after && patterns[order].exec(after)) ?? [];
  if (after !== undefined && kind !== kindOf(query, order)) throw invalidCursor();
  return {
    limit,
    after: after === undefined ? undefined : { id: afterId, value },
    endKey: endKey === '' ? undefined : Number(endKey),
  };
}

/** Returns the cursor for the page after a place. */
export const listCursor = (
  query: DashboardListQuery,
  order: ListOrder,
  endKey: number | undefined,
  last: Place,
): string => cursorOf([kindOf(query, order), endKey ?? '', last.id, last.value].join('\n'));
