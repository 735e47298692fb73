import { Type, type Static } from 'typebox';
import { LogoId, Organization, Role } from './organizations.ts';
import { LinkToken } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { SignedIn } from '../accounts/sessions.ts';
import { DisplayName, Email, EmailAddress, Id, NewPassword, page, PageQuery, Timestamp } from '../values.ts';

/** An open invitation. */
export const Invitation = Type.Object({
  id: Id,
  email: EmailAddress,
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** A new invitation. Its link is shown only now, since the server stores only a hash of the token. */
export const InvitationLink = Type.Object({
  ...Invitation.properties,
  link: Type.Optional(
    Type.String({
      description:
        'Send it to the person you invite. Returned only once, and only if no mail server is configured',
    }),
  ),
  mailed: Type.Boolean({ description: 'Whether the link was emailed to the address' }),
  mailFailure: Type.Optional(
    Type.String({
      description:
        'Why the email could not be sent. The invitation stays open; to resend it, invite the same address again',
    }),
  ),
});
export type InvitationLink = Static<typeof InvitationLink>;

const OrgId = Type.Object({ orgId: Type.String() });

export const createInvitation = defineRoute({
  id: 'createInvitation',
  tag: 'Invitations',
  summary: 'Invite a person by email address',
  description:
    'Owner or admin; only an owner can invite an owner. A new invitation replaces an open one to the same address; ' +
    'only an owner can replace an owner’s. Inviting an owner needs a recent confirmation of identity, and so does inviting an admin where ' +
    'changes of single sign-on need one. With a mail server, invitations are limited: for each address, for each organization and for the ' +
    'server in a day. Beyond a limit nothing changes, and an open invitation stays as it is. The link stops working if the person who created it may no longer give the role.',
  method: 'POST',
  path: '/api/organizations/{orgId}/invitations',
  access: 'session',
  params: OrgId,
  body: Type.Object({ email: Email, role: Role }),
  status: 201,
  reply: InvitationLink,
  problems: ['confirmation_required', 'forbidden', 'not_found', 'already_member', 'too_many_attempts'],
});

export const listInvitations = defineRoute({
  id: 'listInvitations',
  tag: 'Invitations',
  summary: 'List the open invitations of an organization',
  description: 'Owner or admin.',
  method: 'GET',
  path: '/api/organizations/{orgId}/invitations',
  access: 'session',
  params: OrgId,
  query: Type.Object(PageQuery),
  status: 200,
  reply: page(Invitation),
  problems: ['forbidden', 'not_found'],
});

export const revokeInvitation = defineRoute({
  id: 'revokeInvitation',
  tag: 'Invitations',
  summary: 'Revoke an invitation',
  description: 'Owner or admin; only an owner can revoke an owner’s invitation.',
  method: 'DELETE',
  path: '/api/organizations/{orgId}/invitations/{invitationId}',
  access: 'session',
  params: Type.Object({ orgId: Type.String(), invitationId: Type.String() }),
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const readInvitation = defineRoute({
  id: 'readInvitation',
  tag: 'Invitations',
  summary: 'Read the invitation of a link',
  description:
    'The token is the part of the link after `#`. It is sent in the body so that it stays out of logs.',
  method: 'POST',
  path: '/api/invitations/read',
  access: 'public',
  body: Type.Object({ token: LinkToken }),
  status: 200,
  reply: Type.Object({
    email: EmailAddress,
    role: Role,
    organizationName: Type.String(),
    logoId: Type.Optional(LogoId),
    expiresAt: Timestamp,
    hasAccount: Type.Boolean({
      description: 'Whether the person signs in to accept, instead of choosing a password',
    }),
  }),
  problems: ['link_not_valid'],
});

export const acceptInvitation = defineRoute({
  id: 'acceptInvitation',
  tag: 'Invitations',
  summary: 'Accept an invitation with the account you are signed in to',
  description: 'The account must have the invited email address.',
  method: 'POST',
  path: '/api/invitations/accept',
  access: 'session',
  body: Type.Object({ token: LinkToken }),
  status: 200,
  reply: Organization,
  problems: ['forbidden', 'link_not_valid', 'already_member'],
});

export const signUpByInvitation = defineRoute({
  id: 'signUpByInvitation',
  tag: 'Invitations',
  summary: 'Accept an invitation with a new account, and sign in to it',
  description:
    'For people without an account. The link works once, and the account has the invited email address.',
  method: 'POST',
  path: '/api/invitations/sign-up',
  access: 'public',
  body: Type.Object({ token: LinkToken, name: DisplayName, password: NewPassword }),
  status: 201,
  reply: SignedIn,
  problems: ['link_not_valid', 'account_exists'],
});
