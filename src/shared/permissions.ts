/** The roles in an organization, the most powerful first. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** What a share grants, the most first; only data sources have `use`. */
export const shareLevels = ['edit', 'use', 'view'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** How a member is related to a record: as its owner, through a share as editor, user or viewer, or only as a member. */
export const relations = ['owner', 'editor', 'user', 'viewer', 'member'] as const;
export type Relation = (typeof relations)[number];

/** Whether a role always grants an action, or only on records to which the member has one of these relations. */
export type Grant = 'always' | readonly Relation[];
type Grants = Readonly<Record<Role, Grant>>;

const never: readonly Relation[] = [];
const everyone: Grants = { owner: 'always', admin: 'always', editor: 'always', viewer: 'always' };
const editors: Grants = { owner: 'always', admin: 'always', editor: 'always', viewer: never };
const admins: Grants = { owner: 'always', admin: 'always', editor: never, viewer: never };
const owners: Grants = { owner: 'always', admin: never, editor: never, viewer: never };
/** For a record: admins and its owner, as long as the owner's role permits editing. */
const adminsAndItsOwner: Grants = { owner: 'always', admin: 'always', editor: ['owner'], viewer: never };
/** For a record: everyone, unless it is restricted and they have no relation to it. */
const itsViewers: Grants = { owner: 'always', admin: 'always', editor: relations, viewer: relations };
/** For a record: editors, unless it is restricted, and everyone that it is shared with to edit. */
const itsEditors: Grants = {
  owner: 'always',
  admin: 'always',
  editor: ['owner', 'editor', 'member'],
  viewer: ['editor'],
};

/** For a data source: editors, unless it is restricted, and everyone that it is shared with to use. */
const itsUsers: Grants = {
  owner: 'always',
  admin: 'always',
  editor: ['owner', 'editor', 'user', 'member'],
  viewer: ['editor', 'user'],
};
/** Like `itsUsers`, without viewers who may only query. */
const itsDescribers: Grants = { ...itsUsers, viewer: ['editor'] };
/** For a server: its owner and everyone that it is shared with to edit. */
const itsAdministrators: Grants = {
  owner: 'always',
  admin: 'always',
  editor: ['owner', 'editor'],
  viewer: ['editor'],
};

/** What each role may do in an organization and with its records. */
export const permissions = {
  'organization.view': everyone,
  'organization.change': admins,
  'organization.delete': owners,
  'organization.export': owners,
  'group.list': editors,
  'member.manage': admins,
  'owner.manage': owners,
  'authentication.require': owners,
  'audit.view': admins,
  // An admin could otherwise delete what shows what they have read.
  'access_log.retain': owners,
  'access.review': admins,
  'webhook.manage': admins,
  'sso.manage': admins,
  'sso.require': owners,
  'sso.recover': owners,
  'sso.migrate': owners,
  // On data sources in general; the actions on one of them follow.
  'data_source.browse': editors,
  'data_source.manage_files': editors,
  'data_source.manage_server': admins,
  'data_source.view': itsViewers,
  'data_source.use': itsUsers,
  'data_source.edit_files': itsEditors,
  'data_source.edit_server': itsAdministrators,
  'data_source.manage': adminsAndItsOwner,
  'model.edit': itsDescribers,
  'image.manage': editors,
  'folder.create': editors,
  'folder.view': itsViewers,
  'folder.edit': itsEditors,
  'folder.manage': adminsAndItsOwner,
  'sample.create': editors,
  'report.create': editors,
  'report.view': itsViewers,
  'report.edit': itsEditors,
  'report.manage': adminsAndItsOwner,
  'dashboard.create': editors,
  'dashboard.view': itsViewers,
  'dashboard.edit': itsEditors,
  'dashboard.manage': adminsAndItsOwner,
} as const satisfies Readonly<Record<string, Grants>>;
export type Action = keyof typeof permissions;

/** What decides whether a user may do something with a record. */
export interface Standing {
  /** Whether the record belongs to no organization, but only to its owner. */
  readonly isPersonal: boolean;
  /** The user's role in the record's organization; undefined if the user isn't a member. */
  readonly role: Role | undefined;
  readonly isOwner: boolean;
  /** The most access that is granted to the user by name or through a group. */
  readonly share: ShareLevel | undefined;
  /** Whether, of the members without a share, only admins and the owner may see the record. */
  readonly isRestricted: boolean;
}

const holds: Readonly<Record<Relation, (standing: Standing) => boolean>> = {
  owner: ({ isOwner }) => isOwner,
  editor: ({ share }) => share === 'edit',
  user: ({ share }) => share === 'use',
  viewer: ({ share }) => share === 'view',
  member: ({ isRestricted }) => !isRestricted,
};

/** Returns whether a role permits an action on the organization and all its records; false for people who aren't members. */
export const may = (role: Role | undefined, action: Action): boolean =>
  role !== undefined && permissions[action][role] === 'always';

/** Returns whether a user may take an action on a record. The owner of a personal record may do everything, others nothing. */
export function mayOn(standing: Standing, action: Action): boolean {
  const { isPersonal, role } = standing;
  if (isPersonal) return standing.isOwner;
  if (role === undefined) return false;
  const grant: Grant = permissions[action][role];
  return grant === 'always' || grant.some((relation) => holds[relation](standing));
}

/** Returns the roles that permit an action on every record as a phrase, such as "the editor role or higher". */
export function rolesWith(action: Action): string {
  const lowest = roles.findLast((role) => may(role, action)) ?? roles[0];
  return lowest === roles[0] ? `the ${lowest} role` : `the ${lowest} role or higher`;
}

/** Returns whether a role permits giving members the role `other`, or taking it from them. */
export const mayGive = (role: Role | undefined, other: Role): boolean =>
  may(role, other === 'owner' ? 'owner.manage' : 'member.manage');
