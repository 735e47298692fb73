import { listFoldersAround, type FolderAround } from '../access/folders-around.ts';
import { isShared } from '../access/sharing.ts';
import type { Actor } from '../base/actor.ts';
import { AtriumError } from '../base/errors.ts';
import type { Reader } from '../storage/database.ts';

/** A move of a folder, a dashboard or a report. */
interface Move {
  /** The folders that it is moved from and to; undefined for none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The owner of the dashboard or the report, who gains nothing by an own folder; undefined for a folder, which changes hands. */
  readonly ownerId: string | undefined;
}

/**
 * Returns whether a move may change who has access: it is moved into or out of a folder that is restricted or shared, or to another
 * owner's folder, which that owner could restrict and share right after it.
 */
export async function changesAccess(
  reader: Reader,
  { userId }: Actor,
  { from, to, ownerId }: Move,
): Promise<boolean> {
  const around = async (folderId: string | undefined): Promise<readonly FolderAround[]> =>
    folderId === undefined ? [] : listFoldersAround(reader, { folderId, userId });
  const [before, after] = [await around(from), await around(to)];
  const [target] = after;
  if (target !== undefined && ![before[0]?.ownerId, ownerId].includes(target.ownerId)) return true;
  const isIn = (list: readonly FolderAround[], id: string) => list.some((each) => each.id === id);
  const passed = [
    ...before.filter(({ id }) => !isIn(after, id)),
    ...after.filter(({ id }) => !isIn(before, id)),
  ];
  for (const folder of passed) if (folder.isRestricted || (await isShared(reader, folder.id))) return true;
  return false;
}

/** The refusal of a move that changes who has access. */
export const moveRefused = (name: string): AtriumError =>
  new AtriumError(
    'forbidden',
    `Moving “${name}” there changes who can see or edit it. Only its owner and the admins of the organization can do this.`,
  );
