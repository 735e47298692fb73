import { Type, type Static } from 'typebox';
import { Role } from './organizations.ts';
import { defineRoute } from '../route.ts';
import { EmailVerified } from '../accounts/sessions.ts';
import { EmailAddress, Id, page, PageQuery, Timestamp } from '../values.ts';

/** A person in an organization. */
export const Member = Type.Object({
  userId: Id,
  email: EmailAddress,
  emailVerified: EmailVerified,
  name: Type.String(),
  role: Role,
  createdAt: Type.String({ ...Timestamp, description: 'When the person became a member' }),
  isServiceAccount: Type.Optional(
    Type.Boolean({ description: 'True if it is a program with tokens; otherwise absent' }),
  ),
  signInMethods: Type.Optional(
    Type.Array(Type.Enum(['password', 'directory']), {
      description: 'How the person can sign in; only in lists, and only for owners and admins',
    }),
  ),
});
export type Member = Static<typeof Member>;

const OrgId = Type.Object({ orgId: Type.String() });
const MemberKey = Type.Object({ orgId: Type.String(), userId: Type.String() });

export const listMembers = defineRoute({
  id: 'listMembers',
  tag: 'Members',
  summary: 'List the members of an organization',
  description: 'For members. Only owners and admins see how each person can sign in.',
  method: 'GET',
  path: '/api/organizations/{orgId}/members',
  access: 'session',
  params: OrgId,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Member),
  problems: ['not_found'],
});

export const changeMemberRole = defineRoute({
  id: 'changeMemberRole',
  tag: 'Members',
  summary: "Change a member's role",
  description:
    'Owner or admin. Only an owner can make someone an owner or change an owner’s role, and only with a recent ' +
    'confirmation of identity. One owner always remains.',
  method: 'PATCH',
  path: '/api/organizations/{orgId}/members/{userId}',
  access: 'session',
  params: MemberKey,
  body: Type.Object({ role: Role }),
  status: 200,
  reply: Member,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'last_owner'],
});

export const removeMember = defineRoute({
  id: 'removeMember',
  tag: 'Members',
  summary: 'Remove a member, or leave the organization',
  description:
    'Owner or admin; only an owner can remove an owner. Every member can leave. One owner always remains.',
  method: 'DELETE',
  path: '/api/organizations/{orgId}/members/{userId}',
  access: 'session',
  params: MemberKey,
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'last_owner'],
});
