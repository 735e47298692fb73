import type { Sharable } from '../access/sharable.ts';
import { recordAudit } from '../audit/audit.ts';
import { requireFolder, requireFolderToChange, levelOf } from './access.ts';
import type { OnReportsHidden } from './folders.ts';
import { selectReportsWithin, updateHiddenFolders, type ReadableFolder } from './store.ts';

/** A folder as something that can be shared: what applies to the folder it is in also applies to it. */
type SharedFolder = ReadableFolder & { readonly folderId: string | undefined };

const toShared = (folder: ReadableFolder): SharedFolder => ({ ...folder, folderId: folder.parentId });

/** Returns folders as something that can be shared. */
export const sharableFolders = (onReportsHidden: OnReportsHidden): Sharable<SharedFolder> => ({
  kind: 'folder',
  require: async (reader, actor, id, needed) => toShared(await requireFolder(reader, actor, id, needed)),
  requireToChange: async (transaction, actor, id, needed) =>
    toShared(await requireFolderToChange(transaction, actor, { id, needed })),
  levelOf: (_, standing) => levelOf(standing),
  findFaults: ({ isPersonal }, { restricted }) =>
    isPersonal && !restricted
      ? [{ pointer: '/restricted', code: 'personal', message: 'must be true for a personal folder' }]
      : [],
  async onRestricted(transaction, { id, organizationId }) {
    await updateHiddenFolders(transaction, id);
    await onReportsHidden(transaction, organizationId, await selectReportsWithin(transaction, id));
  },
  async recordChange(transaction, clock, actor, { record, details }) {
    const { id, name, organizationId } = record;
    // Everything in the folder has changed.
    transaction.announce(organizationId);
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'folder.access_changed',
      actor,
      details: { folderId: id, name, ...details },
    });
  },
});
