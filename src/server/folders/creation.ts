import { mayOn, type Action } from '#shared/permissions.ts';
import { listFoldersAround, type FolderAround } from '../access/folders-around.ts';
import { isShared } from '../access/sharing.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { lockOrganization, requirePermissionToChange } from '../organizations/authorization.ts';
import { standingOf } from '../records/access.ts';
import type { NewPlace, Readable, StoredRecord } from '../records/record.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { requireFolder, requireTarget } from './access.ts';
import type { ReadableFolder } from './store.ts';

/**
 * Returns a folder in which the actor may create something: it takes a role for `action`, and permission to edit the folder. Until
 * the transaction ends, the folder isn't moved, deleted or shared otherwise. Throws `not_found` and `forbidden`.
 */
export async function requireFolderForNew(
  transaction: Transaction,
  actor: Actor,
  folderId: string,
  action: Action,
): Promise<ReadableFolder> {
  const { organizationId } = await requireFolder(transaction, actor, folderId);
  await requirePermissionToChange(transaction, actor, organizationId, action);
  return requireFolder(transaction, actor, folderId, 'edit');
}

/** Throws `not_found` unless a folder is one of the organization that the actor may see, and `forbidden` unless the actor may edit it. */
export async function requireFolderOf(
  reader: Reader,
  actor: Actor,
  { organizationId, folderId }: { readonly organizationId: string; readonly folderId: string },
): Promise<void> {
  const folder = await requireFolder(reader, actor, folderId);
  if (folder.organizationId !== organizationId) throw notFound();
  await requireFolder(reader, actor, folderId, 'edit');
}

/**
 * Returns where a copy of a record goes, and whether it is restricted itself, so that nobody sees the copy who doesn't see the
 * original. Throws `forbidden` for a folder that would show what is restricted to more people, unless the actor may share the
 * original; and `invalid_body` for one that isn't a folder of the organization.
 */
export async function placeOfCopy(
  transaction: Transaction,
  actor: Actor,
  kind: 'dashboard' | 'report',
  original: Readable<StoredRecord>,
  { organizationId, folderId }: { organizationId: string | undefined; folderId: string | undefined },
): Promise<NewPlace> {
  const isHidden = original.isHidden && organizationId !== undefined;
  if (folderId === undefined) return { isRestricted: isHidden };
  const pointer = '/folderId';
  if (organizationId === undefined)
    throw invalidBody({ pointer, code: 'personal', message: 'must be left out of a personal copy' });
  await lockOrganization(transaction, organizationId);
  await requireTarget(transaction, actor, { id: folderId, organizationId, pointer });
  if (!isHidden) return { folderId };
  const around = async (id: string | undefined): Promise<readonly FolderAround[]> =>
    id === undefined ? [] : listFoldersAround(transaction, { folderId: id, userId: actor.userId });
  const [before, after] = [await around(original.folderId), await around(folderId)];
  const isIn = (list: readonly FolderAround[], id: string) => list.some((each) => each.id === id);
  if (!mayOn(standingOf(original, actor.userId), `${kind}.manage`)) {
    const seeing = [actor.userId, original.userId, ...before.map(({ ownerId }) => ownerId)];
    for (const folder of after.filter(({ id }) => !isIn(before, id)))
      if (!seeing.includes(folder.ownerId) || (await isShared(transaction, folder.id)))
        throw copyRefused(original.name);
  }
  const isRestrictedThere = before.every(({ id, isRestricted }) => !isRestricted || isIn(after, id));
  return { folderId, isRestricted: original.isRestricted || !isRestrictedThere };
}

const copyRefused = (name: string): AtriumError =>
  new AtriumError(
    'forbidden',
    `A copy of “${name}” there could be seen by people who can’t see the original. Only its owner and the admins of the organization can do this.`,
  );
