import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';

/** The limits that an organization sets for the sessions in which it is used. Without one, that of the server applies. */
export const SessionPolicy = Type.Object({
  idleMinutes: Type.Optional(
    Type.Integer({
      minimum: 15,
      maximum: 720,
      description:
        'After how many minutes without use a session no longer opens the organization; 720 if absent',
    }),
  ),
  absoluteHours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 168,
      description:
        'After how many hours a session no longer opens the organization, however much it is used; 168 if absent',
    }),
  ),
  maxSessions: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'In how many sessions a person can use the organization: the newest',
    }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 50, examples: ['203.0.113.0/24'] }), {
      maxItems: 100,
      description:
        'The only IP addresses and ranges (CIDR) from which the organization can be used, also with tokens; any if absent or empty',
    }),
  ),
});
export type SessionPolicy = Static<typeof SessionPolicy>;

const base = {
  tag: 'Organizations',
  path: '/api/organizations/{orgId}/session-policy',
  params: Type.Object({ orgId: Type.String() }),
} as const;

export const getSessionPolicy = defineRoute({
  ...base,
  id: 'getSessionPolicy',
  summary: 'Read the session limits of an organization',
  description: 'For members.',
  method: 'GET',
  access: 'session',
  status: 200,
  reply: SessionPolicy,
  problems: ['not_found'],
});

export const putSessionPolicy = defineRoute({
  ...base,
  id: 'putSessionPolicy',
  summary: 'Set the session limits of an organization',
  description:
    'Owner or admin; only an owner can change the addresses. It applies to existing sessions from their next request on. Sessions through the directory of the organization end; others go on elsewhere, and the organization responds with `session_limit_exceeded` until the person signs in again. The addresses must contain the one of this request.',
  method: 'PUT',
  access: 'session',
  body: SessionPolicy,
  status: 200,
  reply: SessionPolicy,
  problems: ['forbidden', 'not_found'],
});
