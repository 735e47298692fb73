import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { page, PageQuery } from '../values.ts';

/** An email domain of a configuration, and what is known of who owns it. */
export const SsoDomain = Type.Object({
  domain: Type.String(),
  state: Type.Enum(['proven', 'unproven', 'unusable'], {
    description: 'Only a proven domain routes and admits; an unusable one can never be proven',
  }),
  reason: Type.Optional(Type.String({ description: 'Why it is unusable, or no longer found' })),
  record: Type.Optional(
    Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      {
        description: 'The DNS record that proves it',
      },
    ),
  ),
  provenBy: Type.Optional(Type.Enum(['dns', 'operator'])),
  provenAt: Type.Optional(Type.String()),
  checkedAt: Type.Optional(
    Type.String({ description: 'When DNS was last asked; daily for a proven domain' }),
  ),
});
export type SsoDomain = Static<typeof SsoDomain>;

const route = { tag: 'Single sign-on', access: 'session' } as const;

export const listSsoDomains = defineRoute({
  ...route,
  id: 'listSsoDomains',
  summary: "List the email domains of an organization's configuration with their proofs",
  description: 'Owner or admin. In the order of the configuration.',
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
  summary: 'Prove a domain: ask DNS for its TXT record now',
  description:
    'Owner or admin. The problem tells what DNS answers. Thirty times a minute for an organization.',
  method: 'POST',
  path: '/api/sso/orgs/{orgId}/domains/{domain}/verify',
  params: Type.Object({ orgId: Type.String(), domain: Type.String() }),
  status: 200,
  reply: SsoDomain,
  problems: ['forbidden', 'not_found', 'domain_not_proven', 'domain_taken', 'too_many_attempts'],
});
