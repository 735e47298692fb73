import { Type, type Static } from 'typebox';
import { defineRoute } from './route.ts';
import { SignedIn } from './accounts/sessions.ts';
import { DisplayName, Email, NewPassword } from './values.ts';

const Health = Type.Object({ status: Type.Literal('ok') });

/** A fault of the database. */
export const DatabaseFault = Type.Object({
  code: Type.Enum(['unreadable', 'not_writable', 'read_only'], {
    description:
      '`unreadable`: part of the stored data cannot be read. `not_writable`: reads work, but nothing can be stored. ' +
      '`read_only`: this database server accepts no writes, but another one may.',
  }),
  detail: Type.String({ description: 'What is wrong and what to do' }),
});
export type DatabaseFault = Static<typeof DatabaseFault>;

const Readiness = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  faults: Type.Optional(
    Type.Array(DatabaseFault, { description: 'What is degraded; left out if nothing is' }),
  ),
});

export const getLive = defineRoute({
  id: 'getLive',
  tag: 'Server',
  summary: 'Whether the server runs',
  method: 'GET',
  path: '/api/health/live',
  access: 'public',
  status: 200,
  reply: Health,
});

export const getReady = defineRoute({
  id: 'getReady',
  tag: 'Server',
  summary:
    'Whether the server is ready: its database responds, can be read and is not a standby, and it is not stopping',
  description: 'A server whose disk is full still serves reads: it is ready, with the status `degraded`.',
  method: 'GET',
  path: '/api/health/ready',
  access: 'public',
  status: 200,
  reply: Readiness,
  problems: ['unavailable'],
});

export const getSetUp = defineRoute({
  id: 'getSetUp',
  tag: 'Server',
  summary: 'Whether the server still waits for its first owner',
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
  description: 'The token is what follows `#` in the link that the server printed at its first start.',
  method: 'POST',
  path: '/api/set-up',
  access: 'public',
  body: Type.Object({
    token: Type.String(),
    email: Email,
    name: DisplayName,
    password: NewPassword,
    organization: DisplayName,
  }),
  status: 201,
  reply: SignedIn,
  problems: ['link_not_valid'],
});
