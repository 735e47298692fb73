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

const insert = prepare((sql, p: SummaryRow & { widgets: string; version: number }) =>
  sql.insertInto('dashboards').values({
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

const byId = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('dashboards')
    .select([...summaryColumns, 'dashboards.widgets', 'dashboards.version'])
    .where('id', '=', p.id),
);

interface ListPosition {
  before: string;
  limit: number;
}

const listOfOrganization = prepare((sql, p: ListPosition & { organizationId: string }) =>
  sql
    .selectFrom('dashboards')
    .select(summaryColumns)
    .where('organization_id', '=', p.organizationId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const listOwn = prepare((sql, p: ListPosition & { userId: string }) =>
  sql
    .selectFrom('dashboards')
    .select(summaryColumns)
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
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

/** Returns a dashboard, whoever asks, or undefined. */
export async function findDashboard(reader: Reader, id: string): Promise<StoredDashboard | undefined> {
  const row = await reader.first(byId, { id });
  return row && { summary: toSummary(row), widgetsJson: row.widgets, version: row.version };
}

/**
 * Returns up to one more than the page has, newest first, of a user's own dashboards (when `userId` is given) and
 * those of organizations. Each of these is read from its index, so that the size of none matters.
 */
export async function selectDashboards(
  reader: Reader,
  scope: { userId: string | undefined; organizationIds: readonly string[] },
  page: PageRequest,
): Promise<DashboardSummary[]> {
  const position = { before: page.after ?? '~', limit: page.limit + 1 };
  const rows: SummaryRow[] = [];
  // One after the other: of many organizations, one reader must not take every connection.
  for (const organizationId of scope.organizationIds) {
    rows.push(...(await reader.all(listOfOrganization, { organizationId, ...position })));
  }
  if (scope.userId !== undefined)
    rows.push(...(await reader.all(listOwn, { userId: scope.userId, ...position })));
  return rows
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, position.limit)
    .map(toSummary);
}
