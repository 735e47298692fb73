import {
  maxFolderDepth,
  maxFolders,
  type Folder,
  type FolderChange,
  type FolderInput,
} from '#contract/records/folders.ts';
import { listFoldersAround } from '../access/folders-around.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidBody } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import {
  lockOrganization,
  requirePermission,
  requirePermissionToChange,
} from '../organizations/authorization.ts';
import { requireExpected, type ExpectedVersion } from '../records/versions/expected.ts';
import { mayOn } from '#shared/permissions.ts';
import { restorableDays } from '#shared/trash.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { levelOf, requireFolder, requireFolderToChange, requireTarget, standingOf } from './access.ts';
import { changesAccess, moveRefused } from './placement.ts';
import {
  addFolderVersion,
  countFolders,
  findPersonalFolderId,
  findReadableFolder,
  heightOfFolder,
  insertFolder,
  moveFolder,
  renameFolder,
  selectFolders,
  selectReportsWithin,
  type ReadableFolder,
} from './store.ts';

/** Updates what shows reports by name after it has changed who may see them. */
export type OnReportsHidden = (
  transaction: Transaction,
  organizationId: string,
  reportIds: readonly string[],
) => Promise<unknown>;

export interface FolderDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly onReportsHidden: OnReportsHidden;
}

/** A folder as the API returns it, with its version. */
export type FolderReply = { readonly folder: Folder; readonly version: number };

/** Creates a folder. Throws `folder_limit`, and `invalid_body` for the folder that it is created in. */
export async function addFolder(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  { organizationId, name, parentId }: FolderInput & { readonly organizationId: string },
): Promise<FolderReply & { readonly id: string }> {
  await requirePermissionToChange(transaction, actor, organizationId, 'folder.create');
  const place = { organizationId, pointer: '/parentId' };
  const parent =
    parentId === undefined ? undefined : await requireTarget(transaction, actor, { id: parentId, ...place });
  await requireWithinLimit(transaction, organizationId);
  if (parent !== undefined) await requireDepth(transaction, actor, parent.id, 1);
  return storeFolder(transaction, clock, actor, { organizationId, name, parent });
}

async function storeFolder(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  folder: { organizationId: string; name: string; parent?: ReadableFolder | undefined; isPersonal?: boolean },
): Promise<FolderReply & { readonly id: string }> {
  const { organizationId, name, parent, isPersonal = false } = folder;
  const id = newId();
  await insertFolder(transaction, {
    id,
    organizationId,
    parentId: parent?.id ?? null,
    ownerId: parent?.ownerId ?? actor.userId,
    name,
    personalUserId: isPersonal ? actor.userId : null,
    at: timestamp(clock()),
  });
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'folder.created',
    actor,
    details: { folderId: id, name, ...(parent && { parentId: parent.id, parentName: parent.name }) },
  });
  return { id, ...(await getFolder(transaction, actor, id)) };
}

/** Returns the actor's personal folder in an organization, which is created at its first use. Requires the editor role. */
export function openPersonalFolder(
  { database, clock }: FolderDependencies,
  actor: Actor,
  organizationId: string,
): Promise<FolderReply> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'folder.create');
    const key = { organizationId, userId: actor.userId };
    const id = await findPersonalFolderId(transaction, key);
    if (id !== undefined) return getFolder(transaction, actor, id);
    await requireWithinLimit(transaction, organizationId);
    return storeFolder(transaction, clock, actor, { organizationId, name: 'Personal', isPersonal: true });
  });
}

async function requireWithinLimit(reader: Reader, organizationId: string): Promise<void> {
  if ((await countFolders(reader, organizationId)) < maxFolders) return;
  throw new AtriumError(
    'folder_limit',
    `The organization has ${maxFolders} folders, counting those in the trash. Delete one permanently first.`,
  );
}

/** Throws `folder_limit` if folders of a height don't fit into a folder. */
async function requireDepth(reader: Reader, actor: Actor, folderId: string, height: number): Promise<void> {
  const depth = (await listFoldersAround(reader, { folderId, userId: actor.userId })).length;
  if (depth + height <= maxFolderDepth) return;
  throw new AtriumError('folder_limit', `At most ${maxFolderDepth} folders can be in each other.`);
}

/**
 * Returns the folders of an organization that the actor may see or, in the trash, restore, sorted by name. Requires membership.
 */
export async function listFolders(
  reader: Reader,
  actor: Actor,
  { organizationId, isDeleted = false }: { organizationId: string; isDeleted?: boolean },
): Promise<Folder[]> {
  const role = await requirePermission(reader, actor, organizationId, 'organization.view');
  const found = await selectFolders(reader, { organizationId, userId: actor.userId, role, isDeleted });
  const folders = isDeleted
    ? found.filter((folder) => mayOn(standingOf(folder, actor.userId), 'folder.edit'))
    : found;
  const visible = new Set(folders.map(({ id }) => id));
  const order = new Intl.Collator('en', { numeric: true });
  return folders
    .toSorted((one, other) => order.compare(one.name, other.name) || (one.id < other.id ? -1 : 1))
    .map((folder) => toFolder(folder, actor, visible.has(folder.parentId ?? '')));
}

/** Returns a folder that the actor may see. Throws `not_found` and `sso_required`. */
export async function getFolder(reader: Reader, actor: Actor, id: string): Promise<FolderReply> {
  const folder = await requireFolder(reader, actor, id);
  const { parentId } = folder;
  const parent =
    parentId === undefined
      ? undefined
      : await findReadableFolder(reader, { id: parentId, userId: actor.userId });
  return { folder: toFolder(folder, actor, parent !== undefined), version: folder.version };
}

function toFolder(folder: ReadableFolder, actor: Actor, showsParent: boolean): Folder {
  const { id, organizationId, parentId, name, ownerId, isPersonal, isHidden, createdAt, updatedAt } = folder;
  const { ownerName, deletedAt, deletedByName } = folder;
  return {
    id,
    organizationId,
    ...(showsParent && parentId !== undefined && { parentId }),
    name,
    userId: ownerId,
    personal: isPersonal,
    restricted: isHidden,
    access: levelOf(standingOf(folder, actor.userId)) ?? 'view',
    ...(isPersonal && { ownerName }),
    createdAt,
    updatedAt,
    ...(deletedAt !== undefined && { deletedAt, deletedByName, purgeAt: purgeTimeOf(deletedAt) }),
  };
}

const purgeTimeOf = (deletedAt: string): string => timestamp(Date.parse(deletedAt) + daysMs(restorableDays));

/**
 * Renames or moves a folder. Moves of an organization's folders wait for each other, so that two of them never put folders into each
 * other. Throws `unknown_version`, `folder_limit`, and `invalid_body` for a folder that it can't be moved to.
 */
export function changeFolder(
  dependencies: FolderDependencies,
  actor: Actor,
  { id, expected, change }: { id: string; expected: ExpectedVersion; change: FolderChange },
): Promise<FolderReply> {
  const { database, clock } = dependencies;
  return database.write(async (transaction) => {
    const { organizationId } = await requireFolder(transaction, actor, id, 'edit');
    await lockOrganization(transaction, organizationId);
    const folder = await requireFolderToChange(transaction, actor, { id, needed: 'edit' });
    requireExpected(expected, folder.version);
    const parentId = change.parentId === undefined ? folder.parentId : (change.parentId ?? undefined);
    const { name = folder.name } = change;
    const isMoved = parentId !== folder.parentId;
    if (!isMoved && name === folder.name) return getFolder(transaction, actor, id);
    if (folder.isPersonal) {
      throw new AtriumError('forbidden', 'A personal folder can’t be renamed or moved.');
    }
    if (name !== folder.name) {
      await renameFolder(transaction, { id, organizationId, name });
      const details = { folderId: id, before: folder.name, after: name };
      await recordAudit(transaction, clock, { organizationId, action: 'folder.renamed', actor, details });
    }
    if (isMoved) await move(dependencies, transaction, actor, { ...folder, name }, parentId);
    await addFolderVersion(transaction, { id, at: timestamp(clock()) });
    transaction.announce(organizationId);
    return getFolder(transaction, actor, id);
  });
}

async function move(
  { clock, onReportsHidden }: FolderDependencies,
  transaction: Transaction,
  actor: Actor,
  folder: ReadableFolder,
  parentId: string | undefined,
): Promise<void> {
  const { id, organizationId, name } = folder;
  const pointer = '/parentId';
  const parent =
    parentId === undefined
      ? undefined
      : await requireTarget(transaction, actor, { id: parentId, organizationId, pointer });
  if (parent !== undefined) {
    const around = await listFoldersAround(transaction, { folderId: parent.id, userId: actor.userId });
    if (around.some((each) => each.id === id))
      throw invalidBody({
        pointer,
        code: 'cycle',
        message: 'must not be the folder itself or a folder in it',
      });
    await requireDepth(transaction, actor, parent.id, 1 + (await heightOfFolder(transaction, id)));
  }
  if (!mayOn(standingOf(folder, actor.userId), 'folder.manage')) {
    if (folder.parentId !== undefined) await requireSource(transaction, actor, folder.parentId);
    const ways = { from: folder.parentId, to: parentId, ownerId: undefined };
    if (await changesAccess(transaction, actor, ways)) throw moveRefused(name);
  }
  await moveFolder(transaction, { id, parent });
  await onReportsHidden(transaction, organizationId, await selectReportsWithin(transaction, id));
  const details = { folderId: id, name, before: folder.parentId, after: parentId, parentName: parent?.name };
  await recordAudit(transaction, clock, { organizationId, action: 'folder.moved', actor, details });
}

/** Throws `forbidden` unless the actor may take something out of a folder, without its name if the actor may not see it. */
export async function requireSource(reader: Reader, actor: Actor, folderId: string): Promise<void> {
  const folder = await findReadableFolder(reader, { id: folderId, userId: actor.userId });
  if (folder !== undefined && mayOn(standingOf(folder, actor.userId), 'folder.edit')) return;
  throw new AtriumError('forbidden', 'You can’t change the folder that it is in.');
}
