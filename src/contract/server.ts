import { Type, type Static } from 'typebox';
import { Problem } from './problem.ts';
import { LinkToken } from './limits.ts';
import { defineRoute } from './route.ts';
import { SignedIn } from './accounts/sessions.ts';
import { DisplayName, Email, NewPassword } from './values.ts';

export const Health = Type.Object({ status: Type.Literal('ok') });

/** A problem with the database. */
export interface DatabaseFault {
  /**
   * `unreadable`: part of the stored data cannot be read. `not_writable`: reads work, but writes fail. `read_only`: this
   * database server accepts no writes, but another one may. `not_permitted`: the role lacks rights.
   */
  readonly code: 'unreadable' | 'not_writable' | 'read_only' | 'not_permitted';
  /** What is wrong, and what to do about it. Anyone may read it. */
  readonly detail: string;
}

export const HealthCheck = Type.Object({
  name: Type.Enum(['shutdown', 'database', 'writes', 'schema', 'permissions', 'key', 'disk', 'tables']),
  status: Type.Enum(['ok', 'degraded', 'failed']),
  detail: Type.Optional(Type.String({ description: 'What is wrong' })),
});
export type HealthCheck = Static<typeof HealthCheck>;

export const Readiness = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  checks: Type.Array(HealthCheck),
});

export const NotReady = Type.Object({
  ...Problem.properties,
  checks: Type.Optional(Type.Array(HealthCheck)),
});

export const getLive = defineRoute({
  id: 'getLive',
  tag: 'Server',
  summary: 'Check whether the server is running',
  description: 'For supervisors. Does not use the database.',
  method: 'GET',
  path: '/api/health/live',
  access: 'public',
  status: 200,
  reply: Health,
});

export const getReady = defineRoute({
  id: 'getReady',
  tag: 'Server',
  summary: 'Check whether the server is ready for requests',
  description:
    'It is ready unless a check has failed. With a full disk, it is `degraded`: it still serves reads.',
  method: 'GET',
  path: '/api/health/ready',
  access: 'public',
  status: 200,
  reply: Readiness,
  problems: ['unavailable'],
  problemReplies: { unavailable: NotReady },
});

export const getSetUp = defineRoute({
  id: 'getSetUp',
  tag: 'Server',
  summary: 'Check whether the server still needs its first owner',
  description: '`required` is false once there is an owner.',
  method: 'GET',
  path: '/api/set-up',
  access: 'public',
  status: 200,
  reply: Type.Object({ required: Type.Boolean() }),
});

export const setUp = defineRoute({
  id: 'setUp',
  tag: 'Server',
  summary: 'Create the first owner and organization with the one-time link, and sign in',
  description: 'The token is the part after `#` of the link that the server printed at its first start.',
  method: 'POST',
  path: '/api/set-up',
  access: 'public',
  body: Type.Object({
    token: LinkToken,
    email: Email,
    name: DisplayName,
    password: NewPassword,
    organization: DisplayName,
  }),
  status: 201,
  reply: SignedIn,
  problems: ['link_not_valid'],
});
