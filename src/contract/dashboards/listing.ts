import { Type, type Static } from 'typebox';
import { DashboardParams, DashboardSummary } from './dashboards.ts';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Id, InFolder, page, PageQuery } from '../values.ts';

export const DashboardListItem = Type.Object({
  ...DashboardSummary.properties,
  isStarred: Type.Boolean({ description: 'Whether you have starred it' }),
  folderId: Type.Optional(Id),
});
export type DashboardListItem = Static<typeof DashboardListItem>;

export const DashboardListQuery = Type.Object({
  ...PageQuery,
  organizationId: Type.Optional(
    Type.String({ ...GivenId, description: 'Only dashboards of this organization' }),
  ),
  scope: Type.Optional(
    Type.Unsafe<'personal'>({
      type: 'string',
      enum: ['personal'],
      description:
        '`personal`: only your personal dashboards, which belong to no organization. Not with `organizationId`',
    }),
  ),
  folderId: InFolder,
  filter: Type.Optional(
    Type.Unsafe<'own' | 'starred' | 'recent'>({
      type: 'string',
      enum: ['own', 'starred', 'recent'],
      description:
        '`own`: dashboards that you own; `starred`: dashboards that you starred; `recent`: the last 200 that you opened, ' +
        'most recent first',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words to search for. A dashboard is found if, for each of them, a word of its name, its description or the names of ' +
        'its reports begins with it. Case and accents are ignored',
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'created' | 'name' | 'updated'>({
      type: 'string',
      enum: ['created', 'name', 'updated'],
      description:
        '`created` (default): newest first; `name`; `updated`: last changed first. Not with `filter=recent`. ' +
        'With `q`, `name` and `updated` sort the newest 1,000 that are found in each organization',
    }),
  ),
});
export type DashboardListQuery = Static<typeof DashboardListQuery>;

export const listDashboards = defineRoute({
  id: 'listDashboards',
  tag: 'Dashboards',
  summary: 'List and search dashboards',
  description: 'Your personal dashboards, and those of your organizations that you have access to.',
  method: 'GET',
  path: '/api/dashboards',
  access: 'session',
  query: DashboardListQuery,
  status: 200,
  reply: page(DashboardListItem),
  problems: ['not_found'],
});

export const starDashboard = defineRoute({
  id: 'starDashboard',
  tag: 'Dashboards',
  summary: 'Star a dashboard',
  description: 'Only you see your stars. You can star up to 1,000 dashboards.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}/star',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found', 'too_many_stars'],
});

export const unstarDashboard = defineRoute({
  id: 'unstarDashboard',
  tag: 'Dashboards',
  summary: 'Remove the star from a dashboard',
  description: 'Has no effect on a dashboard without your star.',
  method: 'DELETE',
  path: '/api/dashboards/{dashboardId}/star',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found'],
});

export const visitDashboard = defineRoute({
  id: 'visitDashboard',
  tag: 'Dashboards',
  summary: 'Record that you opened a dashboard',
  description: 'Makes it the first of your 200 most recent dashboards.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}/visit',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found'],
});
