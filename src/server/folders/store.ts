import { sql } from 'kysely';
import type { Role, ShareLevel } from '#shared/permissions.ts';
import { accessColumns, mayOnRecord, mayOnRecordOfMember } from '../access/filter.ts';
import { requireRoom } from '../quotas/quotas.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, type Sql } from '../storage/prepared-query.ts';

/** A stored folder. */
export interface StoredFolder {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | undefined;
  readonly ownerId: string;
  readonly name: string;
  /** Whether it is the personal folder of its owner. */
  readonly isPersonal: boolean;
  readonly version: number;
  /** Empty if the user no longer exists. */
  readonly ownerName: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When and by whom it was moved to the trash; undefined while it is in use. */
  readonly deletedAt: string | undefined;
  readonly deletedByName: string;
}

/** A folder that a user may see, with what decides which actions the user may take on it. */
export interface ReadableFolder extends StoredFolder {
  readonly role: Role | undefined;
  readonly share: ShareLevel | undefined;
  /** Whether the folder itself is restricted. */
  readonly isRestricted: boolean;
  /** Whether it or a folder around it is restricted. */
  readonly isHidden: boolean;
  readonly requireSso: boolean;
}

const columns = [
  'folders.id',
  'folders.organization_id as organizationId',
  'folders.parent_id as parentId',
  'folders.user_id as ownerId',
  'folders.name',
  'folders.personal_user_id as personalUserId',
  'folders.version',
  'folders.created_at as createdAt',
  'folders.updated_at as updatedAt',
  'folders.deleted_at as deletedAt',
  'owners.name as ownerName',
  'deleters.name as deletedByName',
] as const;

interface Row {
  id: string;
  organizationId: string;
  parentId: string | null;
  ownerId: string;
  name: string;
  personalUserId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  ownerName: string | null;
  deletedByName: string | null;
  restricted: number;
  hidden: number | null;
  share: string | null;
  role: string | null;
  requireSso: number | null;
}

const toReadable = ({ personalUserId, restricted, hidden, share, role, ...row }: Row): ReadableFolder => ({
  ...row,
  parentId: row.parentId ?? undefined,
  deletedAt: row.deletedAt ?? undefined,
  ownerName: row.ownerName ?? '',
  deletedByName: row.deletedByName ?? '',
  isPersonal: personalUserId !== null,
  isRestricted: restricted === 1,
  isHidden: hidden !== 0,
  // Sound because the columns hold only what the contract names.
  share: (share ?? undefined) as ShareLevel | undefined,
  role: (role ?? undefined) as Role | undefined,
  requireSso: row.requireSso === 1,
});

interface Key {
  readonly id: string;
  readonly userId: string;
}

const selectVisible = (db: Sql, p: Key) =>
  db
    .selectFrom('folders')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'folders.organization_id')
        .on('members.user_id', '=', p.userId),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('folders.id', '=', p.id)
    .where(mayOnRecord('folder', 'folder.view', p.userId));

const readable = prepare((db, p: Key & { isDeleted: true | undefined }) =>
  selectVisible(db, p)
    .leftJoin('users as owners', 'owners.id', 'folders.user_id')
    .leftJoin('users as deleters', 'deleters.id', 'folders.deleted_by')
    .select([
      ...columns,
      ...accessColumns('folder', p.userId),
      'members.role',
      'organizations.require_sso as requireSso',
    ])
    .where('folders.deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null),
);

/** Returns a folder that a user may see, or undefined. */
export async function findReadableFolder(
  reader: Reader,
  { id, userId }: Key,
  place: 'in use' | 'in the trash' = 'in use',
): Promise<ReadableFolder | undefined> {
  const row = await reader.first(readable, {
    id,
    userId,
    isDeleted: place === 'in the trash' ? true : undefined,
  });
  return row && toReadable(row);
}

const visible = prepare((db, p: Key) => selectVisible(db, p).select('folders.id').forUpdate('folders'));

/** Locks a folder that a user may see, in use or in the trash, and returns whether it exists. */
export const lockVisibleFolder = async (transaction: Transaction, key: Key): Promise<boolean> =>
  (await transaction.first(visible, key)) !== undefined;

const ofOrganization = prepare(
  (db, p: { organizationId: string; userId: string; isDeleted: true | undefined }) =>
    db
      .selectFrom('folders')
      .leftJoin('users as owners', 'owners.id', 'folders.user_id')
      .leftJoin('users as deleters', 'deleters.id', 'folders.deleted_by')
      .select([
        ...columns,
        ...accessColumns('folder', p.userId),
        sql<string | null>`null`.as('role'),
        sql<number | null>`0`.as('requireSso'),
      ])
      .where('folders.organization_id', '=', p.organizationId)
      .where('folders.deleted_at', p.isDeleted === undefined ? 'is' : 'is not', null)
      // Of what was deleted together, only the outermost folder can be restored.
      .$if(p.isDeleted !== undefined, (deleted) =>
        deleted.whereRef('folders.deleted_with', '=', 'folders.id'),
      )
      .where(mayOnRecordOfMember('folder', 'folder.view', p.userId)),
);

/** Returns the folders of an organization that a member with a role may see, in use or in the trash. */
export async function selectFolders(
  reader: Reader,
  {
    organizationId,
    userId,
    role,
    isDeleted,
  }: { organizationId: string; userId: string; role: Role; isDeleted: boolean },
): Promise<ReadableFolder[]> {
  const rows = await reader.all(ofOrganization, {
    organizationId,
    userId,
    isDeleted: isDeleted ? true : undefined,
  });
  return rows.map((row) => ({ ...toReadable(row), role }));
}

const personal = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .selectFrom('folders')
    .select('id')
    .where('organization_id', '=', p.organizationId)
    .where('personal_user_id', '=', p.userId),
);

/** Returns the ID of the personal folder of a member, or undefined. */
export const findPersonalFolderId = async (
  reader: Reader,
  key: { organizationId: string; userId: string },
): Promise<string | undefined> => (await reader.first(personal, key))?.id;

const count = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('folders')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', p.organizationId),
);

/** Returns how many folders an organization has, also in the trash. */
export const countFolders = async (reader: Reader, organizationId: string): Promise<number> =>
  Number((await reader.first(count, { organizationId }))?.count ?? 0);

interface NewFolder {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly ownerId: string;
  readonly name: string;
  readonly personalUserId: string | null;
  readonly at: string;
}

const insert = prepare((db, p: NewFolder & { restricted: number }) =>
  db.insertInto('folders').values({
    id: p.id,
    organization_id: p.organizationId,
    parent_id: p.parentId,
    user_id: p.ownerId,
    name: p.name,
    personal_user_id: p.personalUserId,
    restricted: p.restricted,
    version: 1,
    created_at: p.at,
    updated_at: p.at,
  }),
);

const insertSelf = prepare((db, p: { id: string }) =>
  db.insertInto('folder_paths').values({ folder_id: p.id, ancestor_id: p.id, distance: 0 }),
);

/** Adds the folders around a folder to the paths of another and of everything in it. */
const insertPaths = prepare((db, p: { id: string; parentId: string }) =>
  db
    .insertInto('folder_paths')
    .columns(['folder_id', 'ancestor_id', 'distance'])
    .expression(
      db
        .selectFrom('folder_paths as inner')
        .innerJoin('folder_paths as outer', (join) => join.on('outer.folder_id', '=', p.parentId))
        .select([
          'inner.folder_id',
          'outer.ancestor_id',
          sql<number>`${sql.ref('inner.distance')} + ${sql.ref('outer.distance')} + 1`.as('distance'),
        ])
        .where('inner.ancestor_id', '=', p.id),
    ),
);

/** The folders in a folder, with itself. */
const within = (db: Sql, id: string) =>
  db.selectFrom('folder_paths').select('folder_id').where('ancestor_id', '=', id);

const removePaths = prepare((db, p: { id: string }) =>
  db
    .deleteFrom('folder_paths')
    .where('folder_id', 'in', within(db, p.id))
    .where('ancestor_id', 'not in', within(db, p.id)),
);

const updateRestrictions = prepare((db, p: { id: string }) =>
  db
    .updateTable('folders')
    .set({
      restricted_path: db
        .selectFrom('folder_paths as path')
        .innerJoin('folders as around', 'around.id', 'path.ancestor_id')
        .select(({ fn }) => fn.max('around.restricted').as('restricted'))
        .where('path.folder_id', '=', sql.ref<string>('folders.id')),
    })
    .where('id', 'in', within(db, p.id)),
);

/** Updates whether a folder, and each folder in it, is restricted by itself or by a folder around it. */
export const updateHiddenFolders = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(updateRestrictions, { id });

const requireRoomFor = (
  transaction: Transaction,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
  records: number,
): Promise<void> =>
  requireRoom(
    transaction,
    { kind: 'organization', organizationId },
    { records, bytes: Buffer.byteLength(name) },
  );

/** Stores a new folder. A personal one is restricted. */
export async function insertFolder(transaction: Transaction, folder: NewFolder): Promise<void> {
  const { id, parentId } = folder;
  await requireRoomFor(transaction, folder, 1);
  await transaction.run(insert, { ...folder, restricted: folder.personalUserId === null ? 0 : 1 });
  await transaction.run(insertSelf, { id });
  if (parentId !== null) await transaction.run(insertPaths, { id, parentId });
  await updateHiddenFolders(transaction, id);
}

const rename = prepare((db, p: { id: string; name: string }) =>
  db.updateTable('folders').set({ name: p.name }).where('id', '=', p.id),
);

export async function renameFolder(
  transaction: Transaction,
  { organizationId, ...renamed }: { id: string; organizationId: string; name: string },
): Promise<void> {
  await requireRoomFor(transaction, { organizationId, name: renamed.name }, 0);
  await transaction.run(rename, renamed);
}

const touch = prepare((db, p: { id: string; at: string }) =>
  db
    .updateTable('folders')
    .set({ updated_at: p.at, version: sql<number>`version + 1` })
    .where('id', '=', p.id),
);

/** Gives a folder that was changed its next version. */
export const addFolderVersion = (
  transaction: Transaction,
  changed: { id: string; at: string },
): Promise<number> => transaction.run(touch, changed);

const setParent = prepare((db, p: { id: string; parentId: string | null }) =>
  db.updateTable('folders').set({ parent_id: p.parentId }).where('id', '=', p.id),
);

const setOwner = prepare((db, p: { id: string; ownerId: string }) =>
  db.updateTable('folders').set({ user_id: p.ownerId }).where('id', 'in', within(db, p.id)),
);

/** Moves a folder with everything in it; in another folder, it all belongs to the owner of that. */
export async function moveFolder(
  transaction: Transaction,
  { id, parent }: { id: string; parent: { readonly id: string; readonly ownerId: string } | undefined },
): Promise<void> {
  await transaction.run(setParent, { id, parentId: parent?.id ?? null });
  await transaction.run(removePaths, { id });
  if (parent !== undefined) {
    await transaction.run(insertPaths, { id, parentId: parent.id });
    await transaction.run(setOwner, { id, ownerId: parent.ownerId });
  }
  await updateHiddenFolders(transaction, id);
}

const height = prepare((db, p: { id: string }) =>
  db
    .selectFrom('folder_paths')
    .select(({ fn }) => fn.max('distance').as('height'))
    .where('ancestor_id', '=', p.id),
);

/** Returns how many levels of folders a folder has in it; 0 if it has none. */
export const heightOfFolder = async (reader: Reader, id: string): Promise<number> =>
  (await reader.first(height, { id }))?.height ?? 0;

const reportsWithin = prepare((db, p: { id: string }) =>
  db
    .selectFrom('folder_paths')
    .innerJoin('reports', 'reports.folder_id', 'folder_paths.folder_id')
    .select('reports.id')
    .where('folder_paths.ancestor_id', '=', p.id)
    .where('reports.deleted_at', 'is', null),
);

/** Returns the IDs of the reports in a folder and in the folders in it, without those in the trash. */
export const selectReportsWithin = async (reader: Reader, id: string): Promise<string[]> =>
  (await reader.all(reportsWithin, { id })).map((row) => row.id);
