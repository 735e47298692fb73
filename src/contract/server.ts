import { Type } from 'typebox';
import { defineRoute } from './route.ts';
import { SignedIn } from './sessions.ts';
import { DisplayName, Email, NewPassword } from './values.ts';

const Health = Type.Object({ status: Type.Literal('ok') });

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
  summary: 'Whether the server can serve: its database answers and it is not stopping',
  method: 'GET',
  path: '/api/health/ready',
  access: 'public',
  status: 200,
  reply: Health,
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
