import { Type, type Static } from 'typebox';
import { roles } from '#shared/permissions.ts';
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
  hasSecondFactor: Type.Optional(
    Type.Boolean({
      description:
        'Whether the account has a second factor for its password; absent without a password. Only in lists, and only for owners and admins',
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
  description:
    'For members. Only owners and admins see how each person can sign in, and whether they have a second factor.',
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
    'confirmation of identity. Making someone an admin needs one, too, where changes of single sign-on do. One owner always remains.',
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

/** A person whose membership is suspended until the directory activates them again. */
export const SuspendedMember = Type.Object({
  userId: Id,
  email: EmailAddress,
  name: Type.String(),
  role: Type.Enum([...roles], { description: 'The role that the person gets back' }),
  suspendedAt: Timestamp,
});
export type SuspendedMember = Static<typeof SuspendedMember>;

export const listSuspendedMembers = defineRoute({
  id: 'listSuspendedMembers',
  tag: 'Members',
  summary: 'List the people whose membership is suspended',
  description: 'Owner or admin. Their directory has deactivated them by SCIM.',
  method: 'GET',
  path: '/api/organizations/{orgId}/suspended-members',
  access: 'session',
  params: OrgId,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(SuspendedMember),
  problems: ['forbidden', 'not_found'],
});

export const endSuspension = defineRoute({
  id: 'endSuspension',
  tag: 'Members',
  summary: 'End a suspension without giving the membership back',
  description:
    'Owner or admin, with a recent confirmation of identity; only an owner for a suspended owner. The person can be invited again, and ' +
    'becomes a member if they sign in through a directory that lets them.',
  method: 'DELETE',
  path: '/api/organizations/{orgId}/suspended-members/{userId}',
  access: 'session',
  params: MemberKey,
  status: 204,
  problems: ['confirmation_required', 'forbidden', 'not_found'],
});
