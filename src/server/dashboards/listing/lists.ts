import type { DashboardListQuery } from '#contract/dashboards/listing.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { searchFor } from '../../storage/full-text.ts';
import type { ListOrder, Place } from './cursor.ts';
import type { ListedDashboard } from './row-store.ts';
import {
  selectFavorites,
  selectFound,
  selectFoundSorted,
  selectInFolder,
  selectNewest,
  selectSorted,
  type Range,
} from './store.ts';

/** The engine decides how a search is written. */
type ListReader = Reader & Pick<Database, 'engine'>;

/** Which dashboards a list is made from. */
export interface ListScope {
  readonly userId: string;
  readonly organizationIds: readonly string[];
  /** Whether it includes the user's personal dashboards, which belong to no organization. */
  readonly hasPersonal: boolean;
}

/** Which of these dashboards a list contains, and in which order. */
export interface ListKind {
  readonly filter: DashboardListQuery['filter'];
  readonly order: ListOrder;
  /** The words of a search, if there is one. */
  readonly terms: readonly string[] | undefined;
  /** The end of the keys that a sorted search covers. */
  readonly endKey: number | undefined;
  /** Only dashboards in this folder, or in none with `none`. */
  readonly folderId: string | undefined;
}

/** A list of dashboards in its order. */
export interface DashboardList {
  readonly userId: string;
  /** Returns the first `limit` places after a place, or of the whole list. */
  read(after: Place | undefined, limit: number): Promise<Place[]>;
  /** Whether a dashboard that the user may see belongs to the list. */
  includes(dashboard: ListedDashboard): boolean;
}

/** A part of a list, such as that of one organization, in the order of the list. */
type Part = (range: Range) => Promise<Place[]>;

/** Returns a list, merged from parts that each have an index. */
export function toList(database: ListReader, scope: ListScope, kind: ListKind): DashboardList {
  const { userId, organizationIds, hasPersonal } = scope;
  const parts = partsOf(database, scope, kind);
  const { first, compare } = orders[kind.order];
  return {
    userId,
    read: async (after = first, limit) => {
      const places: Place[] = [];
      for (const read of parts) places.push(...(await read({ ...after, limit })));
      return parts.length === 1 ? places : places.toSorted(compare).slice(0, limit);
    },
    includes: ({ userId: ownerId, organizationId }) => {
      if (kind.filter === 'own' && ownerId !== userId) return false;
      return organizationId === null
        ? hasPersonal && ownerId === userId
        : organizationIds.includes(organizationId);
    },
  };
}

function partsOf(
  database: ListReader,
  { userId, organizationIds, hasPersonal }: ListScope,
  { filter, order, terms, endKey = Number.MAX_SAFE_INTEGER, folderId }: ListKind,
): Part[] {
  const [organizationId] = organizationIds;
  if (folderId !== undefined && organizationId !== undefined) {
    const isByEntry = order === 'name' || order === 'updated';
    const sorted = isByEntry ? order : 'created';
    return [(range) => selectInFolder(database, sorted, { ...range, organizationId, folderId })];
  }
  const scopes = hasPersonal ? [userId, ...organizationIds] : organizationIds;
  if ((filter === 'starred' || filter === 'recent') && order !== 'found') {
    if (terms === undefined)
      return [(range) => selectFavorites(database, order, { ...range, userId, scopes, search: undefined })];
    return scopes.map((one) => {
      const search = searchFor(database.engine, one, terms);
      return (range) => selectFavorites(database, order, { ...range, userId, scopes: [one], search });
    });
  }
  if (terms !== undefined) {
    return scopes.map((one) => {
      const search = searchFor(database.engine, one, terms);
      return order === 'name' || order === 'updated'
        ? (range) => selectFoundSorted(database, order, { ...range, search, endKey })
        : ({ value, limit }) => selectFound(database, { search, before: Number(value), limit });
    });
  }
  if (order === 'name' || order === 'updated') {
    if (filter === 'own') return [(range) => selectSorted(database, order, { ...range, ownerId: userId })];
    return scopes.map((one) => (range) => selectSorted(database, order, { ...range, scope: one }));
  }
  return scopes.map((one) => {
    const isPersonal = one === userId;
    const ownerId = isPersonal || filter === 'own' ? userId : undefined;
    const organizationId = isPersonal ? undefined : one;
    return ({ id, limit }) => selectNewest(database, { organizationId, ownerId, before: id, limit });
  });
}

/** IDs and times are in ASCII, so they can be compared as strings, and none sorts after a tilde. */
const lastFirst = {
  first: { id: '~', value: '~' },
  compare: (one: Place, other: Place): number =>
    one.value === other.value ? (one.id < other.id ? 1 : -1) : one.value < other.value ? 1 : -1,
};

/** Names are compared in the order of both engines, which is that of their UTF-8 bytes. */
const byName = {
  first: { id: '', value: '' },
  compare: (one: Place, other: Place): number =>
    one.value === other.value
      ? one.id < other.id
        ? -1
        : 1
      : Buffer.compare(Buffer.from(one.value), Buffer.from(other.value)),
};

/** Where each order starts, and how it compares places. */
const orders: Readonly<Record<ListOrder, { first: Place; compare(one: Place, other: Place): number }>> = {
  created: lastFirst,
  updated: lastFirst,
  visited: lastFirst,
  name: byName,
  found: {
    first: { id: '', value: String(Number.MAX_SAFE_INTEGER) },
    compare: (one, other) => Number(other.value) - Number(one.value),
  },
};
