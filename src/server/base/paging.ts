import { AtriumError } from './errors.ts';

/** The page of a list to read: at most `limit` items that sort after `after`, which is undefined for the first page. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** The form of an item's id in a cursor. */
const idKey = /^[0-9a-f-]{36}$/;

/**
 * Reads the query of a list that is sorted by id, or by keys that match `key`. Throws `invalid_parameters` if the
 * cursor is not valid.
 */
export function pageRequest(query: { limit?: string; cursor?: string }, key: RegExp = idKey): PageRequest {
  const limit = query.limit === undefined ? 50 : Number(query.limit);
  if (query.cursor === undefined) return { limit, after: undefined };
  const after = Buffer.from(query.cursor, 'base64url').toString('utf8');
  if (!key.test(after)) throw invalidCursor();
  return { limit, after };
}

/** The error of a cursor that no page of this list has returned. */
export function invalidCursor(): AtriumError {
  const fault = { pointer: '/cursor', code: 'cursor', message: 'must be the nextCursor of a previous page' };
  return new AtriumError('invalid_parameters', 'The cursor is not valid.', { faults: [fault] });
}

/**
 * Returns a page of items that were read with a limit of one more than the page has: the additional item means that
 * there is a next page. `keyOf` returns the unique key that the list is sorted by.
 */
export function toPage<Item>(
  items: readonly Item[],
  { limit }: PageRequest,
  keyOf: (item: Item) => string,
): Page<Item> {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  if (items.length <= limit || last === undefined) return { items: shown };
  return { items: shown, nextCursor: cursorOf(keyOf(last)) };
}

/** Yields the pages of rows that `read` returns sorted by ID, each after the last row of the one before, until one is not full. */
export async function* eachPage<Row extends { readonly id: string }>(
  limit: number,
  read: (page: { readonly after: string; readonly limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = '';
  for (;;) {
    const rows = await read({ after, limit });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = last.id;
  }
}

/** Returns the cursor of a page that ends with `key`. */
export const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');

const maxPageBytes = 4 * 1024 * 1024;

/** Returns the first items that fit into a page, at least one, since items with unlimited texts can be large. */
export function withinBytes<Item extends { readonly sizeBytes: number }>(items: readonly Item[]): Item[] {
  let bytes = 0;
  return items.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index === 0 || bytes <= maxPageBytes;
  });
}
