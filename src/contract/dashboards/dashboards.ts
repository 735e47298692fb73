import { Type, type Static } from 'typebox';
import { editConflict, editHeaders, etagHeader, IfMatch, IfNoneMatch } from '../records/history.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { boundedByBody, GivenId, maxIdLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { FreeForm, Id, Timestamp } from '../values.ts';

/** The position of a widget on the 12-column grid, in cells from the left and from the top, and its size in cells. */
export const WidgetLayout = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  w: Type.Integer(),
  h: Type.Integer(),
});
export type WidgetLayout = Static<typeof WidgetLayout>;

export const WidgetInput = Type.Object({
  reportId: Type.String({ description: 'The ID of the report to show; the report need not exist' }),
  layout: Type.Optional(WidgetLayout),
  config: Type.Optional(FreeForm),
});
export type WidgetInput = Static<typeof WidgetInput>;

/** A widget in an edit. With the `id` of an existing widget, omitted properties stay as they are; without an ID, it is new. */
export const WidgetEdit = Type.Object({
  id: Type.Optional(Type.String({ description: 'The ID of an existing widget; omit it to add a new one' })),
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

export const DashboardInput = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    organizationId: Type.Optional(
      Type.String({
        description: 'The organization that the dashboard belongs to; if omitted, it is personal',
      }),
    ),
    widgets: Type.Optional(Type.Array(WidgetInput)),
  },
  {
    examples: [
      {
        name: 'Sales',
        widgets: [{ reportId: '0193f5a2-7c1e-7b3a-9d2f-4e5a6b7c8d9e', layout: { x: 0, y: 0, w: 6, h: 4 } }],
      },
    ],
  },
);
export type DashboardInput = Static<typeof DashboardInput>;

export const DashboardEdit = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String({ description: 'If omitted, the description is removed' })),
    widgets: Type.Array(WidgetEdit, {
      description: 'All widgets; existing widgets that are omitted are removed',
    }),
  },
  boundedByBody,
);
export type DashboardEdit = Static<typeof DashboardEdit>;

export const DashboardPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1 })),
    description: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: '`null` removes the description' }),
    ),
  },
  boundedByBody,
);
export type DashboardPatch = Static<typeof DashboardPatch>;

const head = {
  id: Id,
  userId: Type.String({ ...Id, description: 'The user who owns it' }),
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

/** A dashboard in a list, without its widgets. */
export const DashboardSummary = Type.Object({ ...head, createdAt: Timestamp, updatedAt: Timestamp });
export type DashboardSummary = Static<typeof DashboardSummary>;

export const DashboardEditConflict = editConflict(
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
    'Requires the editor role or higher in the organization, if one is given. A widget without a layout is 6 columns wide and ' +
    '4 rows high and is placed in the first free slot of the 12-column grid. The widgets of a dashboard can take up to 2 MiB of ' +
    'JSON, including their IDs and layouts.',
  method: 'POST',
  path: '/api/dashboards',
  access: 'session',
  headers: IdempotencyKey,
  ignoresUnknown: 'Clients of the published contract of this operation may send more',
  body: DashboardInput,
  status: 201,
  location: '/api/dashboards/{id}',
  reply: Dashboard,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'quota_exceeded', ...idempotencyProblems],
});

export const getDashboard = defineRoute({
  id: 'getDashboard',
  tag: 'Dashboards',
  summary: 'Read a dashboard',
  description: 'With `If-None-Match`, the response has no body while the version is the same.',
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

const editProblems = [
  'forbidden',
  'not_found',
  'precondition_required',
  'unknown_version',
  'quota_exceeded',
] as const;

export const replaceDashboard = defineRoute({
  id: 'replaceDashboard',
  tag: 'Dashboards',
  summary: 'Save a dashboard',
  description:
    'Replaces the name, description and widgets. `If-Match` names the version that the edit started from. If others have saved ' +
    'since, their changes and yours are merged widget by widget and part by part (report, layout, config), and widgets that ' +
    'overlap as a result are moved down. If both changed the same part, the edits conflict and nothing is saved.',
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
  problemReplies: { edit_conflict: DashboardEditConflict },
});

export const updateDashboard = defineRoute({
  id: 'updateDashboard',
  tag: 'Dashboards',
  summary: 'Change the name or description of a dashboard',
  description:
    'Members that are left out stay as they are, and `null` removes the description. Your change is merged with those of ' +
    'others as when you save a dashboard.',
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
  problemReplies: { edit_conflict: DashboardEditConflict },
});

export const deleteDashboard = defineRoute({
  id: 'deleteDashboard',
  tag: 'Dashboards',
  summary: 'Move a dashboard to the trash',
  description: 'You can restore it for 30 days. `If-Match` is optional.',
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
  summary: 'Duplicate a dashboard',
  description:
    'Requires access to the dashboard, and permission to create dashboards where the copy goes. With `organizationId: null`, ' +
    'viewers can make a personal copy, too. A copy of a restricted dashboard is restricted to you and the admins. ' +
    'Without `folderId`, a copy is in no folder.',
  method: 'POST',
  path: '/api/dashboards/{dashboardId}/duplicate',
  access: 'session',
  params: DashboardParams,
  headers: IdempotencyKey,
  body: Type.Object({
    name: Type.Optional(
      Type.String({
        minLength: 1,
        ...boundedByBody,
        description: 'Defaults to the original name followed by “(copy)”',
      }),
    ),
    organizationId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: maxIdLength,
        description:
          'The organization of the copy; `null` makes it personal; defaults to that of the original',
      }),
    ),
    folderId: Type.Optional(
      Type.String({
        ...GivenId,
        description:
          'The folder of that organization that the copy is created in; you must be able to edit it. Into a folder that would show ' +
          'a restricted dashboard to more people, only its owner and the admins can copy it.',
      }),
    ),
  }),
  status: 201,
  location: '/api/dashboards/{id}',
  reply: Dashboard,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'quota_exceeded', ...idempotencyProblems],
});
