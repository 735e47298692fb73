import type { Folder } from '#contract/records/folders.ts';
import { mayOn, type Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { requireOpen } from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findReadableFolder, lockVisibleFolder, type ReadableFolder } from './store.ts';

type Access = Folder['access'];

/** Returns what decides which actions a user may take on a folder. */
export const standingOf = ({ role, share, isHidden, ownerId }: ReadableFolder, userId: string): Standing => ({
  isPersonal: false,
  role,
  isOwner: ownerId === userId,
  share,
  isRestricted: isHidden,
});

/** Returns the most that somebody may do with a folder, or undefined if they may not see it. */
export function levelOf(standing: Standing): Access | undefined {
  if (mayOn(standing, 'folder.manage')) return 'manage';
  if (mayOn(standing, 'folder.edit')) return 'edit';
  return mayOn(standing, 'folder.view') ? 'view' : undefined;
}

/** Returns a folder that the actor may see. Throws `not_found`, `sso_required`, and `forbidden` if the actor has less access. */
export async function requireFolder(
  reader: Reader,
  actor: Actor,
  id: string,
  needed: Access = 'view',
): Promise<ReadableFolder> {
  return requireAccess(await findReadableFolder(reader, { id, userId: actor.userId }), actor, needed);
}

/** Like `requireFolder`, in a transaction that changes the folder: it is locked before access is read. */
export async function requireFolderToChange(
  transaction: Transaction,
  actor: Actor,
  { id, needed, place }: { id: string; needed: Access; place?: 'in use' | 'in the trash' },
): Promise<ReadableFolder> {
  const key = { id, userId: actor.userId };
  if (!(await lockVisibleFolder(transaction, key))) throw notFound();
  return requireAccess(await findReadableFolder(transaction, key, place), actor, needed);
}

function requireAccess(found: ReadableFolder | undefined, actor: Actor, needed: Access): ReadableFolder {
  const folder = requireOpen(actor, found, found?.organizationId);
  const standing = standingOf(folder, actor.userId);
  if (needed === 'view' || mayOn(standing, `folder.${needed}`)) return folder;
  throw new AtriumError(
    'forbidden',
    needed === 'edit'
      ? `You can see the folder “${folder.name}”, but not change what is in it.`
      : 'Only the owner of this folder and the admins of its organization can do this.',
  );
}

/**
 * Returns the folder that a body names as a place, which the actor must be allowed to edit. Throws `forbidden` and, for one that
 * doesn't exist, that the actor may not see or that belongs to another organization, `invalid_body`.
 */
export async function requireTarget(
  transaction: Transaction,
  actor: Actor,
  { id, organizationId, pointer }: { id: string; organizationId: string; pointer: string },
): Promise<ReadableFolder> {
  const found = await findReadableFolder(transaction, { id, userId: actor.userId });
  if (found?.organizationId !== organizationId) {
    throw invalidBody({ pointer, code: 'unknown', message: 'must be a folder of the organization' });
  }
  return requireAccess(found, actor, 'edit');
}
