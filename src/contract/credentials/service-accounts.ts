import { Type, type Static } from 'typebox';
import { DisplayName, Id, page, PageQuery, Timestamp } from '../values.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { NewToken, TokenInput } from './tokens.ts';

/** The roles that a service account can have: never that of an owner. */
export const ServiceAccountRole = Type.Enum(['admin', 'editor', 'viewer']);

/** A member of an organization that is a program. It has tokens instead of sessions. */
export const ServiceAccount = Type.Object({
  id: Id,
  name: Type.String(),
  role: ServiceAccountRole,
  createdAt: Timestamp,
  createdBy: Type.String({ description: 'The ID of the person who created it' }),
});
export type ServiceAccount = Static<typeof ServiceAccount>;

const ServiceAccountInput = Type.Object({ name: DisplayName, role: ServiceAccountRole });
export type ServiceAccountInput = Static<typeof ServiceAccountInput>;

const base = { tag: 'Tokens', access: 'session' } as const;
const OrgId = Type.Object({ orgId: Type.String() });

export const listServiceAccounts = defineRoute({
  ...base,
  id: 'listServiceAccounts',
  summary: 'List the service accounts of an organization',
  description: 'Owner or admin.',
  method: 'GET',
  path: '/api/organizations/{orgId}/service-accounts',
  params: OrgId,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(ServiceAccount),
  problems: ['forbidden', 'not_found'],
});

export const createServiceAccount = defineRoute({
  ...base,
  id: 'createServiceAccount',
  summary: 'Create a service account',
  description:
    'Owner or admin. It becomes a member, whose role is changed and which is removed like that of a person, and stays when you leave.',
  method: 'POST',
  path: '/api/organizations/{orgId}/service-accounts',
  params: OrgId,
  headers: IdempotencyKey,
  body: ServiceAccountInput,
  status: 201,
  reply: ServiceAccount,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'too_many_tokens', ...idempotencyProblems],
});

export const renameServiceAccount = defineRoute({
  ...base,
  id: 'renameServiceAccount',
  summary: 'Rename a service account',
  description: 'Owner or admin. Its role is changed like that of a person.',
  method: 'PATCH',
  path: '/api/organizations/{orgId}/service-accounts/{userId}',
  params: Type.Object({ orgId: Type.String(), userId: Type.String() }),
  body: Type.Object({ name: DisplayName }),
  status: 200,
  reply: ServiceAccount,
  problems: ['forbidden', 'not_found'],
});

export const createServiceAccountToken = defineRoute({
  ...base,
  id: 'createServiceAccountToken',
  summary: 'Create a token for a service account',
  description:
    'Owner or admin. To replace a token, create a second one, use it, and revoke the first. Requires a recent confirmation of identity.',
  method: 'POST',
  path: '/api/organizations/{orgId}/service-accounts/{userId}/tokens',
  params: Type.Object({ orgId: Type.String(), userId: Type.String() }),
  body: TokenInput,
  status: 201,
  reply: NewToken,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'too_many_tokens'],
});
