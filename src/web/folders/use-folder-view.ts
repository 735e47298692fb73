import type { Folder } from '#contract/records/folders.ts';
import { useFolders } from '../ui/folders/queries.ts';

/** The value of the URL's `folder` that shows what is in all folders in one list. */
export const allFolders = 'all';

/** What a list of dashboards or of reports shows of the folders. */
export interface FolderView {
  readonly folders: readonly Folder[];
  /** The folder that is open, or undefined if none is, or one that you may not see. */
  readonly current: Folder | undefined;
  /** Whether the list shows what is in one folder, or in none, and not what is in all. */
  readonly isBrowsing: boolean;
  /** The `folderId` to list; undefined for all folders. */
  readonly filter: string | undefined;
  /** Whether the list can be read. */
  readonly isReady: boolean;
}

/**
 * Returns which folder a list shows. Searches and filters find what is in all folders. As long as you see no folder, the list shows
 * everything too: it would otherwise lack what is in folders that you can't see.
 */
export function useFolderView(
  orgId: string | undefined,
  folder: string | undefined,
  isFiltered: boolean,
): FolderView {
  const { data: folders = [], isPending } = useFolders(orgId);
  const isBrowsing =
    orgId !== undefined &&
    !isFiltered &&
    folder !== allFolders &&
    (folder !== undefined || folders.length > 0);
  return {
    folders,
    current: folders.find(({ id }) => id === folder),
    isBrowsing,
    filter: isBrowsing ? (folder ?? 'none') : undefined,
    isReady: orgId === undefined || isFiltered || folder !== undefined || !isPending,
  };
}
