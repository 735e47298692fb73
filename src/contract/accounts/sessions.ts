import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, NewPassword, page, PageQuery, Timestamp } from '../values.ts';

/** The name of the cookie that carries the session token. */
export const sessionCookie = 'auth.session_token';

/** A person, whatever organizations they are in. */
export const User = Type.Object({ id: Id, email: Type.String(), name: Type.String() });
export type User = Static<typeof User>;

/** Whether the email address beside it is verified. */
export const EmailVerified = Type.Optional(
  Type.Boolean({
    description: 'False if a directory sends the address without confirming it; otherwise left out',
  }),
);

/** How a session was obtained. */
export const SessionMethod = Type.Enum([
  'password',
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
    Type.String({ description: 'The one organization this session opens; left out: all of the user' }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Type.String({ description: 'RFC 3339; exact to five minutes' }),
  expiresAt: Type.String({ description: 'RFC 3339; unused it ends earlier, 12 hours after its last use' }),
  userAgent: Type.Optional(Type.String()),
  address: Type.Optional(Type.String({ description: 'The network address it was obtained from' })),
});
export type Session = Static<typeof Session>;

/** Who has just signed in; the cookie goes along as a header. */
export const SignedIn = Type.Object({ user: User, session: Session });
export type SignedIn = Static<typeof SignedIn>;

export const signInByEmail = defineRoute({
  id: 'signInByEmail',
  tag: 'Sessions',
  summary: 'Sign in by email and password',
  description: `On success the cookie \`${sessionCookie}\` is set. An unknown email and a wrong password answer alike.`,
  method: 'POST',
  path: '/api/auth/sign-in/email',
  access: 'public',
  body: Type.Object({ email: Type.String(), password: Type.String() }),
  status: 200,
  reply: SignedIn,
  problems: ['invalid_credentials', 'sso_required', 'too_many_attempts'],
});

export const signOut = defineRoute({
  id: 'signOut',
  tag: 'Sessions',
  summary: 'End this session',
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
  summary: 'Read who is signed in by this session',
  method: 'GET',
  path: '/api/auth/get-session',
  access: 'session',
  status: 200,
  reply: SignedIn,
});

export const listSessions = defineRoute({
  id: 'listSessions',
  tag: 'Sessions',
  summary: 'List your sessions that have not ended, newest first',
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
  method: 'POST',
  path: '/api/auth/revoke-session',
  access: 'session',
  body: Type.Object({ id: Type.String() }),
  status: 204,
  problems: ['not_found'],
});

export const revokeOtherSessions = defineRoute({
  id: 'revokeOtherSessions',
  tag: 'Sessions',
  summary: 'End all of your sessions but this one',
  description: 'In a session of one organization alone: none, since it sees no other.',
  method: 'POST',
  path: '/api/auth/revoke-other-sessions',
  access: 'session',
  status: 204,
});

export const confirmIdentity = defineRoute({
  id: 'confirmIdentity',
  tag: 'Sessions',
  summary: 'Confirm your identity with your password',
  description:
    'For ten minutes, this session may do what otherwise returns `confirmation_required`. Signing in counts as well. ' +
    'Wrong passwords count as they do in signing in.',
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'session',
  body: Type.Object({ password: Type.String() }),
  status: 204,
  problems: ['forbidden', 'invalid_credentials', 'too_many_attempts'],
});

/** The account behind a session, and what its person may change of it. */
export const Account = Type.Object({
  user: User,
  hasPassword: Type.Boolean(),
  isOfDirectory: Type.Boolean({
    description: 'Whether the directory of an organization keeps its name and email address',
  }),
  mayCreateOrganizations: Type.Boolean({ description: 'Whether this session may create organizations' }),
  emailVerified: EmailVerified,
});
export type Account = Static<typeof Account>;

const account = { tag: 'Account', access: 'session' } as const;

export const getAccount = defineRoute({
  ...account,
  id: 'getAccount',
  summary: 'Read your account',
  method: 'GET',
  path: '/api/auth/account',
  status: 200,
  reply: Account,
});

export const updateUser = defineRoute({
  ...account,
  id: 'updateUser',
  summary: 'Change your name',
  description: 'Not in a session of one organization alone, nor for an account that a directory keeps.',
  method: 'POST',
  path: '/api/auth/update-user',
  body: Type.Object({ name: DisplayName }),
  status: 200,
  reply: User,
  problems: ['forbidden'],
});

export const changePassword = defineRoute({
  ...account,
  id: 'changePassword',
  summary: 'Change your password',
  description:
    'For an account with a password, and not in a session that is limited to one organization. Ends every other session ' +
    'of the person and every link to reset the password. Wrong passwords count as they do in signing in.',
  method: 'POST',
  path: '/api/auth/change-password',
  body: Type.Object({ currentPassword: Type.String(), newPassword: NewPassword }),
  status: 200,
  reply: Type.Object({ endedSessions: Type.Integer({ description: 'How many other sessions were ended' }) }),
  problems: ['forbidden', 'invalid_credentials', 'too_many_attempts'],
});
