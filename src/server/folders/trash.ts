import { restorableDays } from '#shared/trash.ts';
import type { Actor } from '../base/actor.ts';
import { daysMs, timestamp } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockOrganization } from '../organizations/authorization.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { requireFolder, requireFolderToChange } from './access.ts';
import { getFolder, type FolderReply } from './folders.ts';
import type { ItemDependencies } from './items.ts';
import { addFolderVersion, moveFolder, type ReadableFolder } from './store.ts';
import {
  deleteFolderRows,
  findDeletedWith,
  hasOthersItems,
  isFolderInUse,
  lockOldFolders,
  purgeFolderRows,
  restoreFolderRows,
  restrictFolder,
  selectItems,
} from './trash-store.ts';

const kindNames = ['dashboard', 'report'] as const;

/**
 * Moves a folder to the trash with everything in it, which the actor must be allowed to edit. Throws `report_in_use` if dashboards
 * show a report in it, unless `isForced`.
 */
export async function deleteFolder(
  dependencies: ItemDependencies,
  actor: Actor,
  { id, isForced }: { readonly id: string; readonly isForced: boolean },
): Promise<void> {
  const { database, clock, kinds } = dependencies;
  await requireFolder(database, actor, id, 'edit');
  await requireAllEditable(database, actor, id);
  if (!isForced) {
    for (const reportId of await selectItems(database, 'report', { id, isDeleted: false }))
      await kinds.report.requireUnused?.(actor, reportId);
  }
  await database.write(async (transaction) => {
    const { organizationId } = await requireFolder(transaction, actor, id, 'edit');
    await lockOrganization(transaction, organizationId);
    const folder = await requireFolderToChange(transaction, actor, { id, needed: 'edit' });
    await requireNotPersonal(transaction, folder);
    await requireAllEditable(transaction, actor, id);
    const deleted = await itemsOf(transaction, id, false);
    await deleteFolderRows(transaction, { id, at: timestamp(clock()), userId: actor.userId });
    await noticeItems(dependencies, transaction, organizationId, deleted);
    const { name } = folder;
    const details = {
      folderId: id,
      name,
      dashboards: deleted.dashboard.length,
      reports: deleted.report.length,
    };
    await recordAudit(transaction, clock, { organizationId, action: 'folder.deleted', actor, details });
  });
}

/** Everybody who may delete the personal folder of somebody else is an admin: it is restricted. */
async function requireNotPersonal(reader: Reader, folder: ReadableFolder): Promise<void> {
  const { isPersonal, organizationId, ownerId } = folder;
  if (!isPersonal || (await findRoleOf(reader, organizationId, ownerId)) === undefined) return;
  throw new AtriumError('forbidden', 'A personal folder can’t be deleted while its owner is a member.');
}

async function requireAllEditable(reader: Reader, { userId }: Actor, id: string): Promise<void> {
  if (!(await hasOthersItems(reader, { id, userId }))) return;
  throw new AtriumError(
    'forbidden',
    'The folder contains folders, dashboards or reports that you can’t delete. Ask its owner or an admin of the organization.',
  );
}

/**
 * Restores a folder from the trash with everything that was deleted with it. If the folder that it was in isn't in use, it is in
 * none, and restricted if it was.
 */
export function restoreFolder(
  dependencies: ItemDependencies,
  actor: Actor,
  id: string,
): Promise<FolderReply> {
  const { database, clock, kinds } = dependencies;
  return database.write(async (transaction) => {
    const input = { id, needed: 'edit', place: 'in the trash' } as const;
    const { organizationId } = await requireFolderToChange(transaction, actor, input);
    await lockOrganization(transaction, organizationId);
    const folder = await requireFolderToChange(transaction, actor, input);
    await requireOutermost(
      transaction,
      id,
      'This folder was deleted with the folder around it. Restore that one.',
    );
    const { parentId, name } = folder;
    // Also into a folder that the actor can't see: otherwise, deleting and restoring it would move it out of there.
    if (parentId !== undefined && !(await isFolderInUse(transaction, parentId))) {
      if (folder.isHidden) await restrictFolder(transaction, id);
      await moveFolder(transaction, { id, parent: undefined });
    }
    const restored = await itemsOf(transaction, id, true);
    await restoreFolderRows(transaction, id);
    for (const kind of kindNames)
      for (const each of restored[kind])
        await kinds[kind].kind.store.setDeleted(transaction, each, undefined);
    await addFolderVersion(transaction, { id, at: timestamp(clock()) });
    await noticeItems(dependencies, transaction, organizationId, restored);
    const details = { folderId: id, name };
    await recordAudit(transaction, clock, { organizationId, action: 'folder.restored', actor, details });
    return getFolder(transaction, actor, id);
  });
}

async function requireOutermost(reader: Reader, id: string, message: string): Promise<void> {
  if ((await findDeletedWith(reader, id)) !== id) throw new AtriumError('forbidden', message);
}

/** Permanently deletes a folder in the trash. Dashboards and reports that were deleted with it stay in the trash, in no folder. */
export function purgeFolder(
  { database, clock }: Pick<ItemDependencies, 'database' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  return database.write(async (transaction) => {
    const input = { id, needed: 'manage', place: 'in the trash' } as const;
    const { organizationId } = await requireFolderToChange(transaction, actor, input);
    await lockOrganization(transaction, organizationId);
    const { name } = await requireFolderToChange(transaction, actor, input);
    await requireOutermost(
      transaction,
      id,
      'This folder was deleted with the folder around it. Delete that one permanently.',
    );
    await purgeFolderRows(transaction, id);
    const details = { folderId: id, name };
    await recordAudit(transaction, clock, { organizationId, action: 'folder.purged', actor, details });
  });
}

/** Few at a time, so that other writes hardly wait. */
const purgedPerTransaction = 20;

/**
 * Permanently deletes folders that have been in the trash for 30 days, a few at a time. What was deleted with them is purged like
 * other dashboards and reports. Replicas may do so at the same time.
 */
export async function purgeOldFolders(
  { database, clock }: Pick<ItemDependencies, 'database' | 'clock'>,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> {
  const range = { before: timestamp(clock() - daysMs(restorableDays)), limit: purgedPerTransaction };
  let purged: number;
  do {
    purged = await database.write(async (transaction) => {
      const folders = await lockOldFolders(transaction, range);
      for (const { id, name, organizationId } of folders) {
        await purgeFolderRows(transaction, id);
        const details = { folderId: id, name };
        await recordAudit(transaction, clock, { organizationId, action: 'folder.purged', details });
      }
      return folders.length;
    });
  } while (purged === purgedPerTransaction && !stopped.aborted);
}

type Items = Readonly<Record<(typeof kindNames)[number], readonly string[]>>;

const itemsOf = async (reader: Reader, id: string, isDeleted: boolean): Promise<Items> => ({
  dashboard: await selectItems(reader, 'dashboard', { id, isDeleted }),
  report: await selectItems(reader, 'report', { id, isDeleted }),
});

/** Updates what shows dashboards and reports that were deleted or restored with a folder. */
async function noticeItems(
  { kinds, onReportsHidden }: ItemDependencies,
  transaction: Transaction,
  organizationId: string,
  { dashboard, report }: Items,
): Promise<void> {
  for (const id of dashboard)
    await kinds.dashboard.kind.onChange(transaction, { id, organizationId }, { isRenamed: true });
  await onReportsHidden(transaction, organizationId, report);
  transaction.announce(organizationId);
}
