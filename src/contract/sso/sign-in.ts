import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { defineRoute } from '../route.ts';
import { User } from '../accounts/sessions.ts';
import { Id, Timestamp } from '../values.ts';

const ReturnTo = Type.Optional(
  Type.String({ description: 'A path of this server to go to afterwards; anything else counts as `/`' }),
);

export const startSsoByEmail = defineRoute({
  id: 'startSsoByEmail',
  tag: 'Sign-in through the directory',
  summary: 'Tell where an email address signs in',
  description:
    'The answer depends on the domain alone: it is the same whether there is such an account or not. `url` is where ' +
    'to send the browser: to the directory of the organization, or to the page that asks for the password.',
  method: 'POST',
  path: '/api/sso/sign-in',
  access: 'public',
  body: Type.Object({ email: Type.String(), returnTo: ReturnTo }),
  status: 200,
  reply: Type.Object({ method: Type.Enum(['sso', 'password']), url: Type.String() }),
});

export const startSso = defineRoute({
  id: 'startSso',
  tag: 'Sign-in through the directory',
  summary: "Begin to sign in through an organization's directory",
  description: 'For a browser: redirects to the identity provider. A tile or bookmark there can point here.',
  method: 'GET',
  path: '/api/sso/start/{orgId}',
  access: 'public',
  params: Type.Object({ orgId: Type.String() }),
  query: Type.Object({
    returnTo: ReturnTo,
    loginHint: Type.Optional(Type.String({ description: 'The email address to suggest to the provider' })),
    prompt: Type.Optional(
      Type.Enum(['login'], {
        description: '`login`: the provider makes the person sign in again, even if they are signed in there',
      }),
    ),
  }),
  status: 302,
  problems: ['not_a_navigation', 'not_found', 'sign_in_refused', 'too_many_attempts'],
});

export const completeSso = defineRoute({
  id: 'completeSso',
  tag: 'Sign-in through the directory',
  summary: 'Complete a sign-in: the redirect URI to register at the identity provider',
  description:
    'For a browser that returns from the provider. Starts a session and redirects to the page that the person wanted; ' +
    'for a test sign-in, to its result; and at the first sign-in of a member whose account has a password, to a page ' +
    'that asks for it.',
  method: 'GET',
  path: '/api/sso/callback/{configId}',
  access: 'public',
  params: Type.Object({ configId: Type.String() }),
  query: Type.Object({}),
  status: 302,
  problems: ['not_a_navigation', 'sign_in_expired', 'sign_in_refused', 'too_many_attempts'],
});

const link = {
  tag: 'Sign-in through the directory',
  method: 'POST',
  access: 'public',
  status: 200,
} as const;

export const readSsoLink = defineRoute({
  ...link,
  id: 'readSsoLink',
  summary: 'Read which account a sign-in would be linked to',
  description:
    'For the browser that signed in, for ten minutes. `token` is in the URL of the page, after `#`.',
  path: '/api/sso/sign-in/link/read',
  body: Type.Object({ token: Type.String() }),
  reply: Type.Object({ email: Type.String(), name: Type.String(), organizationName: Type.String() }),
  problems: ['sign_in_expired'],
});

export const confirmSsoLink = defineRoute({
  ...link,
  id: 'confirmSsoLink',
  summary: 'Link the account to the directory with its password, and complete the sign-in',
  description: 'Once, for the browser that signed in. Wrong passwords count as they do in signing in.',
  path: '/api/sso/sign-in/link',
  body: Type.Object({ token: Type.String(), password: Type.String() }),
  reply: Type.Object({ returnTo: Type.String({ description: 'The path of this server to go to' }) }),
  problems: ['invalid_credentials', 'sign_in_expired', 'sign_in_refused', 'too_many_attempts'],
});

/** One thing that was looked at, and whether it is as it must be. */
export const SsoCheck = Type.Object({
  code: Type.String({ description: 'A stable word' }),
  passed: Type.Boolean(),
  message: Type.String(),
  remedy: Type.Optional(Type.String({ description: 'What to do when it did not pass' })),
});
export type SsoCheck = Static<typeof SsoCheck>;

/** What a test sign-in found; absent parts were not reached. */
export const SsoTest = Type.Object({
  id: Id,
  state: Type.Enum(['waiting', 'done']),
  createdAt: Timestamp,
  checks: Type.Array(SsoCheck),
  discovery: Type.Optional(
    Type.Object({
      issuer: Type.String(),
      authorizationEndpoint: Type.String(),
      tokenEndpoint: Type.String(),
      jwksUri: Type.String(),
      endSessionEndpoint: Type.Optional(Type.String()),
    }),
  ),
  claims: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  identity: Type.Optional(Type.Object({ issuer: Type.String(), subject: Type.String() })),
  email: Type.Optional(Type.String()),
  account: Type.Optional(
    Type.Object(User.properties, {
      description: 'Who the person is here already; left out: a new account would be made',
    }),
  ),
  role: Type.Optional(Type.Enum([...roles])),
});
export type SsoTest = Static<typeof SsoTest>;

const test = {
  tag: 'Single sign-on',
  access: 'session',
} as const;

export const createSsoTest = defineRoute({
  ...test,
  id: 'createSsoTest',
  summary: 'Begin a test sign-in with the stored configuration, enabled or not',
  description:
    'Owner or admin. Open `url` in the same browser; then read the test. It makes no session and no user.',
  method: 'POST',
  path: '/api/sso/orgs/{orgId}/config/test',
  params: Type.Object({ orgId: Type.String() }),
  status: 201,
  reply: Type.Object({ id: Id, url: Type.String() }),
  problems: ['forbidden', 'not_found', 'sso_not_ready', 'too_many_attempts'],
});

export const getSsoTest = defineRoute({
  ...test,
  id: 'getSsoTest',
  summary: 'Read what a test sign-in found',
  description: 'Owner or admin. Kept for a day.',
  method: 'GET',
  path: '/api/sso/orgs/{orgId}/config/test/{testId}',
  params: Type.Object({ orgId: Type.String(), testId: Type.String() }),
  status: 200,
  reply: SsoTest,
  problems: ['forbidden', 'not_found'],
});
