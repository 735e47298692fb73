import { Type, type Static } from 'typebox';
import { defineRoute } from '../route.ts';
import { page, PageQuery } from '../values.ts';

/** In UTF-16 code units. */
export const maxGroupIdLength = 256;

/** A group as a directory sends it. */
export const GroupId = Type.String({
  minLength: 1,
  maxLength: maxGroupIdLength,
  description:
    'A group as the directory sends it in the claim `groups`: an object ID from Microsoft Entra ID, usually a name from AD FS. A group of a directory beside the first one follows the ID of that directory and a colon',
});

export const GroupName = Type.String({
  description:
    'The name to show: the display name of a group that is provisioned by SCIM, or the name that the directory sends. Groups of a directory beside the first one are followed by its name',
});

export const DirectoryGroup = Type.Object({
  groupId: GroupId,
  name: GroupName,
  memberCount: Type.Integer({ description: 'How many members had it when they last signed in' }),
});
export type DirectoryGroup = Static<typeof DirectoryGroup>;

export const listGroups = defineRoute({
  id: 'listGroups',
  tag: 'Members',
  summary: 'List the directory groups of the members of an organization',
  description:
    'Editor or higher. Contains the groups that a directory last sent for a member, or has provisioned.',
  method: 'GET',
  path: '/api/organizations/{orgId}/groups',
  access: 'session',
  params: Type.Object({ orgId: Type.String() }),
  query: Type.Object({
    ...PageQuery,
    q: Type.Optional(
      Type.String({ maxLength: 256, description: 'Part of the group or of its name, in any case' }),
    ),
  }),
  status: 200,
  reply: page(DirectoryGroup),
  problems: ['forbidden', 'not_found'],
});
