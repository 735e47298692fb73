import { Type, type Static } from 'typebox';
import { Scopes } from '../credentials/tokens.ts';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { EmailAddress, Id, page, PageQuery, Timestamp } from '../values.ts';
import { GroupId, GroupName } from './groups.ts';

const ObjectKind = Type.Enum(['organization', 'folder', 'dashboard', 'report', 'data_source']);

/** A permission that somebody has, and why. Nobody has access to an organization except through one of them. */
export const AccessGrant = Type.Object({
  id: Type.String({ description: 'Unique in the review, and the same in the next one' }),
  reason: Type.Enum(['role', 'directory', 'owner', 'named', 'group', 'token', 'link'], {
    description:
      'Why: a role that a member gave, or that the mappings of a directory gave; being the owner of the object; shared with the ' +
      'grantee by name; shared with a directory group that the member has; a token; a link',
  }),
  grantee: Type.Object(
    {
      kind: Type.Enum(['person', 'service_account', 'group', 'link']),
      id: Type.String({
        description: 'A user, a group as in `GET /api/organizations/{orgId}/groups`, or a link',
      }),
      name: Type.String(),
      email: Type.Optional({ ...EmailAddress, description: 'Of a person' }),
    },
    { description: 'Who has the access' },
  ),
  object: Type.Object(
    { kind: ObjectKind, id: Id, name: Type.String() },
    { description: 'What the grant is about' },
  ),
  access: Type.Enum(['owner', 'admin', 'editor', 'viewer', 'manage', 'edit', 'use', 'view'], {
    description: 'A role in the organization, or what the grantee may do with another object',
  }),
  scopes: Type.Optional({ ...Scopes, description: 'What a token is limited to' }),
  tokenId: Type.Optional(Id),
  tokenName: Type.Optional(Type.String({ description: 'What the token is called' })),
  groupId: Type.Optional({ ...GroupId, description: 'The group that gives a member access' }),
  groupName: Type.Optional(GroupName),
  since: Type.Optional({ ...Timestamp, description: 'Absent if it is not known' }),
  grantedBy: Type.Optional(
    Type.Object({ id: Id, name: Type.String() }, { description: 'Absent if it is not known' }),
  ),
  lastSeenAt: Type.Optional(
    Type.String({
      ...Timestamp,
      description:
        'When the member last used the organization, accurate to an hour, or when the token or link was last used; absent if never',
    }),
  ),
  expiresAt: Type.Optional(Timestamp),
});
export type AccessGrant = Static<typeof AccessGrant>;

const filter = {
  userId: Type.Optional(
    Type.String({ ...GivenId, description: 'Only what this member has, or has created links for' }),
  ),
  objectKind: Type.Optional({ ...ObjectKind, description: 'Only grants on objects of this kind' }),
  objectId: Type.Optional(Type.String({ ...GivenId, description: 'Only grants on this object' })),
};

const route = {
  tag: 'Members',
  method: 'GET',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  status: 200,
  problems: ['forbidden', 'not_found'],
} as const;

export const listAccessGrants = defineRoute({
  ...route,
  id: 'listAccessGrants',
  summary: 'Review who may do what in an organization, and why',
  description:
    'Owner or admin. A grant per item: roles first, then shares, tokens, links, and owners of objects. What is in the trash is left out.',
  path: '/api/organizations/{orgId}/access-review',
  query: Type.Object({ ...PageQuery, ...filter }),
  reply: page(AccessGrant),
});

export const exportAccessGrants = defineRoute({
  ...route,
  id: 'exportAccessGrants',
  summary: 'Export who may do what in an organization as CSV',
  description:
    'Owner or admin. The audit log records it. A cell that a spreadsheet could run as a formula starts with an apostrophe.',
  path: '/api/organizations/{orgId}/access-review/export',
  query: Type.Object(filter),
  alternatives: ['text/csv'],
});
