import { Type, type Static } from 'typebox';
import { Dashboard, DashboardParams, DashboardSummary } from './dashboards.ts';
import { defineRoute } from '../route.ts';
import { page, PageQuery, Timestamp } from '../values.ts';

/** A dashboard that was deleted, and can be restored until `purgeAt`. */
export const DeletedDashboard = Type.Object({
  ...DashboardSummary.properties,
  deletedAt: Timestamp,
  deletedBy: Type.String({ description: 'The user who deleted it' }),
  deletedByName: Type.String(),
  purgeAt: Type.String({ description: 'When it goes for good: RFC 3339, UTC, milliseconds' }),
});
export type DeletedDashboard = Static<typeof DeletedDashboard>;

export const listDeletedDashboards = defineRoute({
  id: 'listDeletedDashboards',
  tag: 'Bin',
  summary: 'List the deleted dashboards that you may restore, the last deleted first',
  description: 'Your own, and those of your organizations that you might edit before.',
  method: 'GET',
  path: '/api/bin/dashboards',
  access: 'session',
  query: Type.Object({
    ...PageQuery,
    organizationId: Type.Optional(Type.String({ description: 'Only those of this organization' })),
  }),
  status: 200,
  reply: page(DeletedDashboard),
  problems: ['not_found'],
});

export const restoreDeletedDashboard = defineRoute({
  id: 'restoreDeletedDashboard',
  tag: 'Bin',
  summary: 'Take a dashboard out of the bin',
  description:
    'As it was: with its id, its version, its history and whom it is shared with. Takes editing it.',
  method: 'POST',
  path: '/api/bin/dashboards/{dashboardId}/restore',
  access: 'session',
  params: DashboardParams,
  status: 200,
  reply: Dashboard,
  replyHeaders: { ETag: 'The version of the record, the same as before' },
  problems: ['forbidden', 'not_found'],
});

export const purgeDashboard = defineRoute({
  id: 'purgeDashboard',
  tag: 'Bin',
  summary: 'Delete a dashboard in the bin for good',
  description: 'With its history. For its owner and the admins of its organization.',
  method: 'DELETE',
  path: '/api/bin/dashboards/{dashboardId}',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});
