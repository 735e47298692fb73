import type { EditingPerson } from '#contract/dashboards/events.ts';
import type { Reader } from '../../storage/database.ts';
import { jsonRows, prepare } from '../../storage/prepared-query.ts';
import { mayOnDashboard } from '../access/filter.ts';

/** What those who watch a dashboard are told of, in the trash or not. */
export interface DashboardState {
  readonly version: number;
  /** Who made that version. */
  readonly userId: string;
  readonly userName: string;
  readonly at: string;
  readonly isDeleted: boolean;
  readonly deletedBy: string | undefined;
}

/** A dashboard that somebody may see, in the trash or not, and what their session must fit. */
export interface Sighting {
  readonly organizationId: string | undefined;
  readonly requireSso: boolean;
}

const states = prepare((sql, p: { dashboardIds: readonly string[] }) =>
  sql
    .selectFrom('dashboards')
    .leftJoin('users', 'users.id', 'dashboards.updated_by')
    .select([
      'dashboards.id',
      'dashboards.version',
      'dashboards.updated_by as userId',
      'users.name as userName',
      'dashboards.updated_at as at',
      'dashboards.deleted_at as deletedAt',
      'dashboards.deleted_by as deletedBy',
    ])
    .where('dashboards.id', 'in', p.dashboardIds),
);

/** Returns the state of each of the dashboards that there is, by its id. */
export async function findStates(
  reader: Reader,
  dashboardIds: readonly string[],
): Promise<Map<string, DashboardState>> {
  const rows = await reader.all(states, { dashboardIds });
  return new Map(
    rows.map(({ id, version, userId, userName, at, deletedAt, deletedBy }) => [
      id,
      {
        version,
        userId,
        userName: userName ?? '',
        at,
        isDeleted: deletedAt !== null,
        deletedBy: deletedBy ?? undefined,
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

/** Returns who is editing each of the dashboards, by its id; absent where nobody is. */
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

export interface Viewer {
  readonly dashboardId: string;
  readonly userId: string;
}

const sightings = prepare((sql, p: { viewers: readonly Viewer[] }, engine) =>
  sql
    .selectFrom(jsonRows(engine, p.viewers, ['dashboardId', 'userId']).as('viewers'))
    .innerJoin('dashboards', 'dashboards.id', 'viewers.dashboardId')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'dashboards.organization_id')
        .onRef('members.user_id', '=', 'viewers.userId'),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('dashboard_shares', (join) =>
      join
        .onRef('dashboard_shares.dashboard_id', '=', 'dashboards.id')
        .onRef('dashboard_shares.user_id', '=', 'viewers.userId'),
    )
    .select([
      'viewers.dashboardId',
      'viewers.userId',
      'dashboards.organization_id as organizationId',
      'organizations.require_sso as requireSso',
    ])
    .where((where) => mayOnDashboard('dashboard.view', where.ref('viewers.userId'))),
);

/** Returns which of the viewers may see their dashboard, by `viewerKey`. */
export async function findSightings(
  reader: Reader,
  viewers: readonly Viewer[],
): Promise<Map<string, Sighting>> {
  const distinct = new Map(viewers.map((viewer) => [viewerKey(viewer), viewer]));
  const rows = await reader.all(sightings, { viewers: [...distinct.values()] });
  return new Map(
    rows.map(({ dashboardId, userId, organizationId, requireSso }) => [
      viewerKey({ dashboardId, userId }),
      { organizationId: organizationId ?? undefined, requireSso: requireSso === 1 },
    ]),
  );
}

export const viewerKey = ({ dashboardId, userId }: Viewer): string => `${dashboardId} ${userId}`;
