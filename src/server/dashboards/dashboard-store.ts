import { sql } from 'kysely';
import type { DashboardSummary } from '#contract/dashboards.ts';
import type { PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

/** A dashboard as it is stored. */
export interface StoredDashboard {
  readonly summary: DashboardSummary;
  /** The text of its `Widget[]`, as `JSON.stringify` wrote it. */
  readonly widgetsJson: string;
  /** What its `ETag` shows. */
  readonly version: number;
}

interface SummaryRow {
  id: string;
  userId: string;
  organizationId: string | null;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}

const insert = prepare((db, p: SummaryRow & { widgets: string; version: number }) =>
  db.insertInto('dashboards').values({
    id: p.id,
    user_id: p.userId,
    organization_id: p.organizationId,
    name: p.name,
    description: p.description,
    widgets: p.widgets,
    version: p.version,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
  }),
);

const summaryColumns = [
  'dashboards.id',
  'dashboards.user_id as userId',
  'dashboards.organization_id as organizationId',
  'dashboards.name',
  'dashboards.description',
  'dashboards.created_at as createdAt',
  'dashboards.updated_at as updatedAt',
] as const;

/** A dashboard that somebody else may not see is not even read: how long that takes would tell of it. */
const readable = prepare((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('dashboards')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'dashboards.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .select([
      ...summaryColumns,
      'dashboards.widgets',
      'dashboards.version',
      'organizations.require_sso as requireSso',
    ])
    .where('dashboards.id', '=', p.id)
    .where((where) =>
      where.or([
        where('members.role', 'is not', null),
        where.and([
          where('dashboards.organization_id', 'is', null),
          where('dashboards.user_id', '=', p.userId),
        ]),
      ]),
    ),
);

const sizeColumns = [
  'id',
  sql<number>`octet_length(name)`.as('nameBytes'),
  sql<number | null>`octet_length(description)`.as('descriptionBytes'),
] as const;

const sizesOfOrganization = prepare((db, p: { organizationId: string; before: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .select(sizeColumns)
    .where('organization_id', '=', p.organizationId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const sizesOfOwn = prepare((db, p: { userId: string; before: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .select(sizeColumns)
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const headsOfOrganization = prepare((db, p: { organizationId: string; from: string; to: string }) =>
  db
    .selectFrom('dashboards')
    .select(summaryColumns)
    .where('organization_id', '=', p.organizationId)
    .where('id', '>=', p.from)
    .where('id', '<=', p.to),
);

const headsOfOwn = prepare((db, p: { userId: string; from: string; to: string }) =>
  db
    .selectFrom('dashboards')
    .select(summaryColumns)
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null)
    .where('id', '>=', p.from)
    .where('id', '<=', p.to),
);

const toSummary = (row: SummaryRow): DashboardSummary => ({
  id: row.id,
  userId: row.userId,
  ...(row.organizationId !== null && { organizationId: row.organizationId }),
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export const insertDashboard = (
  transaction: Transaction,
  { summary, widgetsJson, version }: StoredDashboard,
): Promise<number> =>
  transaction.run(insert, {
    ...summary,
    organizationId: summary.organizationId ?? null,
    description: summary.description ?? null,
    widgets: widgetsJson,
    version,
  });

/**
 * Returns a dashboard that is the user's own or of an organization the user is a member of, or undefined; and whether
 * that organization requires SSO.
 */
export async function findReadableDashboard(
  reader: Reader,
  id: string,
  userId: string,
): Promise<(StoredDashboard & { requireSso: boolean }) | undefined> {
  const row = await reader.first(readable, { id, userId });
  if (row === undefined) return undefined;
  const { widgets: widgetsJson, version, requireSso } = row;
  return { summary: toSummary(row), widgetsJson, version, requireSso: requireSso === 1 };
}

export interface DashboardScope {
  /** Whose own dashboards belong to the list; undefined: nobody's. */
  readonly userId: string | undefined;
  readonly organizationIds: readonly string[];
}

export interface DashboardPlace {
  readonly id: string;
  readonly sizeBytes: number;
}

/**
 * Returns up to one more than the page has, newest first, of the dashboards in a scope: which they are, and how large
 * their heads. Each organization is read from its index, and one after the other: neither the size of any nor their
 * number takes the database from others.
 */
export async function selectDashboardPlaces(
  reader: Reader,
  { userId, organizationIds }: DashboardScope,
  page: PageRequest,
): Promise<DashboardPlace[]> {
  const position = { before: page.after ?? '~', limit: page.limit + 1 };
  const rows = userId === undefined ? [] : await reader.all(sizesOfOwn, { userId, ...position });
  for (const organizationId of organizationIds) {
    rows.push(...(await reader.all(sizesOfOrganization, { organizationId, ...position })));
  }
  return rows
    .toSorted(newestFirst)
    .slice(0, position.limit)
    .map(({ id, nameBytes, descriptionBytes }) => ({ id, sizeBytes: nameBytes + (descriptionBytes ?? 0) }));
}

/** Returns the heads of all dashboards in a scope from one id to another, both included, newest first. */
export async function selectDashboardHeads(
  reader: Reader,
  { userId, organizationIds }: DashboardScope,
  range: { from: string; to: string },
): Promise<DashboardSummary[]> {
  const rows = userId === undefined ? [] : await reader.all(headsOfOwn, { userId, ...range });
  for (const organizationId of organizationIds) {
    rows.push(...(await reader.all(headsOfOrganization, { organizationId, ...range })));
  }
  return rows.toSorted(newestFirst).map(toSummary);
}

const newestFirst = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? 1 : -1);
