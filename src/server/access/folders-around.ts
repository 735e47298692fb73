import type { Reader } from '../storage/database.ts';
import { notFound } from '../base/errors.ts';
import { selectFoldersAround, visibleFolder, type FolderAround } from './folder-store.ts';

export { visibleFolder, type FolderAround };

/** Returns a folder and the folders around it, the innermost first, with whether a member may see each. */
export const listFoldersAround = (
  reader: Reader,
  key: { readonly folderId: string; readonly userId: string },
): Promise<FolderAround[]> => selectFoldersAround(reader, key);

/** Throws `not_found` unless a member may see a folder of the organization. `none` stands for no folder. */
export async function requireVisibleFolder(
  reader: Reader,
  key: { readonly folderId: string | undefined; readonly userId: string; readonly organizationId: string },
): Promise<void> {
  const { folderId, userId, organizationId } = key;
  if (folderId === undefined || folderId === 'none') return;
  const [folder] = await selectFoldersAround(reader, { folderId, userId });
  if (folder?.organizationId !== organizationId || !folder.isVisible) throw notFound();
}
