import type { DashboardListQuery } from '#contract/dashboards/listing.ts';
import { cursorOf, pageRequest } from '../../base/paging.ts';

/** What a list is sorted by. `visited`: when the reader last opened it; `found`: by its key among what a search finds. */
export type ListOrder = 'created' | 'name' | 'updated' | 'visited' | 'found';

/** Where a dashboard is in a list: its value in the order of the list, and its id. */
export interface Place {
  readonly id: string;
  readonly value: string;
}

/** Where a page begins. */
export interface ListPage {
  readonly limit: number;
  /** Undefined: at the beginning of the list. */
  readonly after: Place | undefined;
  /** Of a search that is sorted otherwise than by time: the end of the keys that it covers, the same on each page. */
  readonly endKey: number | undefined;
}

const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]{12}Z`;
const id = '[0-9a-f-]{36}';
const values: Readonly<Record<ListOrder, string>> = {
  created: id,
  name: String.raw`[^\0]{0,320}`,
  updated: time,
  visited: time,
  found: String.raw`\d{1,16}`,
};

/** The kind of a list: a cursor of one kind is invalid in another. */
const kindOf = ({ filter, q }: DashboardListQuery, order: ListOrder): string =>
  `${order} ${filter ?? 'all'} ${q === undefined ? '' : 'q'}`;

/** Reads the page that a query asks for. Throws `invalid_parameters` if the cursor isn't one of this kind of list. */
export function readListPage(query: DashboardListQuery, order: ListOrder): ListPage {
  const pattern = new RegExp(`^${kindOf(query, order)}\n(\\d{0,16})\n(${id})\n(${values[order]})$`, 'u');
  const { limit, after } = pageRequest(query, pattern);
  const [, endKey = '', afterId = '', value = ''] = (after && pattern.exec(after)) ?? [];
  return {
    limit,
    after: after === undefined ? undefined : { id: afterId, value },
    endKey: endKey === '' ? undefined : Number(endKey),
  };
}

/** Returns the cursor of a page that ends with a place. */
export const listCursor = (
  query: DashboardListQuery,
  order: ListOrder,
  endKey: number | undefined,
  last: Place,
): string => cursorOf([kindOf(query, order), endKey ?? '', last.id, last.value].join('\n'));
