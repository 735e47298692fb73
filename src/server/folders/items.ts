import type { ItemOutcomes, ItemsChange } from '#contract/records/folders.ts';
import { mayOn } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError, invalidBody, notFound } from '../base/errors.ts';
import { lockOrganization, requirePermission } from '../organizations/authorization.ts';
import { requireRecordToChange, standingOf } from '../records/access.ts';
import { recordChange } from '../records/audit.ts';
import type { PlacedKind } from '../records/kind.ts';
import type { StoredRecord } from '../records/record.ts';
import { moveToTrash, restoreFromTrash } from '../records/trash.ts';
import type { Transaction } from '../storage/database.ts';
import { requireTarget } from './access.ts';
import { requireSource, type FolderDependencies } from './folders.ts';
import { changesAccess, moveRefused } from './placement.ts';

/** A kind of record that can be in folders. */
export interface ItemKind {
  readonly kind: PlacedKind;
  /** Throws if the item is used elsewhere, so that it can't be deleted without asking. */
  requireUnused?(actor: Actor, id: string): Promise<void>;
}

export interface ItemDependencies extends FolderDependencies {
  readonly kinds: Readonly<Record<'dashboard' | 'report', ItemKind>>;
}

type Item = ItemsChange['items'][number];

/** Moves, deletes or restores each of some items. Returns the outcome of each; those that fail don't change the others. */
export async function changeItems(
  dependencies: ItemDependencies,
  actor: Actor,
  { organizationId, action, folderId, items }: ItemsChange & { readonly organizationId: string },
): Promise<ItemOutcomes> {
  if (action === 'move' && folderId === undefined)
    throw invalidBody({ pointer: '/folderId', code: 'required', message: 'is required to move' });
  await requirePermission(dependencies.database, actor, organizationId, 'organization.view');
  if (action === 'move' && typeof folderId === 'string') {
    const target = { id: folderId, organizationId, pointer: '/folderId' };
    await dependencies.database.write((transaction) => requireTarget(transaction, actor, target));
  }
  const outcomes: ItemOutcomes['items'] = [];
  for (const item of items) {
    try {
      await requireIn(dependencies, actor, item, { organizationId, isDeleted: action === 'restore' });
      if (action === 'move') await moveItem(dependencies, actor, item, { organizationId, folderId });
      else if (action === 'delete') await deleteItem(dependencies, actor, item);
      else await restoreFromTrash(dependencies, actor, dependencies.kinds[item.kind].kind, item.id);
      outcomes.push({ kind: item.kind, id: item.id, done: true });
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      const { code, message } = error;
      outcomes.push({ kind: item.kind, id: item.id, done: false, code, message });
    }
  }
  return { items: outcomes };
}

/** Throws `not_found` unless the actor may see an item and it belongs to the organization. */
async function requireIn(
  { database, kinds }: ItemDependencies,
  actor: Actor,
  { kind, id }: Item,
  { organizationId, isDeleted }: { organizationId: string; isDeleted: boolean },
): Promise<void> {
  const place = isDeleted ? 'in the trash' : 'in use';
  const found = await kinds[kind].kind.findReadable(database, { id, userId: actor.userId, place });
  if (found?.organizationId !== organizationId) throw notFound();
}

async function deleteItem(
  dependencies: ItemDependencies,
  actor: Actor,
  { kind: name, id }: Item,
): Promise<void> {
  const { kind, requireUnused } = dependencies.kinds[name];
  await requireUnused?.(actor, id);
  await moveToTrash(dependencies, actor, kind, { id, expected: 'any' });
}

/** Moves an item to a folder, or out of all with `null`. */
function moveItem(
  { database, clock, kinds }: ItemDependencies,
  actor: Actor,
  { kind: name, id }: Item,
  { organizationId, folderId }: { organizationId: string; folderId: string | null | undefined },
): Promise<void> {
  const { kind } = kinds[name];
  return database.write(async (transaction) => {
    // A folder can't be deleted or moved in the meantime.
    await lockOrganization(transaction, organizationId);
    const record = await requireRecordToChange(transaction, actor, kind, { id, needed: 'edit' });
    const to = folderId ?? undefined;
    if (record.folderId === to) return;
    const place = { organizationId, pointer: '/folderId' };
    const target =
      to === undefined ? undefined : await requireTarget(transaction, actor, { id: to, ...place });
    if (!mayOn(standingOf(record, actor.userId), `${name}.manage`))
      await requireMovable(transaction, actor, record, to);
    await kind.store.setFolder(transaction, { id, folderId: to ?? null });
    await kind.onChange(transaction, record, { isRenamed: true });
    const details = { before: record.folderId, after: to, folderName: target?.name };
    await recordChange(transaction, clock, actor, { kind: name, action: 'moved', record, details });
  });
}

async function requireMovable(
  transaction: Transaction,
  actor: Actor,
  record: StoredRecord & { readonly folderId: string | undefined },
  to: string | undefined,
): Promise<void> {
  const { folderId: from, userId: ownerId, name } = record;
  if (from !== undefined) await requireSource(transaction, actor, from);
  if (await changesAccess(transaction, actor, { from, to, ownerId })) throw moveRefused(name);
}
