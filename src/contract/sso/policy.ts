import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { Role } from '../organizations/organizations.ts';
import { maxTypedLength, TypedEmail } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { SignedIn } from '../accounts/sessions.ts';
import { SsoDomain } from './domains.ts';
import { timePattern, Timestamp } from '../values.ts';

/** The value of a claim that gives a role. If several match, the most powerful role counts. */
export const RoleMapping = Type.Object({
  claim: Type.Enum(['roles', 'groups'], { description: '`roles`: app roles, which are recommended' }),
  value: Type.String({ minLength: 1, maxLength: maxTypedLength }),
  role: Role,
});
export type RoleMapping = Static<typeof RoleMapping>;

/** The sign-in policy: which people get which role, and whether single sign-on is required. */
export const SsoPolicy = Type.Object({
  requireSso: Type.Boolean({ description: 'Whether members can sign in only through the directory' }),
  defaultRole: Type.Enum(
    roles.filter((role) => role !== 'owner'),
    { description: 'The role if no mapping matches' },
  ),
  roleMappings: Type.Array(RoleMapping, { maxItems: 1_000 }),
  revalidateMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      description:
        'How often each session is checked with its refresh token, in minutes; 0: never. If absent, it doesn’t change',
    }),
  ),
  secretExpiresAt: Type.Optional(
    Type.String({
      pattern: timePattern,
      'x-expected': 'an RFC 3339 date or time',
      description: 'When the client secret expires: an RFC 3339 date or time',
    }),
  ),
});
export type SsoPolicy = Static<typeof SsoPolicy>;

const OrgId = Type.Object({ orgId: Type.String() });
const route = { tag: 'Single sign-on', access: 'session', params: OrgId } as const;

export const getSsoPolicy = defineRoute({
  ...route,
  id: 'getSsoPolicy',
  summary: "Read an organization's sign-in policy",
  description: 'Owner or admin.',
  method: 'GET',
  path: '/api/sso/orgs/{orgId}/policy',
  status: 200,
  reply: SsoPolicy,
  problems: ['forbidden', 'not_found'],
});

export const putSsoPolicy = defineRoute({
  ...route,
  id: 'putSsoPolicy',
  summary: "Replace an organization's sign-in policy",
  description:
    'Owner or admin; only an owner can map to the role owner or change `requireSso`. You can turn `requireSso` on ' +
    'only in a session that was obtained through the configuration, and only if there are recovery codes. Changing ' +
    'it, or a mapping to the role owner, requires a recent confirmation of identity.',
  method: 'PUT',
  path: '/api/sso/orgs/{orgId}/policy',
  body: SsoPolicy,
  status: 200,
  reply: SsoPolicy,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'sso_not_ready'],
});

export const createRecoveryCodes = defineRoute({
  ...route,
  id: 'createRecoveryCodes',
  summary: 'Create ten one-time recovery codes for yourself, replacing your earlier ones',
  description:
    'Owner, with a recent confirmation of identity. The codes are returned only once. Each signs you in once, ' +
    'even if the directory does not respond.',
  method: 'POST',
  path: '/api/sso/orgs/{orgId}/recovery-codes',
  status: 201,
  reply: Type.Object({ items: Type.Array(Type.String()) }),
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const signInByRecoveryCode = defineRoute({
  id: 'signInByRecoveryCode',
  tag: 'Sessions',
  summary: 'Sign in as an owner with a one-time recovery code',
  description:
    'Requires a code that the same owner created. The session is limited to the organization of the code.',
  method: 'POST',
  path: '/api/auth/sign-in/recovery',
  access: 'public',
  body: Type.Object({ email: TypedEmail, code: Type.String({ maxLength: 100 }) }),
  status: 200,
  reply: SignedIn,
  problems: ['invalid_credentials', 'sign_in_refused', 'too_many_attempts'],
});

export const Moment = Type.Object({ at: Timestamp, message: Type.String() });

/** The checks whether people may still sign in. */
export const Revalidation = Type.Object(
  {
    everyMinutes: Type.Integer({ description: '0: never' }),
    sessionCount: Type.Integer({ description: 'How many sessions have a refresh token, and so are checked' }),
    lastCheckedAt: Type.Optional(Timestamp),
    unavailableSince: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Since when the provider has not responded to checks. No session ends because of that',
      }),
    ),
    lateSince: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'When the most overdue check was due, if it is late by more than the interval',
      }),
    ),
  },
  { description: 'The checks whether people may still sign in, with their refresh tokens' },
);
export type Revalidation = Static<typeof Revalidation>;

/** Whether people can sign in through the directory; if not, each reason with its remedy. */
export const SsoStatus = Type.Object({
  state: Type.Enum(['off', 'blocked', 'ready', 'failing']),
  reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), remedy: Type.String() })),
  redirectUri: Type.String({
    description:
      'The redirect URI to register at the identity provider; the same before and after a configuration is saved',
  }),
  logoutUrl: Type.String({
    description:
      'The URL to register for front-channel and back-channel logout: sessions end when people sign out at the provider',
  }),
  domains: Type.Array(SsoDomain, { description: 'The first 100 domains of the configuration' }),
  domainCount: Type.Integer({ description: 'How many domains the configuration has' }),
  sessionCount: Type.Integer({
    description: 'How many sessions were obtained through the configuration; deleting it ends them',
  }),
  recoveryCodesLeft: Type.Integer({ description: 'How many unused recovery codes all owners have together' }),
  ownRecoveryCodesLeft: Type.Integer({ description: 'How many of them are yours; nobody else can use them' }),
  lastSuccess: Type.Optional(Moment),
  lastFailure: Type.Optional(Moment),
  lastLogout: Type.Optional(
    Type.Object({
      ...Moment.properties,
      seconds: Type.Optional(
        Type.Integer({
          description:
            'Seconds from the change at the directory until the sessions ended. For a check: seconds since the previous check, the most that it can have taken. For SCIM: seconds since the request arrived',
        }),
      ),
    }),
  ),
  revalidation: Type.Optional(Revalidation),
});
export type SsoStatus = Static<typeof SsoStatus>;

export const getSsoStatus = defineRoute({
  ...route,
  id: 'getSsoStatus',
  summary: 'Read whether sign-in through the directory works, and what to do if it does not',
  description:
    'Owner or admin. Before a configuration is saved, the state is `off` for the reason `configuration_missing`.',
  method: 'GET',
  path: '/api/sso/orgs/{orgId}/status',
  status: 200,
  reply: SsoStatus,
  problems: ['forbidden', 'not_found'],
});
