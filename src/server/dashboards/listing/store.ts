import { sql, type SelectQueryBuilder } from 'kysely';
import type { Reader } from '../../storage/database.ts';
import { matchesSearch, matchingKeys, type FullTextRange } from '../../storage/full-text.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { Place } from './cursor.ts';

/** A range of a list: up to `limit` places after a place. */
export interface Range extends Place {
  readonly limit: number;
}

const newest = prepare(
  (
    db,
    p: { organizationId: string | undefined; ownerId: string | undefined; before: string; limit: number },
  ) => {
    let ids = db.selectFrom('dashboards').select(['id', 'id as value']);
    ids =
      p.organizationId === undefined
        ? ids.where('organization_id', 'is', null)
        : ids.where('organization_id', '=', p.organizationId);
    if (p.ownerId !== undefined) ids = ids.where('user_id', '=', p.ownerId);
    return ids.where('id', '<', p.before).orderBy('id', 'desc').limit(p.limit);
  },
);

/**
 * Returns the newest dashboards before an id, of an organization or, with none, of a user; with both only the user's
 * in the organization. They are read from the dashboards' own indexes, so the index needn't catch up.
 */
export const selectNewest = (
  reader: Reader,
  range: {
    organizationId: string | undefined;
    ownerId: string | undefined;
    before: string;
    limit: number;
  },
): Promise<Place[]> => reader.all(newest, range);

/** The columns that entries are sorted by, before the id; `created` is the order of the ids. */
const values = {
  name: sql.ref<string>('dashboard_entries.sort_name'),
  updated: sql.ref<string>('dashboard_entries.updated_at'),
  visited: sql.ref<string>('dashboard_visits.visited_at'),
};
type EntryOrder = 'created' | keyof typeof values;

/** Reads a range of entries in an order; of joined tables, `idColumn` belongs to the one whose index has this order. */
function inOrder<Within, From extends keyof Within>(
  entries: SelectQueryBuilder<Within, From, object>,
  order: EntryOrder,
  p: Range,
  idColumn = 'dashboard_entries.dashboard_id',
) {
  const id = sql.ref<string>(idColumn);
  const value = order === 'created' ? id : values[order];
  const direction = order === 'name' ? 'asc' : 'desc';
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<');
  return entries
    .select([id.as('id'), value.as('value')])
    .where(sql<boolean>`(${value}, ${id}) ${isBehind} (${p.value}, ${p.id})`)
    .orderBy(value, direction)
    .orderBy(id, direction)
    .limit(p.limit);
}

/** Prepares a query for each of some orders. */
const inOrders = <Order extends EntryOrder, Query>(
  list: readonly Order[],
  make: (order: Order) => Query,
): Record<Order, Query> =>
  // Sound because there is an entry for each order of the list.
  Object.fromEntries(list.map((order) => [order, make(order)])) as Record<Order, Query>;

const sorted = inOrders(['name', 'updated'], (order) =>
  prepare((db, p: Range & { scope?: string; ownerId?: string }) => {
    let entries = db.selectFrom('dashboard_entries');
    if (p.scope !== undefined) entries = entries.where('scope', '=', p.scope);
    if (p.ownerId !== undefined) entries = entries.where('user_id', '=', p.ownerId);
    return inOrder(entries, order, p);
  }),
);

/** Returns places among all dashboards of a scope or of an owner. */
export const selectSorted = (
  reader: Reader,
  order: keyof typeof sorted,
  range: Range & ({ scope: string } | { ownerId: string }),
): Promise<Place[]> => reader.all(sorted[order], range);

interface OfFolder extends Range {
  readonly organizationId: string;
  readonly folderId: string;
}

const newestInside = prepare((db, p: OfFolder) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'id as value'])
    .where('folder_id', '=', p.folderId)
    .where('organization_id', '=', p.organizationId)
    .where('id', '<', p.id)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const outside = inOrders(['created', 'name', 'updated'], (order) =>
  prepare((db, p: OfFolder) =>
    inOrder(
      db
        .selectFrom('dashboard_entries')
        .where('scope', '=', p.organizationId)
        .where('folder_id', '=', sql.lit('')),
      order,
      p,
    ),
  ),
);

/** A folder has few dashboards of the organization: they are read first, then sorted. */
const sortedInside = inOrders(['name', 'updated'], (order) =>
  prepare((db, p: OfFolder) =>
    inOrder(
      db
        .selectFrom('dashboards')
        .crossJoin('dashboard_entries')
        .whereRef('dashboard_entries.dashboard_id', '=', 'dashboards.id')
        .where('dashboards.folder_id', '=', p.folderId)
        .where('dashboard_entries.scope', '=', p.organizationId),
      order,
      p,
    ),
  ),
);

/** Returns places among the dashboards of an organization in a folder, or in none with `none`. */
export function selectInFolder(
  reader: Reader,
  order: 'created' | 'name' | 'updated',
  range: OfFolder,
): Promise<Place[]> {
  if (range.folderId === 'none') return reader.all(outside[order], range);
  return reader.all(order === 'created' ? newestInside : sortedInside[order], range);
}

interface OfFavorites extends Range {
  readonly userId: string;
  readonly scopes: readonly string[];
  /** If undefined, all of them. */
  readonly search: string | undefined;
}

/** SQLite runs cross joins in the order in which they are written: the user's few favorites first, never all of the scope. */
const favorites = (table: 'dashboard_stars' | 'dashboard_visits', order: EntryOrder) =>
  prepare((db, p: OfFavorites, engine) => {
    let entries = db
      .selectFrom(table)
      .crossJoin('dashboard_entries')
      .whereRef('dashboard_entries.dashboard_id', '=', `${table}.dashboard_id`)
      .where(`${table}.user_id`, '=', p.userId)
      .where('dashboard_entries.scope', 'in', p.scopes);
    if (p.search !== undefined)
      entries = entries.where(matchesSearch(engine, p.search, 'dashboard_entries.key'));
    return inOrder(entries, order, p, `${table}.dashboard_id`);
  });

const starred = inOrders(['created', 'name', 'updated'], (order) => favorites('dashboard_stars', order));
const visited = favorites('dashboard_visits', 'visited');

/**
 * Returns places among the dashboards of some scopes that a user has starred or, in the order of visits, has visited.
 */
export const selectFavorites = (reader: Reader, order: EntryOrder, range: OfFavorites): Promise<Place[]> =>
  reader.all(order === 'visited' ? visited : starred[order], range);

/** Orders other than by time only include the newest results of a search. */
const maxSortedFound = 1000;

const found = prepare((db, p: FullTextRange & { scope?: string }, engine) => {
  const entries = db
    .selectFrom(matchingKeys(engine, p).as('found'))
    .crossJoin('dashboard_entries')
    .whereRef('dashboard_entries.key', '=', 'found.key')
    .select(['dashboard_id as id', 'found.key'])
    .orderBy('found.key', 'desc');
  return p.scope === undefined ? entries : entries.where('scope', '=', p.scope);
});

/** Returns places among the dashboards that a search finds, newest first; the value is the key. */
export async function selectFound(
  reader: Reader,
  range: FullTextRange & { scope?: string },
): Promise<Place[]> {
  return (await reader.all(found, range)).map(({ id, key }) => ({ id, value: String(key) }));
}

const foundSorted = inOrders(['name', 'updated'], (order) =>
  prepare((db, p: Range & { search: string; endKey: number }, engine) => {
    const newestFound = { search: p.search, before: p.endKey, limit: maxSortedFound };
    const entries = db
      .selectFrom(matchingKeys(engine, newestFound).as('found'))
      .crossJoin('dashboard_entries')
      .whereRef('dashboard_entries.key', '=', 'found.key');
    return inOrder(entries, order, p);
  }),
);

/** Returns places among the newest 1,000 dashboards of a scope that a search finds before a key. */
export const selectFoundSorted = (
  reader: Reader,
  order: keyof typeof foundSorted,
  range: Range & { search: string; endKey: number },
): Promise<Place[]> => reader.all(foundSorted[order], range);
