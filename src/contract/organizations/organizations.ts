import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { defineRoute } from '../route.ts';
import { DisplayName, Id, page, PageQuery, Timestamp } from '../values.ts';

/** One of the roles. */
export const Role = Type.Enum([...roles]);
export type Role = Static<typeof Role>;

const organization = { id: Id, name: Type.String(), createdAt: Timestamp, updatedAt: Timestamp };
/** An organization, with the role of the member who reads it. */
export const Organization = Type.Object({
  ...organization,
  role: Type.Enum([...roles], { description: 'Your role' }),
});
export type Organization = Static<typeof Organization>;

const OrganizationName = Type.Object({ name: DisplayName });
const OrgId = Type.Object({ orgId: Type.String() });

export const createOrganization = defineRoute({
  id: 'createOrganization',
  tag: 'Organizations',
  summary: 'Create an organization; you become its owner',
  description:
    'For operators of the server or, with `ATRIUM_ORGANIZATION_CREATION=everyone`, everyone with an account. Not in ' +
    'a ' +
    'session that is limited to one organization.',
  method: 'POST',
  path: '/api/organizations',
  access: 'session',
  headers: IdempotencyKey,
  body: OrganizationName,
  status: 201,
  location: '/api/organizations/{id}',
  reply: Organization,
  problems: ['forbidden', ...idempotencyProblems],
});

export const listOrganizations = defineRoute({
  id: 'listOrganizations',
  tag: 'Organizations',
  summary: 'List the organizations you are a member of',
  description: 'In a session that is limited to one organization, only that one. Each has your role in it.',
  method: 'GET',
  path: '/api/organizations',
  access: 'session',
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Organization),
});

export const getOrganization = defineRoute({
  id: 'getOrganization',
  tag: 'Organizations',
  summary: 'Read an organization',
  description: 'For members.',
  method: 'GET',
  path: '/api/organizations/{orgId}',
  access: 'session',
  params: OrgId,
  status: 200,
  reply: Organization,
  problems: ['not_found'],
});

export const renameOrganization = defineRoute({
  id: 'renameOrganization',
  tag: 'Organizations',
  summary: 'Rename an organization',
  description: 'Owner or admin.',
  method: 'PATCH',
  path: '/api/organizations/{orgId}',
  access: 'session',
  params: OrgId,
  body: OrganizationName,
  status: 200,
  reply: Organization,
  problems: ['forbidden', 'not_found'],
});
