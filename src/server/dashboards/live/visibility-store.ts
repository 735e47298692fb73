import type { CommentCounts, EditingPerson } from '#contract/dashboards/events.ts';
import type { Reader } from '../../storage/database.ts';
import { jsonRows, prepare } from '../../storage/prepared-query.ts';
import { mayOnRecord } from '../../access/filter.ts';
import { lacksSecondFactor } from '../../organizations/second-factors/requirement.ts';

/** What is reported to the watchers of a dashboard, which is in use or in the trash. */
export interface DashboardState {
  readonly version: number;
  /** The user who made that version. */
  readonly userId: string;
  readonly userName: string;
  readonly at: string;
  readonly isDeleted: boolean;
  readonly deletedBy: string | undefined;
  readonly comments: CommentCounts;
}

/** What the session of a user must satisfy to see a dashboard that the user may see, in use or in the trash. */
export interface SessionRequirement {
  readonly organizationId: string | undefined;
  readonly requireSso: boolean;
  readonly lacksSecondFactor: boolean;
}

const states = prepare((sql, p: { dashboardIds: readonly string[] }) =>
  sql
    .selectFrom('dashboards')
    .leftJoin('users', 'users.id', 'dashboards.updated_by')
    .leftJoin('comment_counts', 'comment_counts.dashboard_id', 'dashboards.id')
    .select([
      'dashboards.id',
      'dashboards.version',
      'dashboards.updated_by as userId',
      'users.name as userName',
      'dashboards.updated_at as at',
      'dashboards.deleted_at as deletedAt',
      'dashboards.deleted_by as deletedBy',
      'comment_counts.revision',
      'comment_counts.open_count as openCount',
    ])
    .where('dashboards.id', 'in', p.dashboardIds),
);

/** Returns the states of the dashboards that exist, by ID. */
export async function findStates(
  reader: Reader,
  dashboardIds: readonly string[],
): Promise<Map<string, DashboardState>> {
  const rows = await reader.all(states, { dashboardIds });
  return new Map(
    rows.map(({ id, version, userId, userName, at, deletedAt, deletedBy, revision, openCount }) => [
      id,
      {
        version,
        userId,
        userName: userName ?? '',
        at,
        isDeleted: deletedAt !== null,
        deletedBy: deletedBy ?? undefined,
        comments: { revision: revision ?? 0, openCount: openCount ?? 0 },
      },
    ]),
  );
}

const editors = prepare((sql, p: { dashboardIds: readonly string[]; now: string }) =>
  sql
    .selectFrom('dashboard_editors')
    .innerJoin('users', 'users.id', 'dashboard_editors.user_id')
    .select(['dashboard_editors.dashboard_id as dashboardId', 'users.id as userId', 'users.name'])
    .where('dashboard_editors.dashboard_id', 'in', p.dashboardIds)
    .where('dashboard_editors.expires_at', '>', p.now)
    .orderBy('users.id'),
);

/** Returns the people who are editing each dashboard, by its ID; absent if nobody is. */
export async function findEditors(
  reader: Reader,
  dashboardIds: readonly string[],
  now: string,
): Promise<Map<string, EditingPerson[]>> {
  const rows = await reader.all(editors, { dashboardIds, now });
  const byDashboard = Map.groupBy(rows, ({ dashboardId }) => dashboardId);
  return new Map(
    [...byDashboard].map(([id, people]) => [id, people.map(({ userId, name }) => ({ userId, name }))]),
  );
}

/** A user who may or may not see a dashboard. */
export interface Viewer {
  readonly dashboardId: string;
  readonly userId: string;
}

const visible = prepare((sql, p: { viewers: readonly Viewer[] }, engine) =>
  sql
    .selectFrom(jsonRows(engine, p.viewers, ['dashboardId', 'userId']).as('viewers'))
    .innerJoin('dashboards', 'dashboards.id', 'viewers.dashboardId')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'dashboards.organization_id')
        .onRef('members.user_id', '=', 'viewers.userId'),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('session_policies', 'session_policies.organization_id', 'members.organization_id')
    .select([
      'viewers.dashboardId',
      'viewers.userId',
      'dashboards.organization_id as organizationId',
      'organizations.require_sso as requireSso',
      lacksSecondFactor.as('lacksSecondFactor'),
    ])
    .where((where) => mayOnRecord('dashboard', 'dashboard.view', where.ref('viewers.userId'))),
);

/** Returns the viewers who may see their dashboard, by `viewerKey`, with what their session must satisfy. */
export async function findVisible(
  reader: Reader,
  viewers: readonly Viewer[],
): Promise<Map<string, SessionRequirement>> {
  const distinct = new Map(viewers.map((viewer) => [viewerKey(viewer), viewer]));
  const rows = await reader.all(visible, { viewers: [...distinct.values()] });
  return new Map(
    rows.map(({ dashboardId, userId, organizationId, requireSso, lacksSecondFactor: lacks }) => [
      viewerKey({ dashboardId, userId }),
      {
        organizationId: organizationId ?? undefined,
        requireSso: requireSso === 1,
        lacksSecondFactor: lacks === 1,
      },
    ]),
  );
}

/** Returns a key that identifies a viewer. */
export const viewerKey = ({ dashboardId, userId }: Viewer): string => `${dashboardId} ${userId}`;
