import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { page, PageQuery, Timestamp } from '../values.ts';

/** An email domain of a configuration, and whether the organization verified that it owns it. */
export const SsoDomain = Type.Object({
  domain: Type.String(),
  state: Type.Enum(['proven', 'unproven', 'unusable'], {
    description:
      'People can sign in only with an address of a `proven` (verified) domain. An `unusable` one can never be ' +
      'verified',
  }),
  reason: Type.Optional(
    Type.String({ description: 'Why the domain is unusable, or that its record is missing' }),
  ),
  record: Type.Optional(
    Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      {
        description: 'The DNS record that verifies the domain',
      },
    ),
  ),
  provenBy: Type.Optional(Type.Enum(['dns', 'operator'])),
  provenAt: Type.Optional(Timestamp),
  checkedAt: Type.Optional(
    Type.String({ ...Timestamp, description: 'When DNS was last checked; daily for a verified domain' }),
  ),
});
export type SsoDomain = Static<typeof SsoDomain>;

const route = { tag: 'Single sign-on', access: 'session' } as const;

export const listSsoDomains = defineRoute({
  ...route,
  id: 'listSsoDomains',
  summary: "List the email domains of an organization's configuration and whether they are verified",
  description: 'Owner or admin. The domains are in the order of the configuration.',
  method: 'GET',
  path: '/api/sso/orgs/{orgId}/domains',
  params: Type.Object({ orgId: Type.String() }),
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(SsoDomain),
  problems: ['forbidden', 'not_found'],
});

export const verifySsoDomain = defineRoute({
  ...route,
  id: 'verifySsoDomain',
  summary: 'Verify a domain by its TXT record in DNS',
  description:
    'Owner or admin. If the record is not found, the problem contains what DNS returned. At most 30 times per ' +
    'minute and organization.',
  method: 'POST',
  path: '/api/sso/orgs/{orgId}/domains/{domain}/verify',
  params: Type.Object({ orgId: Type.String(), domain: Type.String() }),
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
