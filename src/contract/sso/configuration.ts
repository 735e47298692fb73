import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { Id, Timestamp } from '../values.ts';

/** The kinds of identity provider: `idp_ad` is Active Directory, as Microsoft Entra ID or AD FS. */
const Provider = Type.Literal('idp_ad');

/** The configuration that each save replaces. Values that can't be used are stored too; the status reports them. */
export const SsoConfigurationInput = Type.Object(
  {
    provider: Provider,
    clientId: Type.String({ minLength: 1, description: 'Client identifier at the identity provider' }),
    emailDomains: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Email domains that use this configuration',
    }),
    enabled: Type.Boolean(),
    clientSecret: Type.Optional(
      Type.String({
        writeOnly: true,
        description: 'Leave it out to preserve the stored secret; "" removes it',
      }),
    ),
    tenantId: Type.Optional(Type.String({ description: 'Tenant at the identity provider' })),
    discoveryUrl: Type.Optional(
      Type.String({
        description: 'URL of the discovery document; by default, it is derived from the tenant',
      }),
    ),
  },
  {
    examples: [
      {
        provider: 'idp_ad',
        clientId: '6a1f0c3e-2b7d-4c58-9e0a-1d2f3a4b5c6d',
        tenantId: '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f',
        emailDomains: ['example.com'],
        enabled: true,
      },
    ],
  },
);
export type SsoConfigurationInput = Static<typeof SsoConfigurationInput>;

/** A stored configuration, without its secret. */
export const SsoConfiguration = Type.Object({
  id: Id,
  organizationId: Id,
  provider: Provider,
  clientId: Type.String(),
  tenantId: Type.Optional(Type.String()),
  discoveryUrl: Type.String(),
  emailDomains: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  hasSecret: Type.Boolean({ description: 'Whether a client secret is stored; it is never returned' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type SsoConfiguration = Static<typeof SsoConfiguration>;

const route = {
  tag: 'Single sign-on',
  path: '/api/sso/orgs/{orgId}/config',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  problems: ['forbidden', 'not_found'],
} as const;

export const createOrUpdateSsoConfiguration = defineRoute({
  ...route,
  id: 'createOrUpdateSsoConfiguration',
  problems: ['confirmation_required', ...route.problems],
  summary: "Create or update an organization's single sign-on configuration",
  description:
    'Owner or admin. The body replaces the configuration. If the client secret is left out, the stored one is ' +
    'preserved, unless provider, client, tenant or discovery URL change. While the policy maps claims to the role ' +
    'owner, a different directory makes owners only after an owner saves it within ten minutes of signing in or ' +
    'confirming their identity; until then the status contains `owner_not_approved`.',
  method: 'POST',
  ignoresUnknown: 'Clients of the published contract of this operation may send more',
  body: SsoConfigurationInput,
  status: 200,
  reply: SsoConfiguration,
});

export const getSsoConfiguration = defineRoute({
  ...route,
  id: 'getSsoConfiguration',
  summary: "Read an organization's single sign-on configuration",
  description: 'Owner or admin.',
  method: 'GET',
  status: 200,
  reply: SsoConfiguration,
});

export const deleteSsoConfiguration = defineRoute({
  ...route,
  id: 'deleteSsoConfiguration',
  problems: ['confirmation_required', ...route.problems],
  summary: "Delete an organization's single sign-on configuration",
  description: 'Owner or admin. Ends the sessions that people obtained through it.',
  method: 'DELETE',
  status: 204,
});
