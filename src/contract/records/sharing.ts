import { Type, type Static, type TSchema } from 'typebox';
import { shareLevels, type ShareLevel } from '#shared/permissions.ts';
import { Dashboard } from '../dashboards/dashboards.ts';
import { Folder } from './folders.ts';
import { DirectoryGroup, GroupId, GroupName } from '../organizations/groups.ts';
import { Role } from '../organizations/organizations.ts';
import { Report } from '../reports/reports.ts';
import { GivenId } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { EmailAddress, Id } from '../values.ts';

const restricted = Type.Boolean({
  description: 'Whether only its owner, those listed here and the admins of the organization can see it',
});

/** Returns the body that shares a kind of record. */
const accessInput = <const Level extends ShareLevel>(levels: readonly Level[], edit: string) => {
  const access = Type.Enum(levels);
  return Type.Object({
    restricted,
    members: Type.Array(
      Type.Object({
        userId: Type.String({ ...GivenId, description: 'A member of the organization' }),
        access,
      }),
      { maxItems: 500, description: `The full list; ${edit}` },
    ),
    groups: Type.Optional(
      Type.Array(Type.Object({ groupId: GroupId, access }), {
        maxItems: 500,
        description: 'The full list of directory groups; left out, it does not change',
      }),
    ),
  });
};

/** The members and groups that can see and edit a dashboard or a report, in addition to what the roles in its organization grant. */
export const RecordAccessInput = accessInput(['view', 'edit'], '`edit` also lets viewers edit');
export type RecordAccessInput = Static<typeof RecordAccessInput>;

/** The same for a data source. */
export const DataSourceAccessInput = accessInput(
  ['view', 'use', 'edit'],
  '`use` lets people query the data source, `edit` also lets them change it',
);
export type DataSourceAccessInput = Static<typeof DataSourceAccessInput>;

/** The input for any kind of record. */
export interface AccessInput {
  readonly restricted: boolean;
  readonly members: readonly { readonly userId: string; readonly access: ShareLevel }[];
  readonly groups?: readonly { readonly groupId: string; readonly access: ShareLevel }[];
}

/** What a share grants; only data sources have `use`. */
const granted = Type.Enum(shareLevels);

export const RecordAccess = Type.Object({
  restricted: Type.Boolean(),
  members: Type.Array(
    Type.Object({
      userId: Id,
      access: granted,
      name: Type.String(),
      email: EmailAddress,
      role: Role,
    }),
  ),
  groups: Type.Array(Type.Object({ ...DirectoryGroup.properties, access: granted }), {
    description: 'The directory groups that it is shared with',
  }),
});
export type RecordAccess = Static<typeof RecordAccess>;

export const RecordPermissions = Type.Object({
  access: Type.Enum(['view', 'use', 'edit', 'manage'], {
    description: '`manage`: edit, share, transfer ownership, and delete permanently',
  }),
  isOwner: Type.Boolean(),
  restricted: Type.Boolean(),
  folderId: Type.Optional({ ...Id, description: 'The folder that it is in, if you may see that' }),
});
export type RecordPermissions = Static<typeof RecordPermissions>;

const level = Type.Enum(['view', 'use', 'edit', 'manage']);

export const AccessExplanation = Type.Object({
  userId: Id,
  role: Role,
  access: Type.Optional({ ...level, description: 'What the member may do; omitted if nothing' }),
  reasons: Type.Array(
    Type.Object({
      by: Type.Enum(['role', 'owner', 'share', 'group'], {
        description: 'The role, being the owner, a share with the person, or one with a directory group',
      }),
      access: { ...level, description: 'What this alone permits' },
      groupId: Type.Optional(GroupId),
      groupName: Type.Optional(GroupName),
      folder: Type.Optional(
        Type.Object(
          { id: Type.Optional(Id), name: Type.Optional(Type.String()) },
          { description: 'The folder that it comes from, empty if you may not see the folder' },
        ),
      ),
    }),
    { description: 'Everything that gives access; empty if nothing does' },
  ),
});
export type AccessExplanation = Static<typeof AccessExplanation>;

/** What the operations that explain the access of a member have in common. */
const explaining = {
  description: 'Returns what a member may do, and each reason. For its owner and admins.',
  method: 'GET',
  status: 200,
  reply: AccessExplanation,
} as const;

const base = { tag: 'Sharing', access: 'session' } as const;

const titles = { dashboard: 'Dashboard', report: 'Report', folder: 'Folder' } as const;

/** Returns the operations on who may see one kind of record. */
function sharingOperations<const Kind extends 'dashboard' | 'report' | 'folder', Reply extends TSchema>(
  kind: Kind,
  reply: Reply,
) {
  const title = titles[kind];
  const path = `/api/${kind}s/{${kind}Id}` as const;
  const parameter = { [`${kind}Id`]: Type.String() } as Record<`${Kind}Id`, ReturnType<typeof Type.String>>;
  const params = Type.Object(parameter);
  // Only dashboards can be personal.
  const personal = kind === 'dashboard' ? (['personal_dashboard'] as const) : [];
  return {
    permissions: defineRoute({
      ...base,
      id: `get${title}Permissions`,
      summary: `Read your permissions on a ${kind}`,
      description: 'They depend on your role in its organization, and on who it is shared with.',
      method: 'GET',
      path: `${path}/permissions`,
      params,
      status: 200,
      reply: RecordPermissions,
      problems: ['not_found'],
    }),
    get: defineRoute({
      ...base,
      id: `get${title}Access`,
      summary: `List the members and groups that a ${kind} is shared with`,
      description: `Requires permission to edit the ${kind}.`,
      method: 'GET',
      path: `${path}/access`,
      params,
      status: 200,
      reply: RecordAccess,
      problems: ['forbidden', 'not_found'],
    }),
    put: defineRoute({
      ...base,
      id: `put${title}Access`,
      summary: `Share a ${kind} with members and groups, or restrict it to them`,
      description: `Replaces the lists and the restriction. Requires you to be the owner of the ${kind} or an admin of its organization.`,
      method: 'PUT',
      path: `${path}/access`,
      params,
      body: RecordAccessInput,
      status: 200,
      reply: RecordAccess,
      problems: ['forbidden', 'not_found', ...personal],
    }),
    explain: defineRoute({
      ...base,
      ...explaining,
      id: `explain${title}Access`,
      summary: `Explain why a member has access to a ${kind}`,
      path: `${path}/access/{userId}`,
      params: Type.Object({ ...parameter, userId: Type.String() }),
      problems: ['forbidden', 'not_found', ...personal],
    }),
    transfer: defineRoute({
      ...base,
      id: `transfer${title}`,
      summary: `Transfer ownership of a ${kind}`,
      description:
        'Requires you to be its owner or an admin of the organization. Creates a new version. The previous owner keeps the access ' +
        'that their role and the list of members grant.',
      method: 'POST',
      path: `${path}/transfer`,
      params,
      body: Type.Object({
        userId: Type.String({
          ...GivenId,
          description: 'A member of the organization with the editor role or higher',
        }),
      }),
      status: 200,
      reply,
      replyHeaders: { ETag: 'The new version' },
      problems: ['forbidden', 'not_found', ...personal],
    }),
  };
}

export type SharingOperations =
  | ReturnType<typeof sharingOperations<'dashboard', TSchema>>
  | ReturnType<typeof sharingOperations<'report', TSchema>>;

const { get, put, explain } = sharingOperations('folder', Folder);
/** The shares of a folder apply to everything in it. */
export const folderSharing = { get, put, explain };

export const dashboardSharing = sharingOperations('dashboard', Dashboard);
export const reportSharing = sharingOperations('report', Report);

/** The operations on who may see and query a data source. */
const ofSource = {
  ...base,
  path: '/api/data-sources/{dataSourceId}/access',
  params: Type.Object({ dataSourceId: Type.String() }),
  status: 200,
} as const;

export const dataSourceSharing = {
  permissions: defineRoute({
    ...ofSource,
    id: 'getDataSourcePermissions',
    summary: 'Read your permissions on a data source',
    description:
      'They depend on your role in its organization, and on who it is shared with. `use`: query it, browse its tables, and ' +
      'write reports.',
    method: 'GET',
    path: '/api/data-sources/{dataSourceId}/permissions',
    reply: RecordPermissions,
    problems: ['not_found'],
  }),
  get: defineRoute({
    ...ofSource,
    id: 'getDataSourceAccess',
    summary: 'List the members and groups that a data source is shared with',
    description: 'Requires permission to edit the data source.',
    method: 'GET',
    reply: RecordAccess,
    problems: ['forbidden', 'not_found'],
  }),
  put: defineRoute({
    ...ofSource,
    id: 'putDataSourceAccess',
    summary: 'Share a data source with members and groups, or restrict it to them',
    description:
      'Replaces the lists and the restriction. Requires you to be the owner of the data source or an admin of its organization. ' +
      'Reports that query it continue to run for everyone who may see them.',
    method: 'PUT',
    body: DataSourceAccessInput,
    reply: RecordAccess,
    problems: ['forbidden', 'not_found'],
  }),
  explain: defineRoute({
    ...base,
    ...explaining,
    id: 'explainDataSourceAccess',
    summary: 'Explain why a member has access to a data source',
    path: '/api/data-sources/{dataSourceId}/access/{userId}',
    params: Type.Object({ dataSourceId: Type.String(), userId: Type.String() }),
    problems: ['forbidden', 'not_found'],
  }),
};
