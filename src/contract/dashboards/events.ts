import { Type, type Static, type TSchema } from 'typebox';
import { DashboardParams } from './dashboards.ts';
import { defineRoute } from '../route.ts';
import { Id, Timestamp } from '../values.ts';

export const EditingPerson = Type.Object({ userId: Id, name: Type.String() });
export type EditingPerson = Static<typeof EditingPerson>;

const people = Type.Array(EditingPerson, {
  description: 'Who is editing now, sorted by user ID',
});
export const CommentCounts = Type.Object({
  revision: Type.Integer({ description: 'Grows with each change of the comments' }),
  openCount: Type.Integer({ description: 'How many threads are not resolved' }),
});
export type CommentCounts = Static<typeof CommentCounts>;

const version = Type.Integer({ description: 'The number in the `ETag`' });

/** Why a stream ends: the code of the problem that the same request would return now. */
export const endReasons = [
  'not_found',
  'address_not_allowed',
  'session_limit_exceeded',
  'sso_required',
  'second_factor_missing',
  'unauthenticated',
  'unavailable',
] as const;
export type EndReason = (typeof endReasons)[number];

const eventOf = <Name extends TSchema, Data extends TSchema>(name: Name, data: Data, description: string) =>
  Type.Object(
    {
      event: name,
      id: Type.Optional(Type.String({ description: 'The version that the event refers to' })),
      data,
    },
    { description },
  );
const event = <Name extends string, Data extends TSchema>(name: Name, data: Data, description: string) =>
  eventOf(Type.Literal(name), data, description);

/** An event: its name, its ID and its data, which the stream carries as one line of JSON. */
export const DashboardEvent = Type.Union([
  event(
    'state',
    Type.Object({ version, people, comments: CommentCounts }),
    'The first event: the current state',
  ),
  event(
    'saved',
    Type.Object({ version, userId: Id, userName: Type.String(), at: Timestamp }),
    'A new version was saved, possibly by you; if several follow each other closely, only the last may be reported',
  ),
  eventOf(
    Type.Enum(['editing', 'viewing']),
    Type.Object({ people }),
    'The people who are editing have changed; with `viewing`, the others who have it open, of whom up to 50 are listed',
  ),
  event('comments', CommentCounts, 'The comments have changed'),
  event(
    'deleted',
    Type.Object({ userId: Type.Optional(Type.String({ ...Id, description: 'The user who deleted it' })) }),
    'The dashboard was moved to the trash; the stream ends',
  ),
  event(
    'ended',
    Type.Object({ reason: Type.Enum([...endReasons]) }),
    'The stream ends because the same request would now fail with this code; after `unavailable`, reconnect later',
  ),
]);
export type DashboardEvent = Static<typeof DashboardEvent>;

export const streamDashboardEvents = defineRoute({
  id: 'streamDashboardEvents',
  tag: 'Dashboards',
  summary: 'Stream the events of a dashboard as server-sent events',
  description:
    'Starts with the current state, also after a reconnection, so missed events need not be sent again. A comment every ' +
    '15 seconds keeps the connection open, but not the session. You can have up to 20 streams open.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/events',
  access: 'session',
  params: DashboardParams,
  status: 200,
  reply: DashboardEvent,
  mediaType: 'text/event-stream',
  problems: ['not_found', 'too_many_streams'],
});

export const startEditingDashboard = defineRoute({
  id: 'startEditingDashboard',
  tag: 'Dashboards',
  summary: 'Report that you are editing a dashboard',
  description: 'Applies for 30 seconds: repeat it every 10 to 15 seconds while you are editing.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}/editing',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const stopEditingDashboard = defineRoute({
  id: 'stopEditingDashboard',
  tag: 'Dashboards',
  summary: 'Report that you are no longer editing a dashboard',
  description: 'Without it, others see for up to 30 seconds that you are editing.',
  method: 'DELETE',
  path: '/api/dashboards/{dashboardId}/editing',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found'],
});
