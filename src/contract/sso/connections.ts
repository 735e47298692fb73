import { Type, type Static } from 'typebox';
import { identityProviders } from '#shared/identity-providers.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, page, PageQuery } from '../values.ts';
import { SsoConfiguration } from './configuration.ts';
import { SsoDomain } from './domains.ts';
import { SsoPolicy, SsoStatus } from './policy.ts';
import { SsoTest } from './sign-in.ts';

const Provider = Type.Enum([...identityProviders], {
  description: '`oidc`: any other provider that conforms to OpenID Connect',
});

/** A directory as each save replaces it. Everything but its name can be entered later. */
export const SsoConnectionInput = Type.Object({
  name: DisplayName,
  provider: Provider,
  clientId: Type.String({ maxLength: 1_000, description: 'Client identifier; empty until you have it' }),
  tenantId: Type.Optional(Type.String({ maxLength: 1_000, description: 'Only for `entra`' })),
  discoveryUrl: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'URL of the discovery document; for `entra`, it is derived from the tenant by default',
    }),
  ),
  emailDomains: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 1_000 }),
  enabled: Type.Boolean(),
  clientSecret: Type.Optional(
    Type.String({
      writeOnly: true,
      maxLength: 10_000,
      description: 'Leave it out to preserve the stored secret; "" removes it',
    }),
  ),
});
export type SsoConnectionInput = Static<typeof SsoConnectionInput>;

/** A directory of an organization, without its secret. */
export const SsoConnection = Type.Object({
  ...SsoConfiguration.properties,
  provider: Provider,
  name: Type.Optional(Type.String({ description: 'Absent for the first one' })),
  isFirst: Type.Boolean({ description: 'Whether it is the one of `/api/sso/orgs/{orgId}/config`' }),
  state: SsoStatus.properties.state,
});
export type SsoConnection = Static<typeof SsoConnection>;

/** The policy of one directory: which of its people get which role. */
export const ConnectionPolicy = Type.Omit(SsoPolicy, ['requireSso']);
export type ConnectionPolicy = Static<typeof ConnectionPolicy>;

const OrgId = Type.Object({ orgId: Type.String() });
const OfConnection = Type.Object({ orgId: Type.String(), connectionId: Type.String() });
const all = {
  tag: 'Single sign-on',
  access: 'session',
  path: '/api/sso/orgs/{orgId}/connections',
  params: OrgId,
} as const;
const one = { ...all, path: `${all.path}/{connectionId}`, params: OfConnection } as const;

export const listSsoConnections = defineRoute({
  ...all,
  id: 'listSsoConnections',
  summary: 'List the directories of an organization',
  description: 'Owner or admin. The one of `/config` comes first.',
  method: 'GET',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(SsoConnection),
  problems: ['forbidden', 'not_found'],
});

export const createSsoConnection = defineRoute({
  ...all,
  id: 'createSsoConnection',
  summary: 'Add a directory to an organization',
  description:
    'Owner or admin. People sign in through the directory for which the domain of their address is verified. The status has the redirect URI to register at the provider.',
  method: 'POST',
  headers: IdempotencyKey,
  body: SsoConnectionInput,
  status: 201,
  reply: SsoConnection,
  problems: [
    'confirmation_required',
    'forbidden',
    'not_found',
    'too_many_connections',
    ...idempotencyProblems,
  ],
});

export const getSsoConnection = defineRoute({
  ...one,
  id: 'getSsoConnection',
  summary: 'Read a directory of an organization',
  description: 'Owner or admin.',
  method: 'GET',
  status: 200,
  reply: SsoConnection,
  problems: ['forbidden', 'not_found'],
});

export const putSsoConnection = defineRoute({
  ...one,
  id: 'putSsoConnection',
  summary: 'Replace a directory of an organization',
  description:
    'Owner or admin, with the rules of `POST /config`: a different provider, client, tenant or discovery URL removes the stored secret and the approval by an owner, and ends the sessions.',
  method: 'PUT',
  body: SsoConnectionInput,
  status: 200,
  reply: SsoConnection,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const deleteSsoConnection = defineRoute({
  ...one,
  id: 'deleteSsoConnection',
  summary: 'Delete a directory of an organization',
  description:
    'Owner or admin. Ends the sessions that people obtained through it. If it is added again, its people get new accounts; turn it off instead to continue later.',
  method: 'DELETE',
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const getSsoConnectionStatus = defineRoute({
  ...one,
  id: 'getSsoConnectionStatus',
  summary: 'Read whether sign-in through a directory works, and what to do if it does not',
  description: 'Owner or admin.',
  method: 'GET',
  path: `${one.path}/status`,
  status: 200,
  reply: SsoStatus,
  problems: ['forbidden', 'not_found'],
});

export const getSsoConnectionPolicy = defineRoute({
  ...one,
  id: 'getSsoConnectionPolicy',
  summary: 'Read which people of a directory get which role',
  description: 'Owner or admin.',
  method: 'GET',
  path: `${one.path}/policy`,
  status: 200,
  reply: ConnectionPolicy,
  problems: ['forbidden', 'not_found'],
});

export const putSsoConnectionPolicy = defineRoute({
  ...one,
  id: 'putSsoConnectionPolicy',
  summary: 'Replace which people of a directory get which role',
  description:
    'Owner or admin; only an owner can map to the role owner, which requires a recent confirmation of identity.',
  method: 'PUT',
  path: `${one.path}/policy`,
  body: ConnectionPolicy,
  status: 200,
  reply: ConnectionPolicy,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});

export const listSsoConnectionDomains = defineRoute({
  ...one,
  id: 'listSsoConnectionDomains',
  summary: 'List the email domains of a directory and whether they are verified',
  description: 'Owner or admin. A domain is verified for one directory at a time.',
  method: 'GET',
  path: `${one.path}/domains`,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(SsoDomain),
  problems: ['forbidden', 'not_found'],
});

export const verifySsoConnectionDomain = defineRoute({
  ...one,
  id: 'verifySsoConnectionDomain',
  summary: 'Verify a domain of a directory by its TXT record in DNS',
  description: 'Owner or admin. At most 30 times per minute and organization.',
  method: 'POST',
  path: `${one.path}/domains/{domain}/verify`,
  params: Type.Object({ ...OfConnection.properties, domain: Type.String() }),
  status: 200,
  reply: SsoDomain,
  problems: [
    'confirmation_required',
    'forbidden',
    'not_found',
    'domain_not_proven',
    'domain_taken',
    'too_many_attempts',
  ],
});

export const createSsoConnectionTest = defineRoute({
  ...one,
  id: 'createSsoConnectionTest',
  summary: 'Start a test sign-in through a directory, enabled or not',
  description:
    'Owner or admin. Open `url` in the same browser, then read the test. It creates neither a session nor a user.',
  method: 'POST',
  path: `${one.path}/test`,
  status: 201,
  reply: Type.Object({ id: Id, url: Type.String() }),
  problems: ['forbidden', 'not_found', 'sso_not_ready', 'too_many_attempts'],
});

export const getSsoConnectionTest = defineRoute({
  ...one,
  id: 'getSsoConnectionTest',
  summary: 'Read the results of a test sign-in through a directory',
  description: 'Owner or admin. Results are available for a day.',
  method: 'GET',
  path: `${one.path}/test/{testId}`,
  params: Type.Object({ ...OfConnection.properties, testId: Type.String() }),
  status: 200,
  reply: SsoTest,
  problems: ['forbidden', 'not_found'],
});
