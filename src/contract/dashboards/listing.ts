import { Type, type Static } from 'typebox';
import { DashboardParams, DashboardSummary } from './dashboards.ts';
import { defineRoute } from '../route.ts';
import { page, PageQuery } from '../values.ts';

export const DashboardListItem = Type.Object({
  ...DashboardSummary.properties,
  isStarred: Type.Boolean({ description: 'Whether you have starred it' }),
});
export type DashboardListItem = Static<typeof DashboardListItem>;

export const DashboardListQuery = Type.Object({
  ...PageQuery,
  organizationId: Type.Optional(Type.String({ description: 'Only those of this organization' })),
  scope: Type.Optional(
    Type.Unsafe<'personal'>({
      type: 'string',
      enum: ['personal'],
      description: '`personal`: only your own that belong to no organization. Not with `organizationId`',
    }),
  ),
  filter: Type.Optional(
    Type.Unsafe<'own' | 'starred' | 'recent'>({
      type: 'string',
      enum: ['own', 'starred', 'recent'],
      description:
        '`own`: those that you own; `starred`: those that you have starred; `recent`: the 200 that you have visited ' +
        'last, the last first',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words, each of which a word of the name or the description begins with; case and accents count for nothing',
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'created' | 'name' | 'updated'>({
      type: 'string',
      enum: ['created', 'name', 'updated'],
      description:
        '`created`, the newest first, when left out; `name`; `updated`, the last changed first. Not with `filter=recent`. ' +
        'With `q`, `name` and `updated` sort the newest 1,000 that are found in each organization',
    }),
  ),
});
export type DashboardListQuery = Static<typeof DashboardListQuery>;

export const listDashboards = defineRoute({
  id: 'listDashboards',
  tag: 'Dashboards',
  summary: 'List and search dashboards',
  description:
    'Your own dashboards and those of your organizations, as far as you may see them. A page may have fewer items than ' +
    '`limit`, even none, and a `nextCursor` still: then there may be more behind it.',
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
  description: 'For yourself: nobody else sees it. Up to 1,000.',
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
  summary: 'Take the star from a dashboard',
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
  summary: 'Tell that you have opened a dashboard',
  description: 'Puts it at the head of your recent ones, of which 200 are kept.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}/visit',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found'],
});
