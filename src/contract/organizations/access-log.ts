import { Type, type Static } from 'typebox';
import {
  accessActions,
  maxAccessLogDays,
  minAccessLogDays,
  type AccessAction,
} from '#shared/access-actions.ts';
import { EmailVerified } from '../accounts/sessions.ts';
import { GivenId, maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { FreeForm, Id, page, PageQuery, timePattern, Timestamp } from '../values.ts';

/** Who has read what; entries never change once their hour is over. */
export const AccessEntry = Type.Object({
  id: Id,
  at: Type.String({ ...Timestamp, description: 'When it happened, or first happened in this hour' }),
  lastAt: Type.String({ ...Timestamp, description: 'When it last happened in this hour' }),
  action: Type.Unsafe<AccessAction>({ type: 'string', enum: [...accessActions] }),
  count: Type.Integer({
    description: 'How many requests there were; 1 for exports, which have an entry each',
  }),
  actorId: Type.Optional(Type.String({ ...Id, description: 'The user; absent for links of displays' })),
  actorEmail: Type.Optional(Type.String()),
  actorEmailVerified: EmailVerified,
  tokenId: Type.Optional(Type.String({ ...Id, description: 'The token that was used' })),
  linkId: Type.Optional(Type.String({ ...Id, description: 'The link of the display' })),
  subjectId: Type.Optional(
    Type.String({ ...Id, description: 'The dashboard, report or data source; absent if it was several' }),
  ),
  subjectName: Type.Optional(Type.String({ description: 'Its current name; absent if it no longer exists' })),
  details: FreeForm,
});
export type AccessEntry = Static<typeof AccessEntry>;

const time = { pattern: timePattern, 'x-expected': 'an RFC 3339 date or time' };

const route = { tag: 'Organizations', access: 'session', problems: ['forbidden', 'not_found'] } as const;
const OrgId = Type.Object({ orgId: Type.String() });

export const listAccess = defineRoute({
  ...route,
  id: 'listAccess',
  summary: 'List the data-access log of an organization, newest first',
  description: 'Owner or admin. Views can be missing for some seconds.',
  method: 'GET',
  path: '/api/organizations/{orgId}/access-log',
  params: OrgId,
  query: Type.Object({
    ...PageQuery,
    from: Type.Optional(Type.String({ ...time, description: 'At or after this RFC 3339 date or time' })),
    to: Type.Optional(Type.String({ ...time, description: 'Before this RFC 3339 date or time' })),
    actorId: Type.Optional(Type.String({ ...GivenId, description: 'Only what this user read' })),
    action: Type.Optional(
      Type.String({ maxLength: maxTypedLength, description: 'Only this action, such as `report.exported`' }),
    ),
    subjectId: Type.Optional(
      Type.String({ ...GivenId, description: 'Only of this dashboard, report or data source' }),
    ),
  }),
  status: 200,
  reply: page(AccessEntry),
});

/** How long the data-access log is kept. */
export const AccessRetention = Type.Object({
  days: Type.Integer({
    minimum: minAccessLogDays,
    maximum: maxAccessLogDays,
    description: 'After how many days entries are deleted',
  }),
});
export type AccessRetention = Static<typeof AccessRetention>;

export const getAccessRetention = defineRoute({
  ...route,
  id: 'getAccessRetention',
  summary: 'Read how long the data-access log is kept',
  description: 'Owner or admin.',
  method: 'GET',
  path: '/api/organizations/{orgId}/access-log/retention',
  params: OrgId,
  status: 200,
  reply: AccessRetention,
});

export const putAccessRetention = defineRoute({
  ...route,
  id: 'putAccessRetention',
  summary: 'Set how long the data-access log is kept',
  description: 'Owner. Older entries are deleted within an hour.',
  method: 'PUT',
  path: '/api/organizations/{orgId}/access-log/retention',
  params: OrgId,
  body: AccessRetention,
  status: 200,
  reply: AccessRetention,
});
