import type { DashboardListItem, DashboardListQuery } from '#contract/dashboards/listing.ts';
import type { Fault } from '#contract/problem.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError } from '../../base/errors.ts';
import { wordsOf } from '../../base/folded-text.ts';
import { pageRequest, type Page } from '../../base/paging.ts';
import { listOrganizationIds, requirePermission } from '../../organizations/authorization.ts';
import type { Database } from '../../storage/database.ts';
import { searchFor } from '../../storage/full-text.ts';
import type { DashboardIndex } from './entries.ts';
import {
  selectFound,
  selectNewestOfOrganization,
  selectNewestPersonal,
  selectSorted,
  type ListedDashboard,
} from './store.ts';
import { byBytes, readPage, scopesOf, type Listing, type ListScope } from './page.ts';
import { foundPlaces, markedPlaces, pageOfPlaces, type PlaceOrder } from './places.ts';
import { findStars } from './favorite-store.ts';

/** Lists dashboards that the actor may see. Throws `invalid_parameters`, and `not_found` of an organization. */
export async function listDashboards(
  { database, index }: { database: Database; index: DashboardIndex },
  actor: Actor,
  query: DashboardListQuery,
): Promise<Page<DashboardListItem>> {
  const { filter, sort = 'created' } = query;
  requireSense(query);
  const terms = query.q === undefined || query.q.trim() === '' ? undefined : wordsOf(query.q);
  const order: PlaceOrder = filter === 'recent' ? 'recent' : sort;
  const isStreamedSearch = terms !== undefined && order === 'created' && filter !== 'starred';
  const page = pageRequest(query, isStreamedSearch ? /^w\d{1,16}$/ : cursorPatterns[order]);
  const scope = await findScope(database, actor, query, terms);
  if (terms?.length === 0) return { items: [] };
  const stars = await findStars(database, actor.userId);
  const isMarked = filter === 'starred' || filter === 'recent';
  if (terms !== undefined || (sort !== 'created' && !isMarked)) await index.catchUp({ mayLag: true });
  if (isMarked) {
    const places = await markedPlaces(database, scope, filter);
    return pageOfPlaces(database, page, { scope, stars, order, places });
  }
  if (terms !== undefined && sort !== 'created') {
    return pageOfPlaces(database, page, { scope, stars, order, places: await foundPlaces(database, scope) });
  }
  const listing =
    sort !== 'created'
      ? sorted(database, scope, sort)
      : terms === undefined
        ? newest(database, scope)
        : found(database, scope, terms);
  return readPage(database, page, { scope, stars, listing });
}

/** Begins with the order, so that the cursor of one list is none of another. */
const cursorPatterns: Readonly<Record<PlaceOrder, RegExp>> = {
  created: /^c[0-9a-f-]{36}$/,
  name: /^n[0-9a-f-]{36}[^\0]{0,320}$/u,
  updated: /^u[0-9a-f-]{36}[0-9T:.Z-]{24}$/,
  recent: /^r[0-9a-f-]{36}[0-9T:.Z-]{24}$/,
};

function requireSense({ filter, sort, scope, organizationId }: DashboardListQuery): void {
  const faults = [];
  if (filter === 'recent' && sort !== undefined) faults.push(combination('/sort', 'filter=recent'));
  if (scope !== undefined && organizationId !== undefined) {
    faults.push(combination('/scope', 'organizationId'));
  }
  if (faults.length > 0) throw new AtriumError('invalid_parameters', undefined, { faults });
}

const combination = (pointer: string, other: string): Fault => ({
  pointer,
  code: 'combination',
  message: `must be left out with ${other}`,
});

async function findScope(
  database: Database,
  actor: Actor,
  { organizationId, filter, scope }: DashboardListQuery,
  terms: ListScope['terms'],
): Promise<ListScope> {
  const { userId } = actor;
  const sought = { isOwn: filter === 'own', terms };
  if (organizationId !== undefined) {
    await requirePermission(database, actor, organizationId, 'organization.view');
    return { ...sought, userId, organizationIds: [organizationId], hasPersonal: false };
  }
  const organizationIds = scope === 'personal' ? [] : await listOrganizationIds(database, actor);
  return { ...sought, userId, organizationIds, hasPersonal: actor.scope === 'all' };
}

function newest(database: Database, scope: ListScope): Listing {
  const { userId, organizationIds, hasPersonal, isOwn } = scope;
  return {
    keyOf: ({ id }) => `c${id}`,
    order: (one, other) => (one.id < other.id ? 1 : -1),
    read: async (after, limit) => {
      const range = { userId, before: after?.slice(1) ?? '~', limit };
      const rows = hasPersonal ? await selectNewestPersonal(database, range) : [];
      for (const organizationId of organizationIds) {
        rows.push(...(await selectNewestOfOrganization(database, { ...range, organizationId, isOwn })));
      }
      return rows;
    },
  };
}

function sorted(database: Database, scope: ListScope, sort: 'name' | 'updated'): Listing {
  const { userId, isOwn } = scope;
  const direction = sort === 'name' ? 1 : -1;
  const start = sort === 'name' ? { value: '', id: '' } : { value: '~', id: '~' };
  const letter = sort === 'name' ? 'n' : 'u';
  return {
    keyOf: ({ id, sortValue }) => `${letter}${id}${sortValue}`,
    order: (one, other) =>
      direction * (byBytes(String(one.sortValue), String(other.sortValue)) || (one.id < other.id ? -1 : 1)),
    read: async (after, limit) => {
      const place = after === undefined ? start : { id: after.slice(1, 37), value: after.slice(37) };
      const rows: ListedDashboard[] = [];
      for (const one of isOwn ? [undefined] : scopesOf(scope)) {
        rows.push(...(await selectSorted(database, sort, { ...place, userId, limit, scope: one })));
      }
      return rows;
    },
  };
}

function found(database: Database, scope: ListScope, terms: readonly string[]): Listing {
  const { userId } = scope;
  return {
    keyOf: ({ sortValue }) => `w${sortValue}`,
    order: (one, other) => Number(other.sortValue) - Number(one.sortValue),
    read: async (after, limit) => {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after.slice(1));
      const rows: ListedDashboard[] = [];
      for (const one of scopesOf(scope)) {
        const search = searchFor(database.engine, one, terms);
        rows.push(...(await selectFound(database, { userId, scope: one, search, before, limit })));
      }
      return rows;
    },
  };
}
