import { Type, type Static } from 'typebox';
import { Dashboard, DashboardParams, IfMatch, Widget } from './dashboards.ts';
import { defineRoute } from './route.ts';
import { page, PageQuery, Timestamp } from './values.ts';

/** How a version came to be. */
export const versionChanges = ['created', 'saved', 'merged', 'restored', 'transferred', 'imported'] as const;
export type VersionChange = (typeof versionChanges)[number];

const versionHead = {
  version: Type.Integer({ description: 'From 1 on; the number in the `ETag`' }),
  userId: Type.String({ description: 'Who made it' }),
  userName: Type.String(),
  at: Timestamp,
  change: Type.Enum([...versionChanges]),
  restoredFrom: Type.Optional(Type.Integer({ description: 'The version that was restored' })),
};

export const DashboardVersion = Type.Object(versionHead);
export type DashboardVersion = Static<typeof DashboardVersion>;

/** A version with all that people edit of a dashboard. */
export const DashboardVersionContent = Type.Object({
  ...versionHead,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  widgets: Type.Array(Widget),
});
export type DashboardVersionContent = Static<typeof DashboardVersionContent>;

export const ContentChange = Type.Object({
  kind: Type.Enum(['added', 'removed', 'changed']),
  pointer: Type.String({
    description: 'JSON Pointer (RFC 6901) into the version `to`; of what was removed, into `from`',
  }),
  words: Type.String({ description: 'What changed, in a sentence' }),
  widgetId: Type.Optional(Type.String()),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});
export type ContentChange = Static<typeof ContentChange>;

const versionNumber = Type.String({ pattern: '^[1-9][0-9]{0,9}$', description: 'The number of a version' });

const VersionParams = Type.Object({ ...DashboardParams.properties, version: versionNumber });

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
  reply: page(DashboardVersion),
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
  query: Type.Object({ from: versionNumber, to: Type.Optional(versionNumber) }),
  status: 200,
  reply: Type.Object({ changes: Type.Array(ContentChange) }),
  problems: ['forbidden', 'not_found'],
});
