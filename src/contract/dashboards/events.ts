import { Type, type Static, type TSchema } from 'typebox';
import { DashboardParams } from './dashboards.ts';
import { defineRoute } from '../route.ts';
import { Timestamp } from '../values.ts';

export const EditingPerson = Type.Object({ userId: Type.String(), name: Type.String() });
export type EditingPerson = Static<typeof EditingPerson>;

const people = Type.Array(EditingPerson, { description: 'Who is editing now, by user id' });
const version = Type.Integer({ description: 'The number in the `ETag`' });

/** Why a stream ends: the code of the problem that the same request would be answered with now. */
export const endReasons = ['not_found', 'sso_required', 'unauthenticated', 'unavailable'] as const;
export type EndReason = (typeof endReasons)[number];

const event = <Name extends string, Data extends TSchema>(name: Name, data: Data, description: string) =>
  Type.Object(
    {
      event: Type.Literal(name),
      id: Type.Optional(Type.String({ description: 'The version that it is about' })),
      data,
    },
    { description },
  );

/** One event: its name, its id and its data, which the stream carries as JSON on one line. */
export const DashboardEvent = Type.Union([
  event('state', Type.Object({ version, people }), 'The first one: how it is now'),
  event(
    'saved',
    Type.Object({ version, userId: Type.String(), userName: Type.String(), at: Timestamp }),
    'Somebody has saved, you perhaps; of versions that follow each other closely the last one alone may be told',
  ),
  event('editing', Type.Object({ people }), 'Others than before are editing'),
  event(
    'deleted',
    Type.Object({ userId: Type.Optional(Type.String({ description: 'Who deleted it' })) }),
    'It is in the trash; the stream ends',
  ),
  event(
    'ended',
    Type.Object({ reason: Type.Enum([...endReasons]) }),
    'The stream ends, and the same request would be a problem with this code; `unavailable`: come back later',
  ),
]);
export type DashboardEvent = Static<typeof DashboardEvent>;

export const streamDashboardEvents = defineRoute({
  id: 'streamDashboardEvents',
  tag: 'Dashboards',
  summary: 'Follow what happens to a dashboard, as server-sent events',
  description:
    'Begins with how it is now, also after a connection that broke, so that nothing missed has to be sent again. A ' +
    'comment every 15 seconds keeps the connection open, but not the session. A person may have 20 streams open.',
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
  summary: 'Say that you are editing a dashboard',
  description: 'Holds for 30 seconds: say it again every 10 to 15 seconds, as long as it is so.',
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
  summary: 'Say that you are no longer editing a dashboard',
  method: 'DELETE',
  path: '/api/dashboards/{dashboardId}/editing',
  access: 'session',
  params: DashboardParams,
  status: 204,
  problems: ['not_found'],
});
