import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import { sortNameOf } from '../../base/folded-text.ts';
import { cursorOf, withinBytes, type Page, type PageRequest } from '../../base/paging.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { searchFor } from '../../storage/full-text.ts';
import { byBytes, isOpen, scopesOf, toItems, type ListScope } from './page.ts';
import { findListed, selectFoundPlaces, type DashboardPlace, type ListedDashboard } from './store.ts';
import { selectFoundMarks, selectMarked } from './favorite-store.ts';

/** What a list that is small enough to be sorted as a whole is sorted by. */
export type PlaceOrder = 'created' | 'name' | 'updated' | 'recent';

interface Place extends DashboardPlace {
  readonly visitedAt: string;
}

/** So many of what a search finds are sorted otherwise than by time. */
const maxFound = 1000;

/** Returns what a user has starred or visited, and what of it fits the search. */
export async function markedPlaces(
  database: Database,
  scope: ListScope,
  filter: 'starred' | 'recent',
): Promise<Place[]> {
  const marked = await selectMarked(database, scope.userId);
  const found = await findMarks(database, scope);
  return marked
    .filter(({ isStarred, visitedAt }) => (filter === 'starred' ? isStarred : visitedAt !== undefined))
    .filter(({ id }) => found === undefined || found.has(id))
    .map(({ id, name, updatedAt, visitedAt }) => ({
      id,
      sortName: sortNameOf(name),
      updatedAt,
      visitedAt: visitedAt ?? '',
    }));
}

/** Returns the ids of what is marked and fits the search; undefined when nothing is searched for. */
async function findMarks(database: Database, scope: ListScope): Promise<Set<string> | undefined> {
  const { userId, terms } = scope;
  if (terms === undefined) return undefined;
  const found = new Set<string>();
  for (const one of scopesOf(scope)) {
    const search = searchFor(database.engine, one, terms);
    for (const id of await selectFoundMarks(database, { userId, scope: one, search })) found.add(id);
  }
  return found;
}

/** Returns the newest that a search finds, 1,000 at most. */
export async function foundPlaces(database: Database, scope: ListScope): Promise<Place[]> {
  const { userId, terms = [] } = scope;
  const range = { userId, before: Number.MAX_SAFE_INTEGER, limit: maxFound };
  const places = [];
  for (const one of scopesOf(scope)) {
    const search = searchFor(database.engine, one, terms);
    places.push(...(await selectFoundPlaces(database, { ...range, scope: one, search })));
  }
  return places
    .toSorted((one, other) => other.key - one.key)
    .slice(0, maxFound)
    .map(({ id, sortName, updatedAt }) => ({ id, sortName, updatedAt, visitedAt: '' }));
}

const letters: Readonly<Record<PlaceOrder, string>> = { created: 'c', name: 'n', updated: 'u', recent: 'r' };

/** Returns a page of places in an order; what the reader may not see is left out. */
export async function pageOfPlaces(
  reader: Reader,
  page: PageRequest,
  list: {
    scope: ListScope;
    stars: ReadonlySet<string>;
    order: PlaceOrder;
    places: readonly Place[];
  },
): Promise<Page<DashboardListItem>> {
  const { scope, stars, order, places } = list;
  const compare = comparisons[order];
  const after = page.after === undefined ? undefined : placeOfCursor(page.after, order);
  const rest = places.filter((place) => after === undefined || compare(place, after) > 0).toSorted(compare);
  const seen: { place: Place; listed: ListedDashboard }[] = [];
  for (const place of rest) {
    if (seen.length > page.limit) break;
    const listed = await findListed(reader, place.id, scope.userId);
    if (listed !== undefined && isOpen(listed, scope)) seen.push({ place, listed });
  }
  const shown = withinBytes(seen.slice(0, page.limit).map(({ listed }) => listed));
  const last = seen[shown.length - 1];
  return {
    items: await toItems(reader, shown, stars),
    ...(shown.length < seen.length &&
      last !== undefined && { nextCursor: cursorOf(keyOf(last.place, order)) }),
  };
}

const newestFirst = (one: Place, other: Place): number => byBytes(other.id, one.id);

const comparisons: Readonly<Record<PlaceOrder, (one: Place, other: Place) => number>> = {
  created: newestFirst,
  name: (one, other) => byBytes(one.sortName, other.sortName) || byBytes(one.id, other.id),
  updated: (one, other) => byBytes(other.updatedAt, one.updatedAt) || newestFirst(one, other),
  recent: (one, other) => byBytes(other.visitedAt, one.visitedAt) || newestFirst(one, other),
};

const valueOf = (place: Place, order: PlaceOrder): string =>
  ({ created: '', name: place.sortName, updated: place.updatedAt, recent: place.visitedAt })[order];

const keyOf = (place: Place, order: PlaceOrder): string =>
  `${letters[order]}${place.id}${valueOf(place, order)}`;

function placeOfCursor(key: string, order: PlaceOrder): Place {
  const value = key.slice(37);
  const none = { sortName: '', updatedAt: '', visitedAt: '' };
  const sortedBy = {
    created: {},
    name: { sortName: value },
    updated: { updatedAt: value },
    recent: { visitedAt: value },
  };
  return { ...none, id: key.slice(1, 37), ...sortedBy[order] };
}
