import { sql, type ExpressionBuilder } from 'kysely';
import { newId } from '../../base/ids.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { matchingKeys, type FullTextRange } from '../../storage/full-text.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import type { Tables } from '../../storage/tables.ts';
import { mayOnDashboardOfMember } from '../access/filter.ts';
import type { SummaryRow } from '../store.ts';

/** A dashboard at its place in a list, as the database tells it: of many rows that are read, few are shown. */
export interface ListedDashboard extends Omit<SummaryRow, 'name'> {
  /** Of its name and its description. */
  readonly sizeBytes: number;
  /** Null when it or the description is large; then the description is, too. */
  readonly name: string | null;
  /** 1 when the reader may see it, as a member of its organization or as its owner. */
  readonly isSeen: number;
  /** What the list is sorted by, beside the id; a number may come as a text. */
  readonly sortValue?: string | number;
}

/** A page of rows below this size is read at once. */
const largeBytes = 16 * 1024;

const sizeBytes = sql<number>`octet_length(dashboards.name) + coalesce(octet_length(dashboards.description), 0)`;
const isSmall = sql<boolean>`${sizeBytes} <= ${sql.lit(largeBytes)}`;

/** A number, since a list is cut off after so many rows, seen or not. */
const isSeen = (where: ExpressionBuilder<Tables, 'dashboards'>, userId: string) =>
  where
    .case()
    .when(
      where.and([
        where('dashboards.deleted_at', 'is', null),
        mayOnDashboardOfMember('dashboard.view', userId),
      ]),
    )
    .then(1)
    .else(0)
    .end();

/** What a list reads of each dashboard, for the user `userId`. */
const listedColumns = (where: ExpressionBuilder<Tables, 'dashboards'>, userId: string) => [
  'dashboards.id' as const,
  'dashboards.user_id as userId' as const,
  'dashboards.organization_id as organizationId' as const,
  'dashboards.created_at as createdAt' as const,
  'dashboards.updated_at as updatedAt' as const,
  sizeBytes.as('sizeBytes'),
  sql<string | null>`case when ${isSmall} then dashboards.name end`.as('name'),
  sql<string | null>`case when ${isSmall} then dashboards.description end`.as('description'),
  isSeen(where, userId).as('isSeen'),
];

interface NewestFirst {
  userId: string;
  before: string;
  limit: number;
}

const newestOfOrganization = prepare((db, p: NewestFirst & { organizationId: string }) =>
  db
    .selectFrom('dashboards')
    .select((where) => listedColumns(where, p.userId))
    .where('organization_id', '=', p.organizationId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const newestPersonal = prepare((db, p: NewestFirst) =>
  db
    .selectFrom('dashboards')
    .select((where) => listedColumns(where, p.userId))
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const newestOwnOfOrganization = prepare((db, p: NewestFirst & { organizationId: string }) =>
  db
    .selectFrom('dashboards')
    .select((where) => listedColumns(where, p.userId))
    .where('user_id', '=', p.userId)
    .where('organization_id', '=', p.organizationId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Where a list that is sorted by `value` goes on. */
interface Behind {
  userId: string;
  value: string;
  id: string;
  limit: number;
}

const entries = (db: Sql, p: { userId: string; limit: number }) =>
  db
    .selectFrom('dashboard_entries')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_entries.dashboard_id')
    .select((where) => listedColumns(where, p.userId))
    .limit(p.limit);

const behindName = (p: Behind) => sql<boolean>`(sort_name, dashboard_id) > (${p.value}, ${p.id})`;
const behindUpdate = (p: Behind) =>
  sql<boolean>`(dashboard_entries.updated_at, dashboard_id) < (${p.value}, ${p.id})`;

const byName = prepare((db, p: Behind & { scope: string }) =>
  entries(db, p)
    .select('sort_name as sortValue')
    .where('scope', '=', p.scope)
    .where(behindName(p))
    .orderBy('sort_name')
    .orderBy('dashboard_id'),
);

const ownByName = prepare((db, p: Behind) =>
  entries(db, p)
    .select('sort_name as sortValue')
    .where('dashboard_entries.user_id', '=', p.userId)
    .where(behindName(p))
    .orderBy('sort_name')
    .orderBy('dashboard_id'),
);

const byUpdate = prepare((db, p: Behind & { scope: string }) =>
  entries(db, p)
    .select('dashboard_entries.updated_at as sortValue')
    .where('scope', '=', p.scope)
    .where(behindUpdate(p))
    .orderBy('dashboard_entries.updated_at', 'desc')
    .orderBy('dashboard_id', 'desc'),
);

const ownByUpdate = prepare((db, p: Behind) =>
  entries(db, p)
    .select('dashboard_entries.updated_at as sortValue')
    .where('dashboard_entries.user_id', '=', p.userId)
    .where(behindUpdate(p))
    .orderBy('dashboard_entries.updated_at', 'desc')
    .orderBy('dashboard_id', 'desc'),
);

interface Search extends FullTextRange {
  userId: string;
  scope: string;
}

/** Cross joins, which SQLite takes in the order they stand: the few found first, never all of the scope. */
const found = prepare((db, p: Search, engine) =>
  db
    .selectFrom(matchingKeys(engine, p).as('found'))
    .crossJoin('dashboard_entries')
    .crossJoin('dashboards')
    .whereRef('dashboard_entries.key', '=', 'found.key')
    .whereRef('dashboards.id', '=', 'dashboard_entries.dashboard_id')
    .select((where) => listedColumns(where, p.userId))
    .select('found.key as sortValue')
    .where('scope', '=', p.scope)
    .orderBy('found.key', 'desc'),
);

const foundPlaces = prepare((db, p: Search, engine) =>
  db
    .selectFrom(matchingKeys(engine, p).as('found'))
    .crossJoin('dashboard_entries')
    .whereRef('dashboard_entries.key', '=', 'found.key')
    .select(['dashboard_id as id', 'found.key', 'sort_name as sortName', 'updated_at as updatedAt'])
    .where('scope', '=', p.scope)
    .orderBy('found.key', 'desc'),
);

const one = prepare((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('dashboards')
    .select((where) => listedColumns(where, p.userId))
    .where('id', '=', p.id),
);

const large = prepare((db, p: { id: string }) =>
  db.selectFrom('dashboards').select(['name', 'description']).where('id', '=', p.id),
);

/** Returns the newest dashboards of an organization before `before`; with `isOwn` those alone that the user owns. */
export async function selectNewestOfOrganization(
  reader: Reader,
  { isOwn, ...range }: NewestFirst & { organizationId: string; isOwn: boolean },
): Promise<ListedDashboard[]> {
  return reader.all(isOwn ? newestOwnOfOrganization : newestOfOrganization, range);
}

/** Returns the newest dashboards before `before` that belong to no organization but to the user. */
export async function selectNewestPersonal(reader: Reader, range: NewestFirst): Promise<ListedDashboard[]> {
  return reader.all(newestPersonal, range);
}

/** Returns the dashboards of a scope, or with none the user's own everywhere, behind a place in the order of `sort`. */
export async function selectSorted(
  reader: Reader,
  sort: 'name' | 'updated',
  { scope, ...behind }: Behind & { scope: string | undefined },
): Promise<ListedDashboard[]> {
  const own = sort === 'name' ? ownByName : ownByUpdate;
  if (scope === undefined) return reader.all(own, behind);
  return reader.all(sort === 'name' ? byName : byUpdate, { ...behind, scope });
}

const queueMatching = prepare((db, p: FullTextRange & { change: string }, engine) =>
  db
    .insertInto('dashboard_queue')
    .columns(['id', 'dashboard_id'])
    .expression(
      db
        .selectFrom(matchingKeys(engine, p).as('found'))
        .innerJoin('dashboard_entries', 'dashboard_entries.key', 'found.key')
        .select([sql<string>`dashboard_id || ${p.change}`.as('id'), 'dashboard_id']),
    ),
);

/** Has the index look at the dashboards again that fit a search. */
export const queueFound = (transaction: Transaction, search: FullTextRange): Promise<number> =>
  transaction.run(queueMatching, { ...search, change: `:${newId()}` });

/** Returns the newest dashboards of a scope that fit a search; their `sortValue` is their key. */
export async function selectFound(reader: Reader, search: Search): Promise<ListedDashboard[]> {
  return reader.all(found, search);
}

/** A dashboard of a list that is sorted as a whole. */
export interface DashboardPlace {
  readonly id: string;
  readonly sortName: string;
  readonly updatedAt: string;
}

/** Returns where the newest dashboards of a scope lie that fit a search. */
export async function selectFoundPlaces(
  reader: Reader,
  search: Search,
): Promise<(DashboardPlace & { key: number })[]> {
  const rows = await reader.all(foundPlaces, search);
  return rows.map((row) => ({ ...row, key: Number(row.key) }));
}

/** Returns a dashboard as a list has it, or undefined when it is no more. */
export async function findListed(
  reader: Reader,
  id: string,
  userId: string,
): Promise<ListedDashboard | undefined> {
  return reader.first(one, { id, userId });
}

/** Returns the name and the description of a dashboard, or undefined when it is no more. */
export async function findLargeHead(
  reader: Reader,
  id: string,
): Promise<{ name: string; description: string | null } | undefined> {
  return reader.first(large, { id });
}
