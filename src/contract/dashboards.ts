import { Type, type Static } from 'typebox';
import { defineRoute } from './route.ts';
import { FreeForm, Id, page, PageQuery, Timestamp } from './values.ts';

/** Where a widget lies on the grid of 12 columns: cells from the left and the top, and its size in cells. */
export const WidgetLayout = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  w: Type.Integer(),
  h: Type.Integer(),
});
export type WidgetLayout = Static<typeof WidgetLayout>;

export const WidgetInput = Type.Object({
  reportId: Type.String({ description: 'The report shown; it need not exist' }),
  layout: Type.Optional(WidgetLayout),
  config: Type.Optional(FreeForm),
});
export type WidgetInput = Static<typeof WidgetInput>;

export const Widget = Type.Object({
  id: Id,
  reportId: Type.String(),
  layout: WidgetLayout,
  config: FreeForm,
});
export type Widget = Static<typeof Widget>;

export const DashboardInput = Type.Object({
  name: Type.String({ minLength: 1 }),
  description: Type.Optional(Type.String()),
  organizationId: Type.Optional(
    Type.String({ description: 'The organization it belongs to; left out, it is your own' }),
  ),
  widgets: Type.Optional(Type.Array(WidgetInput)),
});
export type DashboardInput = Static<typeof DashboardInput>;

const head = {
  id: Id,
  userId: Type.String({ description: 'The user who owns it' }),
  organizationId: Type.Optional(Type.String()),
  name: Type.String(),
  description: Type.Optional(Type.String()),
};

export const Dashboard = Type.Object({
  ...head,
  widgets: Type.Array(Widget),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Dashboard = Static<typeof Dashboard>;

/** A dashboard in a list: all but its widgets. */
export const DashboardSummary = Type.Object({ ...head, createdAt: Timestamp, updatedAt: Timestamp });
export type DashboardSummary = Static<typeof DashboardSummary>;

export const createDashboard = defineRoute({
  id: 'createDashboard',
  tag: 'Dashboards',
  summary: 'Create a dashboard',
  description:
    'Under an organization it takes the role editor or higher. A widget without a layout is placed in the first ' +
    'free slot of the 12-column grid. The version of the record is in the header `ETag`.',
  method: 'POST',
  path: '/api/dashboards',
  access: 'session',
  body: DashboardInput,
  status: 201,
  reply: Dashboard,
  problems: ['forbidden', 'not_found'],
});

export const getDashboard = defineRoute({
  id: 'getDashboard',
  tag: 'Dashboards',
  summary: 'Read a dashboard',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}',
  access: 'session',
  params: Type.Object({ dashboardId: Type.String() }),
  status: 200,
  reply: Dashboard,
  problems: ['not_found'],
});

export const listDashboards = defineRoute({
  id: 'listDashboards',
  tag: 'Dashboards',
  summary: 'List your own dashboards and those of your organizations, newest first',
  method: 'GET',
  path: '/api/dashboards',
  access: 'session',
  query: Type.Object({
    ...PageQuery,
    organizationId: Type.Optional(Type.String({ description: 'Only those of this organization' })),
  }),
  status: 200,
  reply: page(DashboardSummary),
  problems: ['not_found'],
});
