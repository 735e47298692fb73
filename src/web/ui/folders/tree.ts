import type { Folder } from '#contract/records/folders.ts';

type Node = Pick<Folder, 'id' | 'parentId' | 'name'>;

/** The place outside of all folders, beside the IDs of folders. */
export const noFolder = 'none';

/** Between the names of a path. */
const separator = ' / ';

/** Returns a folder and those around it, the outermost first; nothing if the folder isn't among those that you may see. */
export function foldersTo<F extends Node>(folders: readonly F[], id: string | undefined): readonly F[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: F[] = [];
  let folder = id === undefined ? undefined : byId.get(id);
  // The server allows no cycles, but the list may have been read while folders were moved.
  while (folder !== undefined && !path.includes(folder)) {
    path.unshift(folder);
    folder = folder.parentId === undefined ? undefined : byId.get(folder.parentId);
  }
  return path;
}

/** Returns the folders directly in one, or in none if `id` is undefined, in their order. */
export const foldersIn = <F extends Node>(folders: readonly F[], id: string | undefined): readonly F[] =>
  folders.filter(({ parentId }) => parentId === id);

/** Returns the names of a folder and of those around it as one text, such as `Sales / Europe`; empty if you can't see it. */
export const pathText = (folders: readonly Node[], id: string | undefined): string =>
  foldersTo(folders, id)
    .map(({ name }) => name)
    .join(separator);

/** Returns the folders that you can move something to, sorted by path. Without `moved` and what is in it, if that is a folder. */
export const targetsOf = (
  folders: readonly Folder[],
  moved?: string,
): readonly { readonly id: string; readonly path: string }[] =>
  folders
    .filter(({ access }) => access !== 'view')
    .map(({ id }) => ({ id, around: foldersTo(folders, id) }))
    .filter(({ around }) => moved === undefined || around.every(({ id }) => id !== moved))
    .map(({ id, around }) => ({ id, path: around.map(({ name }) => name).join(separator) }))
    .toSorted((one, other) => one.path.localeCompare(other.path));
