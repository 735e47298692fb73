import { Type, type Static } from 'typebox';
import { Dashboard, DashboardParams, Widget } from './dashboards.ts';
import { ContentChange, IfMatch, RecordVersion, versionHead, VersionNumber } from '../history.ts';
import { defineRoute } from '../route.ts';
import { page, PageQuery } from '../values.ts';

/** A version with all that people edit of a dashboard. */
export const DashboardVersionContent = Type.Object({
  ...versionHead,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  widgets: Type.Array(Widget),
});
export type DashboardVersionContent = Static<typeof DashboardVersionContent>;

const VersionParams = Type.Object({ ...DashboardParams.properties, version: VersionNumber });

export const listDashboardVersions = defineRoute({
  id: 'listDashboardVersions',
  tag: 'Dashboard history',
  summary: 'List the versions of a dashboard, newest first',
  description: 'Whoever may edit the dashboard may read its history.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/versions',
  access: 'session',
  params: DashboardParams,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(RecordVersion),
  problems: ['forbidden', 'not_found'],
});

export const getDashboardVersion = defineRoute({
  id: 'getDashboardVersion',
  tag: 'Dashboard history',
  summary: 'Read a version of a dashboard',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/versions/{version}',
  access: 'session',
  params: VersionParams,
  status: 200,
  reply: DashboardVersionContent,
  problems: ['forbidden', 'not_found'],
});

export const restoreDashboardVersion = defineRoute({
  id: 'restoreDashboardVersion',
  tag: 'Dashboard history',
  summary: 'Make a new version that is as an old one was',
  description: '`If-Match` may be left out: what is replaced stays in the history.',
  method: 'POST',
  path: '/api/dashboards/{dashboardId}/versions/{version}/restore',
  access: 'session',
  params: VersionParams,
  headers: IfMatch,
  status: 200,
  reply: Dashboard,
  replyHeaders: { ETag: 'The new version' },
  problems: ['forbidden', 'not_found', 'unknown_version'],
});

export const compareDashboardVersions = defineRoute({
  id: 'compareDashboardVersions',
  tag: 'Dashboard history',
  summary: 'List what changed from one version of a dashboard to another',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/changes',
  access: 'session',
  params: DashboardParams,
  query: Type.Object({ from: VersionNumber, to: Type.Optional(VersionNumber) }),
  status: 200,
  reply: Type.Object({ changes: Type.Array(ContentChange) }),
  problems: ['forbidden', 'not_found'],
});
