import { Type, type Static } from 'typebox';
import { etagHeader, IfMatch } from './history.ts';
import { IdempotencyKey, idempotencyProblems } from '../idempotency.ts';
import { GivenId, maxIdLength } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { booleanParameter, DisplayName, Id, Timestamp } from '../values.ts';

/** The most folders in each other, the most of an organization, and the most items that one request moves. */
export const maxFolderDepth = 10;
export const maxFolders = 1_000;
export const maxMovedItems = 100;

/** Of folders in the trash. They can be restored until `purgeAt`. */
const deletion = {
  deletedAt: Type.Optional({
    ...Timestamp,
    description: 'Only of folders in the trash: RFC 3339, UTC, milliseconds',
  }),
  deletedByName: Type.Optional(
    Type.String({ description: 'Who deleted it; empty if that user no longer exists' }),
  ),
  purgeAt: Type.Optional({
    ...Timestamp,
    description: 'When it will be deleted permanently: RFC 3339, UTC, milliseconds',
  }),
};

/** A folder of dashboards and reports. */
export const Folder = Type.Object({
  id: Id,
  organizationId: Id,
  parentId: Type.Optional({
    ...Id,
    description: 'Omitted if it is in no folder, or in one that you may not see',
  }),
  name: Type.String(),
  userId: Type.String({ description: 'The owner, who also owns the folders in it' }),
  personal: Type.Boolean({ description: 'Whether it is the personal folder of its owner' }),
  restricted: Type.Boolean({ description: 'Whether it or a folder around it is restricted' }),
  access: Type.Enum(['view', 'edit', 'manage'], { description: 'What you may do with it' }),
  ownerName: Type.Optional(Type.String({ description: 'The name of the owner of a personal folder' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  ...deletion,
});
export type Folder = Static<typeof Folder>;

const parentId = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: maxIdLength, description });

export const FolderInput = Type.Object({
  name: DisplayName,
  parentId: Type.Optional(
    Type.String({ ...GivenId, description: 'The folder to create it in; you must be able to edit it' }),
  ),
});
export type FolderInput = Static<typeof FolderInput>;

export const FolderChange = Type.Object({
  name: Type.Optional(DisplayName),
  parentId: Type.Optional(parentId('The folder to move it to; `null` moves it out of all folders')),
});
export type FolderChange = Static<typeof FolderChange>;

const Item = Type.Object({ kind: Type.Enum(['dashboard', 'report']), id: GivenId });

export const ItemsChange = Type.Object({
  action: Type.Enum(['move', 'delete', 'restore'], {
    description: '`delete` moves to the trash, from which `restore` restores',
  }),
  folderId: Type.Optional(parentId('With `move`: the folder to move to; `null` moves out of all folders')),
  items: Type.Array(Item, { minItems: 1, maxItems: maxMovedItems }),
});
export type ItemsChange = Static<typeof ItemsChange>;

export const ItemOutcomes = Type.Object({
  items: Type.Array(
    Type.Object({
      ...Item.properties,
      done: Type.Boolean(),
      code: Type.Optional(Type.String({ description: 'The code of the problem, if it was not done' })),
      message: Type.Optional(Type.String()),
    }),
    { description: 'In the order of the request' },
  ),
});
export type ItemOutcomes = Static<typeof ItemOutcomes>;

const base = { tag: 'Folders', access: 'session' } as const;
const params = Type.Object({ orgId: Type.String() });
export const FolderParams = Type.Object({ folderId: Type.String() });

export const createFolder = defineRoute({
  ...base,
  id: 'createFolder',
  summary: 'Create a folder',
  description:
    'Requires the editor role or higher. A folder in another belongs to its owner. An organization can have 1,000 folders, at most 10 ' +
    'in each other.',
  method: 'POST',
  path: '/api/organizations/{orgId}/folders',
  params,
  headers: IdempotencyKey,
  body: FolderInput,
  status: 201,
  location: '/api/folders/{id}',
  reply: Folder,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'folder_limit', 'quota_exceeded', ...idempotencyProblems],
});

export const listFolders = defineRoute({
  ...base,
  id: 'listFolders',
  summary: 'List the folders that you may see',
  description: 'All of them, sorted by name; `parentId` makes them a tree.',
  method: 'GET',
  path: '/api/organizations/{orgId}/folders',
  params,
  query: Type.Object({ deleted: Type.Optional(booleanParameter('Whether to list those in the trash')) }),
  status: 200,
  reply: Type.Object({ items: Type.Array(Folder) }),
  problems: ['not_found'],
});

export const openPersonalFolder = defineRoute({
  ...base,
  id: 'openPersonalFolder',
  summary: 'Open your personal folder',
  description: 'Creates it at its first use. It is restricted. Requires the editor role or higher.',
  method: 'PUT',
  path: '/api/organizations/{orgId}/personal-folder',
  params,
  status: 200,
  reply: Folder,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'folder_limit'],
});

export const getFolder = defineRoute({
  ...base,
  id: 'getFolder',
  summary: 'Read a folder',
  description: 'For everyone who may see it.',
  method: 'GET',
  path: '/api/folders/{folderId}',
  params: FolderParams,
  status: 200,
  reply: Folder,
  replyHeaders: etagHeader,
  problems: ['not_found'],
});

export const changeFolder = defineRoute({
  ...base,
  id: 'changeFolder',
  summary: 'Rename or move a folder',
  description:
    'Requires permission to edit it and the folders that it is moved from and to, and to share it if that changes who has access.',
  method: 'PATCH',
  path: '/api/folders/{folderId}',
  params: FolderParams,
  headers: IfMatch,
  body: FolderChange,
  status: 200,
  reply: Folder,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found', 'unknown_version', 'folder_limit'],
});

export const deleteFolder = defineRoute({
  ...base,
  id: 'deleteFolder',
  summary: 'Move a folder to the trash, with everything in it',
  description: 'Requires permission to edit it and everything in it.',
  method: 'DELETE',
  path: '/api/folders/{folderId}',
  params: FolderParams,
  query: Type.Object({
    force: Type.Optional(booleanParameter('Whether to delete it although dashboards show it')),
  }),
  status: 204,
  problems: ['forbidden', 'not_found', 'report_in_use'],
});

export const restoreFolder = defineRoute({
  ...base,
  id: 'restoreFolder',
  summary: 'Restore a folder from the trash, with everything that was deleted with it',
  description: 'Requires permission to edit it.',
  method: 'POST',
  path: '/api/folders/{folderId}/restore',
  params: FolderParams,
  status: 200,
  reply: Folder,
  replyHeaders: etagHeader,
  problems: ['forbidden', 'not_found'],
});

export const purgeFolder = defineRoute({
  tag: 'Trash',
  access: 'session',
  id: 'purgeFolder',
  summary: 'Delete a folder in the trash permanently',
  description:
    'Dashboards and reports that were deleted with it stay in the trash. Only its owner and the admins of its organization can do this.',
  method: 'DELETE',
  path: '/api/trash/folders/{id}',
  params: Type.Object({ id: Type.String() }),
  status: 204,
  problems: ['forbidden', 'not_found'],
});

export const changeItems = defineRoute({
  ...base,
  id: 'changeItems',
  summary: 'Move, delete or restore dashboards and reports',
  description: 'Each has its own outcome. To move requires the same as for folders.',
  method: 'POST',
  path: '/api/organizations/{orgId}/items',
  params,
  body: ItemsChange,
  status: 200,
  reply: ItemOutcomes,
  problems: ['forbidden', 'not_found'],
});
