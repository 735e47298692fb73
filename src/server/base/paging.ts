import { AtriumError } from './errors.ts';
import type { LimitKey } from './tenant.ts';
import { nextTurn } from './turns.ts';

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

/** What a page of a list, or a chunk of a stream, may have in memory, unless its reader says otherwise. */
export const maxPageBytes = 2 * 1024 * 1024;

/** The first rows of a list that fit into the rows and bytes of a page. */
export interface FirstRows<Row> {
  readonly rows: readonly Row[];
  /** Whether the list has more rows. */
  readonly hasMore: boolean;
}

/** Returns the page of these items. `keyOf` returns the unique key that the list is sorted by. */
export function toPage<Item>({ rows, hasMore }: FirstRows<Item>, keyOf: (item: Item) => string): Page<Item> {
  const last = rows.at(-1);
  if (!hasMore || last === undefined) return { items: [...rows] };
  return { items: [...rows], nextCursor: cursorOf(keyOf(last)) };
}

export const mapRows = <Row, Item>(
  { rows, hasMore }: FirstRows<Row>,
  toItem: (row: Row) => Item,
): FirstRows<Item> => ({ rows: rows.map((row) => toItem(row)), hasMore });

/** Returns the first `limit` items of a list that is in memory already. */
export const firstRows = <Item>(items: readonly Item[], limit: number): FirstRows<Item> => ({
  rows: items.slice(0, limit),
  hasMore: items.length > limit,
});

/**
 * Yields all rows of a list. `read` returns those that follow a row, or the first ones; no others are in memory. `key` is whose turns
 * of the event loop it takes.
 */
export async function* eachRow<Row>(
  key: LimitKey,
  read: (after: Row | undefined) => Promise<FirstRows<Row>>,
): AsyncGenerator<Row> {
  for await (const rows of eachPage(key, read)) yield* rows;
}

/**
 * Like `eachRow`, in pages. Returns to the event loop after each, since the embedded database reads at once: whoever reads fast would
 * otherwise keep everybody waiting until the end. Not for transactions, which may only await themselves.
 */
export async function* eachPage<Row>(
  key: LimitKey,
  read: (after: Row | undefined) => Promise<FirstRows<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ;) {
    const { rows, hasMore } = await read(last);
    yield rows;
    last = rows.at(-1);
    if (!hasMore || last === undefined) return;
    await nextTurn(key);
  }
}

/** Returns the cursor of a page that ends with `key`. */
export const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');

/** Returns the first items that fit into a page, at least one, since items with unlimited texts can be large. */
export function withinBytes<Item extends { readonly sizeBytes: number }>(items: readonly Item[]): Item[] {
  let bytes = 0;
  return items.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes;
    return index === 0 || bytes <= maxPageBytes;
  });
}
