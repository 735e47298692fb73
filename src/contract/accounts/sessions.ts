import { Type, type Static } from 'typebox';
import { GivenId, TypedEmail, TypedPassword } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { PasskeyAssertion } from './passkey-assertion.ts';
import { SecondFactorMethod, SecondFactorProof, SecondFactorRequired } from './second-factor-proof.ts';
import { DisplayName, EmailAddress, Id, NewPassword, page, PageQuery, Timestamp } from '../values.ts';

/** The name of the cookie that carries the session token. */
export const sessionCookie = 'auth.session_token';

/** A person, who can be in any number of organizations. */
export const User = Type.Object({ id: Id, email: EmailAddress, name: Type.String() });
export type User = Static<typeof User>;

/** Whether the person's email address is verified. */
export const EmailVerified = Type.Optional(
  Type.Boolean({
    description: 'False if a directory sends the address without confirming it; otherwise absent',
  }),
);

/** How a session was obtained. */
export const SessionMethod = Type.Enum([
  'password',
  'passkey',
  'set_up',
  'invitation',
  'operator',
  'sso',
  'recovery_code',
]);
export type SessionMethod = Static<typeof SessionMethod>;

/** A session, without its token. */
export const Session = Type.Object({
  id: Id,
  method: SessionMethod,
  organizationId: Type.Optional(
    Type.String({
      description: 'The only organization that this session can access; absent if it can access all',
    }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Type.String({ ...Timestamp, description: 'RFC 3339, accurate to five minutes' }),
  expiresAt: Type.String({
    ...Timestamp,
    description:
      'RFC 3339. An unused session ends earlier: 12 hours after its last use, or after `idleMinutes`',
  }),
  idleMinutes: Type.Optional(
    Type.Integer({
      description:
        'After how many minutes without use it ends, if it opens only one organization, which set that',
    }),
  ),
  userAgent: Type.Optional(Type.String()),
  address: Type.Optional(Type.String({ description: 'The IP address of the client that obtained it' })),
});
export type Session = Static<typeof Session>;

/** The account and session of a sign-in, whose cookie is sent as a header. */
export const SignedIn = Type.Object({ user: User, session: Session });
export type SignedIn = Static<typeof SignedIn>;

export const signInByEmail = defineRoute({
  id: 'signInByEmail',
  tag: 'Sessions',
  summary: 'Sign in with email and password',
  description:
    `Sets the cookie \`${sessionCookie}\`. The response is the same for an unknown email and a wrong password. ` +
    'If the account has a second factor, a correct password gets `second_factor_required` and a cookie for the second step.',
  method: 'POST',
  path: '/api/auth/sign-in/email',
  access: 'public',
  body: Type.Object({ email: TypedEmail, password: TypedPassword }),
  status: 200,
  reply: SignedIn,
  problems: [
    'invalid_credentials',
    'second_factor_required',
    'sso_required',
    'sign_in_refused',
    'too_many_attempts',
  ],
  problemReplies: { second_factor_required: SecondFactorRequired },
});

export const signOut = defineRoute({
  id: 'signOut',
  tag: 'Sessions',
  summary: 'End this session',
  description: 'Deletes the session and its cookie.',
  method: 'POST',
  path: '/api/auth/sign-out',
  access: 'session',
  status: 200,
  reply: Type.Object({
    logoutUrl: Type.Optional(
      Type.String({ description: 'Where to send the browser to sign out at the identity provider too' }),
    ),
  }),
});

export const getSession = defineRoute({
  id: 'getSession',
  tag: 'Sessions',
  summary: 'Read the account and this session',
  description: 'Returns 401 once the session has ended.',
  method: 'GET',
  path: '/api/auth/get-session',
  access: 'session',
  status: 200,
  reply: SignedIn,
});

export const listSessions = defineRoute({
  id: 'listSessions',
  tag: 'Sessions',
  summary: 'List your active sessions, newest first',
  description: 'A session that is limited to one organization lists only itself.',
  method: 'GET',
  path: '/api/auth/list-sessions',
  access: 'session',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Session),
});

export const revokeSession = defineRoute({
  id: 'revokeSession',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  description: 'The session can no longer be used from then on.',
  method: 'POST',
  path: '/api/auth/revoke-session',
  access: 'session',
  body: Type.Object({ id: GivenId }),
  status: 204,
  problems: ['not_found'],
});

export const revokeOtherSessions = defineRoute({
  id: 'revokeOtherSessions',
  tag: 'Sessions',
  summary: 'End all of your other sessions',
  description:
    'In a session that is limited to one organization, it ends none, since that session cannot access the others.',
  method: 'POST',
  path: '/api/auth/revoke-other-sessions',
  access: 'session',
  status: 204,
});

export const confirmIdentity = defineRoute({
  id: 'confirmIdentity',
  tag: 'Sessions',
  summary: 'Confirm your identity with a passkey, or with your password and your second factor',
  description:
    'For ten minutes, requests in this session no longer return `confirmation_required`. Signing in counts as well. ' +
    'Wrong passwords and codes count as failed sign-ins.',
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'session',
  body: Type.Union([
    Type.Object({ password: TypedPassword, secondFactor: Type.Optional(SecondFactorProof) }),
    Type.Object({ assertion: PasskeyAssertion }),
  ]),
  status: 204,
  problems: ['forbidden', 'invalid_credentials', 'second_factor_required', 'too_many_attempts'],
  problemReplies: { second_factor_required: SecondFactorRequired },
});

/** The account of the session, and what the person may change about it. */
export const Account = Type.Object({
  user: User,
  hasPassword: Type.Boolean(),
  isManagedByDirectory: Type.Boolean({
    description: 'Whether the directory of an organization manages its name and email address',
  }),
  mayCreateOrganizations: Type.Boolean({ description: 'Whether this session may create organizations' }),
  secondFactors: Type.Array(SecondFactorMethod, {
    description: 'What it accepts in addition to the password; empty if it has no second factor',
  }),
  emailVerified: EmailVerified,
  commentMails: Type.Boolean({ description: 'Whether it gets emails about comments' }),
});
export type Account = Static<typeof Account>;

const account = { tag: 'Account', access: 'session' } as const;

export const getAccount = defineRoute({
  ...account,
  id: 'getAccount',
  summary: 'Read your account',
  description: 'Also shows what this session may change about the account.',
  method: 'GET',
  path: '/api/auth/account',
  status: 200,
  reply: Account,
});

export const updateUser = defineRoute({
  ...account,
  id: 'updateUser',
  summary: 'Change your name, and which emails you get',
  description:
    'The name not in a session that is limited to one organization, and not for an account that a directory manages.',
  method: 'POST',
  path: '/api/auth/update-user',
  body: Type.Object({
    name: Type.Optional(DisplayName),
    commentMails: Type.Optional(Type.Boolean({ description: 'Whether to get emails about comments' })),
  }),
  status: 200,
  reply: User,
  problems: ['forbidden'],
});

export const changePassword = defineRoute({
  ...account,
  id: 'changePassword',
  summary: 'Change your password',
  description:
    'For an account with a password, and not in a session that is limited to one organization. Ends every other ' +
    'session ' +
    'of the person and every link to reset the password. Wrong passwords count as failed sign-ins.',
  method: 'POST',
  path: '/api/auth/change-password',
  body: Type.Object({ currentPassword: TypedPassword, newPassword: NewPassword }),
  status: 200,
  reply: Type.Object({ endedSessions: Type.Integer({ description: 'How many other sessions were ended' }) }),
  problems: ['forbidden', 'invalid_credentials', 'too_many_attempts'],
});
