import { Type, type Static } from 'typebox';
import { LinkToken, maxTypedLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { Id, Timestamp } from '../values.ts';

const OrgId = Type.Object({ orgId: Type.String() });

/** An organization that an owner or the operator deleted, until everything of it is. */
export const DeletedOrganization = Type.Object({
  id: Id,
  name: Type.String(),
  deletedAt: Timestamp,
  endsAt: Type.String({
    description: 'When its data is deleted; until then, owners can restore it',
    format: 'date-time',
  }),
});
export type DeletedOrganization = Static<typeof DeletedOrganization>;

/** What an organization consists of. */
export const OrganizationContents = Type.Object({
  dashboards: Type.Integer({ description: 'The number of dashboards' }),
  reports: Type.Integer({ description: 'The number of reports' }),
  tables: Type.Integer({ description: 'The number of uploaded tables' }),
  members: Type.Integer({ description: 'The number of members, with service accounts' }),
});
export type OrganizationContents = Static<typeof OrganizationContents>;

export const countContents = defineRoute({
  id: 'countContents',
  tag: 'Organizations',
  summary: 'Count what an organization consists of',
  description:
    'Owner. For the page on which an organization is deleted; what is in the trash counts as well.',
  method: 'GET',
  path: '/api/organizations/{orgId}/contents',
  access: 'session',
  params: OrgId,
  status: 200,
  reply: OrganizationContents,
  problems: ['forbidden', 'not_found'],
});

export const deleteOrganization = defineRoute({
  id: 'deleteOrganization',
  tag: 'Organizations',
  summary: 'Delete an organization',
  description:
    'Owner, with a recent confirmation of identity. At once, nobody is a member any more: sessions through its directories end, ' +
    'and its tokens, displays and webhooks stop. Owners can restore it for 30 days. After that, everything of it is deleted. ' +
    'An organization can be deleted at most five times a day.',
  method: 'POST',
  path: '/api/organizations/{orgId}/delete',
  access: 'session',
  params: OrgId,
  body: Type.Object({
    name: Type.String({
      maxLength: maxTypedLength,
      description: 'The exact name of the organization, to confirm',
    }),
  }),
  status: 200,
  reply: Type.Object({
    ...DeletedOrganization.properties,
    restoreLink: Type.String({
      description: 'Opens a page that restores it, without signing in. It is not shown again',
    }),
    mailed: Type.Boolean({ description: 'Whether owners are sent such links by email' }),
  }),
  problems: ['confirmation_required', 'forbidden', 'not_found', 'too_many_attempts'],
});

export const listDeletedOrganizations = defineRoute({
  id: 'listDeletedOrganizations',
  tag: 'Organizations',
  summary: 'List the deleted organizations that you can restore',
  description: 'Those that you were an owner of. In a session that is limited to one organization, none.',
  method: 'GET',
  path: '/api/deleted-organizations',
  access: 'session',
  status: 200,
  reply: Type.Object({ items: Type.Array(DeletedOrganization) }),
});

export const restoreOrganization = defineRoute({
  id: 'restoreOrganization',
  tag: 'Organizations',
  summary: 'Restore a deleted organization',
  description:
    'For those who were its owners. Members, tokens and webhooks work again; people sign in through the directory again.',
  method: 'POST',
  path: '/api/deleted-organizations/{orgId}/restore',
  access: 'session',
  params: OrgId,
  status: 204,
  problems: ['not_found'],
});

export const restoreByLink = defineRoute({
  id: 'restoreByLink',
  tag: 'Organizations',
  summary: 'Restore a deleted organization by a link',
  description:
    'The token is the part of the link after `#`. For owners who can sign in only through the directory of the organization. ' +
    'Signs nobody in.',
  method: 'POST',
  path: '/api/organizations/restore',
  access: 'public',
  body: Type.Object({ token: LinkToken }),
  status: 200,
  reply: Type.Object({ organizationId: Id, organizationName: Type.String() }),
  problems: ['link_not_valid', 'too_many_attempts'],
});
