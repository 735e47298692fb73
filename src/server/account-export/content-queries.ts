import { prepare } from '../storage/prepared-query.ts';
import {
  isInScope,
  paged,
  pagedByOrganization,
  type PageOfOrganization,
  type PageParameters,
  type Read,
  type RowWithKey,
} from './paged.ts';

const dashboardColumns = [
  'id',
  'organization_id as organizationId',
  'name',
  'description',
  'widgets',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'deleted_at as deletedAt',
] as const;

/** Dashboards that belong to the person and to no organization. */
export const readPersonalDashboards = paged(
  prepare((db, p: PageParameters) =>
    db
      .selectFrom('dashboards')
      .select(dashboardColumns)
      .where('user_id', '=', p.userId)
      .where('organization_id', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export const readDashboards = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('dashboards')
      .select(dashboardColumns)
      .where('user_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export const readReports = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('reports')
      .select([
        'id',
        'organization_id as organizationId',
        'name',
        'content',
        'version',
        'created_at as createdAt',
        'updated_at as updatedAt',
      ])
      .where('user_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export const readFolders = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('folders')
      .select(['id', 'organization_id as organizationId', 'name', 'created_at as createdAt'])
      .where('user_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

/** Without how they connect, and without their tables, which are data of the organization. */
export const readDataSources = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('data_sources')
      .select(['id', 'organization_id as organizationId', 'name', 'kind', 'created_at as createdAt'])
      .where('user_id', '=', p.userId)
      .where('organization_id', '=', p.organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  ),
);

export const readComments = pagedByOrganization(
  prepare((db, p: PageOfOrganization) =>
    db
      .selectFrom('comments')
      .innerJoin('comment_threads', 'comment_threads.id', 'comments.thread_id')
      .innerJoin('dashboards', 'dashboards.id', 'comment_threads.dashboard_id')
      .select([
        'comments.id',
        'comments.content as text',
        'comments.created_at as createdAt',
        'comments.edited_at as editedAt',
        'comment_threads.dashboard_id as dashboardId',
        'dashboards.organization_id as organizationId',
      ])
      // First only the IDs, which are found by the person and have to be sorted.
      .where('comments.id', 'in', (of) =>
        of
          .selectFrom('comments as own')
          .innerJoin('comment_threads as own_threads', 'own_threads.id', 'own.thread_id')
          .innerJoin('dashboards as own_dashboards', 'own_dashboards.id', 'own_threads.dashboard_id')
          .select('own.id')
          .where('own.user_id', '=', p.userId)
          .where('own.deleted_at', 'is', null)
          .where('own_dashboards.organization_id', '=', p.organizationId)
          .where('own.id', '>', p.after)
          .orderBy('own.id')
          .limit(p.limit),
      )
      .orderBy('comments.id')
      .limit(p.limit),
  ),
);

/** The dashboards in one of these tables, which have the same columns except for that of the time. */
const readTimesOf = (table: 'dashboard_stars' | 'dashboard_visits', time: 'starred_at' | 'visited_at') =>
  paged(
    prepare((db, p: PageParameters) =>
      db
        .selectFrom(`${table as 'dashboard_stars'} as times`)
        .innerJoin('dashboards', 'dashboards.id', 'times.dashboard_id')
        .select([
          'dashboards.id',
          'dashboards.organization_id as organizationId',
          `times.${time as 'starred_at'} as at`,
        ])
        .where('times.user_id', '=', p.userId)
        .where((of) => isInScope(of, 'dashboards.organization_id', p))
        .where('dashboards.id', '>', p.after)
        .orderBy('dashboards.id')
        .limit(p.limit),
    ),
  );
export const readStars: Read<RowWithKey> = readTimesOf('dashboard_stars', 'starred_at');
export const readVisits: Read<RowWithKey> = readTimesOf('dashboard_visits', 'visited_at');
