import { Type, type Static } from 'typebox';
import { editConflict, editHeaders, etagHeader, IfMatch, IfNoneMatch } from '../history.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { FreeForm, Id, Timestamp } from '../values.ts';

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

/** A widget in an edit: with the `id` of one there is, what is left out of it stays; without an id it is new. */
export const WidgetEdit = Type.Object({
  id: Type.Optional(
    Type.String({ description: 'Of a widget that the dashboard has; left out, it is a new one' }),
  ),
  ...WidgetInput.properties,
});
export type WidgetEdit = Static<typeof WidgetEdit>;

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

export const DashboardEdit = Type.Object({
  name: Type.String({ minLength: 1 }),
  description: Type.Optional(Type.String({ description: 'Left out, there is none' })),
  widgets: Type.Array(WidgetEdit, { description: 'All of them; one left out is removed' }),
});
export type DashboardEdit = Static<typeof DashboardEdit>;

export const DashboardPatch = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1 })),
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], description: '`null` removes it' }),
  ),
});
export type DashboardPatch = Static<typeof DashboardPatch>;

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

const EditConflict = editConflict(
  Dashboard,
  Type.Object({
    ...DashboardEdit.properties,
    widgets: Type.Array(Type.Object({ ...Widget.properties, id: Type.Optional(Id) })),
  }),
);

export const DashboardParams = Type.Object({ dashboardId: Type.String() });

export const createDashboard = defineRoute({
  id: 'createDashboard',
  tag: 'Dashboards',
  summary: 'Create a dashboard',
  description:
    'Under an organization it takes the role editor or higher. A widget without a layout is 6 columns wide and 4 rows high, in ' +
    'the first free slot of the 12-column grid. The widgets of a dashboard may take 2 MiB of JSON, with their ids and layouts.',
  method: 'POST',
  path: '/api/dashboards',
  access: 'session',
  headers: IdempotencyKey,
  body: DashboardInput,
  status: 201,
  reply: Dashboard,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', ...idempotencyProblems],
});

export const getDashboard = defineRoute({
  id: 'getDashboard',
  tag: 'Dashboards',
  summary: 'Read a dashboard',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}',
  access: 'session',
  params: DashboardParams,
  headers: IfNoneMatch,
  status: 200,
  reply: Dashboard,
  replyHeaders: etagHeader,
  problems: ['not_found'],
});

const editProblems = ['forbidden', 'not_found', 'precondition_required', 'unknown_version'] as const;

export const replaceDashboard = defineRoute({
  id: 'replaceDashboard',
  tag: 'Dashboards',
  summary: 'Save a dashboard',
  description:
    'Replaces the name, the description and the widgets. `If-Match` names the version that the edit began with. If ' +
    'others have saved since, the two edits are merged against it, widget by widget and part by part (report, layout, ' +
    'config); widgets that then lie on each other are moved down. What both changed is a conflict, and nothing is stored.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}',
  access: 'session',
  params: DashboardParams,
  headers: IfMatch,
  body: DashboardEdit,
  status: 200,
  reply: Dashboard,
  replyHeaders: editHeaders,
  problems: [...editProblems, 'edit_conflict'],
  problemReplies: { edit_conflict: EditConflict },
});

export const updateDashboard = defineRoute({
  id: 'updateDashboard',
  tag: 'Dashboards',
  summary: 'Change the name or the description of a dashboard',
  description:
    'A JSON merge patch (RFC 7396), as `application/merge-patch+json` or `application/json`. Merged as by saving.',
  method: 'PATCH',
  path: '/api/dashboards/{dashboardId}',
  access: 'session',
  params: DashboardParams,
  headers: IfMatch,
  body: DashboardPatch,
  status: 200,
  reply: Dashboard,
  replyHeaders: editHeaders,
  problems: [...editProblems, 'edit_conflict'],
  problemReplies: { edit_conflict: EditConflict },
});

export const deleteDashboard = defineRoute({
  id: 'deleteDashboard',
  tag: 'Dashboards',
  summary: 'Move a dashboard to the trash',
  description: 'It can be restored for 30 days. `If-Match` may be left out.',
  method: 'DELETE',
  path: '/api/dashboards/{dashboardId}',
  access: 'session',
  params: DashboardParams,
  headers: IfMatch,
  status: 204,
  problems: ['forbidden', 'not_found', 'unknown_version'],
});

export const duplicateDashboard = defineRoute({
  id: 'duplicateDashboard',
  tag: 'Dashboards',
  summary: 'Make a copy of a dashboard',
  description:
    'Takes reading it, and creating one where the copy goes: a viewer copies to their own, with `organizationId: null`.',
  method: 'POST',
  path: '/api/dashboards/{dashboardId}/duplicate',
  access: 'session',
  params: DashboardParams,
  headers: IdempotencyKey,
  body: Type.Object({
    name: Type.Optional(
      Type.String({ minLength: 1, description: 'Left out: the name with “(copy)” behind it' }),
    ),
    organizationId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Where it goes; `null`: your own; left out: where the original is',
      }),
    ),
  }),
  status: 201,
  reply: Dashboard,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', ...idempotencyProblems],
});
