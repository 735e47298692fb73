import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { GivenId, HeaderText, LinkToken, TypedEmail, TypedPassword } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { PasskeyRequest } from '../accounts/passkeys.ts';
import { SecondFactorProof, SecondFactorRequired } from '../accounts/second-factor-proof.ts';
import { User } from '../accounts/sessions.ts';
import { EmailAddress, Id, Timestamp } from '../values.ts';

const ReturnTo = Type.Optional(
  Type.String({
    ...HeaderText,
    description: 'The path of this server to open afterwards; anything else counts as `/`',
  }),
);

export const startSsoByEmail = defineRoute({
  id: 'startSsoByEmail',
  tag: 'Sign-in through the directory',
  summary: 'Find where an email address signs in',
  description:
    'The response depends only on the domain: it is the same whether or not the account exists. Send the browser to ' +
    '`url`, which is the directory of the organization or the page that asks for the password.',
  method: 'POST',
  path: '/api/sso/sign-in',
  access: 'public',
  body: Type.Object({ email: TypedEmail, returnTo: ReturnTo }),
  status: 200,
  reply: Type.Object({ method: Type.Enum(['sso', 'password']), url: Type.String() }),
});

export const startSso = defineRoute({
  id: 'startSso',
  tag: 'Sign-in through the directory',
  summary: "Start a sign-in through an organization's directory",
  description: 'For browsers: redirects to the identity provider. Tiles and bookmarks can link to this URL.',
  method: 'GET',
  path: '/api/sso/start/{orgId}',
  access: 'public',
  params: Type.Object({ orgId: Type.String() }),
  query: Type.Object({
    returnTo: ReturnTo,
    connection: Type.Optional(
      Type.String({
        ...GivenId,
        description:
          'The ID of one of the directories of the organization. By default, the one for which the domain of `loginHint` is verified, or else the first one that is on',
      }),
    ),
    loginHint: Type.Optional(
      Type.String({ ...TypedEmail, description: 'The email address to suggest to the provider' }),
    ),
    prompt: Type.Optional(
      Type.Enum(['login'], {
        description: '`login`: the provider asks people to sign in again, even if they are signed in there',
      }),
    ),
  }),
  ignoresUnknown: 'OpenID Connect Core 1.0, section 4',
  status: 302,
  problems: ['not_a_navigation', 'not_found', 'sign_in_refused', 'too_many_attempts'],
});

export const completeSso = defineRoute({
  id: 'completeSso',
  tag: 'Sign-in through the directory',
  summary: 'Complete a sign-in: the redirect URI to register at the identity provider',
  description:
    'For browsers that return from the provider. Starts a session and redirects to the requested page. A test ' +
    'sign-in redirects to its result instead; the first sign-in of a member whose account has a password, to a page ' +
    'that asks for the password.',
  method: 'GET',
  path: '/api/sso/callback/{configId}',
  access: 'public',
  params: Type.Object({ configId: Type.String() }),
  query: Type.Object({}),
  ignoresUnknown: 'RFC 6749, section 4.1.2',
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
    'Only for the browser that signed in, for ten minutes. `token` is in the URL of the page, after `#`.',
  path: '/api/sso/sign-in/link/read',
  body: Type.Object({ token: LinkToken }),
  reply: Type.Object({ email: EmailAddress, name: Type.String(), organizationName: Type.String() }),
  problems: ['sign_in_expired'],
});

export const startSsoLinkPasskey = defineRoute({
  ...link,
  id: 'startSsoLinkPasskey',
  summary: 'Start to use a passkey as the second factor of the account to link',
  description:
    'Names no passkeys, since the password is not known yet. The passkey has to be used within five minutes.',
  path: '/api/sso/sign-in/link/options',
  body: Type.Object({ token: LinkToken }),
  reply: PasskeyRequest,
  problems: ['forbidden', 'sign_in_expired', 'too_many_attempts'],
});

export const confirmSsoLink = defineRoute({
  ...link,
  id: 'confirmSsoLink',
  summary: 'Link the account to the directory with its password, and complete the sign-in',
  description:
    'Works once, for the browser that signed in. Requires the second factor of the account, too, if it has one. Wrong ' +
    'passwords and codes count as failed sign-ins.',
  path: '/api/sso/sign-in/link',
  body: Type.Object({
    token: LinkToken,
    password: TypedPassword,
    secondFactor: Type.Optional(SecondFactorProof),
  }),
  reply: Type.Object({ returnTo: Type.String({ description: 'The path of this server to open' }) }),
  problems: [
    'invalid_credentials',
    'second_factor_required',
    'sign_in_expired',
    'sign_in_refused',
    'too_many_attempts',
  ],
  problemReplies: { second_factor_required: SecondFactorRequired },
});

/** A check of a test sign-in, and whether it passed. */
export const SsoCheck = Type.Object({
  code: Type.String({ description: 'A stable code' }),
  passed: Type.Boolean(),
  message: Type.String(),
  remedy: Type.Optional(Type.String({ description: 'What to do if it did not pass' })),
});
export type SsoCheck = Static<typeof SsoCheck>;

/** The results of a test sign-in; steps that were not reached are absent. */
export const SsoTest = Type.Object({
  id: Id,
  connectionId: Type.String({ description: 'The directory' }),
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
      description: 'The existing account of the person; absent if a new one would be created',
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
  summary: 'Start a test sign-in with the stored configuration, enabled or not',
  description:
    'Owner or admin. Open `url` in the same browser, then read the test. It creates neither a session nor a user.',
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
  summary: 'Read the results of a test sign-in',
  description: 'Owner or admin. Results are available for a day.',
  method: 'GET',
  path: '/api/sso/orgs/{orgId}/config/test/{testId}',
  params: Type.Object({ orgId: Type.String(), testId: Type.String() }),
  status: 200,
  reply: SsoTest,
  problems: ['forbidden', 'not_found'],
});
