import type { AccessExplanation } from '#contract/records/sharing.ts';
import type { Role, Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { notFound } from '../base/errors.ts';
import { listGroupNamesOfMember } from '../organizations/groups/groups.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Reader } from '../storage/database.ts';
import { selectFoldersAround, type FolderAround } from './folder-store.ts';
import type { Sharable, Share, SharedRecord } from './sharable.ts';
import { personalRefused } from './sharing.ts';
import { selectShares } from './store.ts';

/**
 * Returns what a member may do with a record, and each reason: the role, being the owner, and the shares that apply. Requires
 * permission to share the record. Throws `not_found` if the user isn't a member.
 */
export async function explainAccess<Shared extends SharedRecord>(
  reader: Reader,
  actor: Actor,
  sharable: Sharable<Shared>,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<AccessExplanation> {
  const record = await sharable.require(reader, actor, id, 'manage');
  const { organizationId, ownerId, isHidden, folderId } = record;
  if (organizationId === undefined) throw personalRefused();
  const role = await findRoleOf(reader, organizationId, userId);
  if (role === undefined) throw notFound();
  const groups = await listGroupNamesOfMember(reader, { organizationId, userId });
  const applies = ({ grantee }: Share) =>
    grantee.kind === 'user' ? grantee.id === userId : groups.has(grantee.id);
  const own = (await selectShares(reader, id)).filter(applies).map((share) => ({ share, folder: undefined }));
  const folders =
    folderId === undefined ? [] : await selectFoldersAround(reader, { folderId, userId: actor.userId });
  const inherited = [];
  for (const folder of folders)
    for (const share of (await selectShares(reader, folder.id)).filter(applies))
      inherited.push({ share, folder });
  const granted = [...own, ...inherited];
  // The owner of a folder owns the folders in it; what else is in it, the owner may only edit.
  const [folder] = folders.filter((each) => each.ownerId === userId && sharable.kind !== 'folder');
  const ofFolder = role === 'viewer' ? 'view' : 'edit';
  const levelOf = (more: Partial<Standing>) => sharable.levelOf(record, { ...nothing, role, ...more });
  const candidates = [
    { reason: { by: 'role' as const }, level: levelOf({ isRestricted: isHidden }) },
    ...(ownerId === userId ? [{ reason: { by: 'owner' as const }, level: levelOf({ isOwner: true }) }] : []),
    ...granted.map(({ share, folder: from }) => ({
      reason: { ...reasonOf(share, groups), ...placeOf(from) },
      level: levelOf({ share: share.access }),
    })),
    ...(folder === undefined
      ? []
      : [{ reason: { by: 'owner' as const, ...placeOf(folder) }, level: levelOf({ share: ofFolder }) }]),
  ];
  const levels = granted.map(({ share }) => share.access);
  const share = strongest(folder === undefined ? levels : [...levels, ofFolder]);
  const access = levelOf({ isRestricted: isHidden, isOwner: ownerId === userId, share });
  return {
    userId,
    role,
    ...(access && { access }),
    reasons: candidates.flatMap(({ reason, level }) =>
      level === undefined ? [] : [{ ...reason, access: level }],
    ),
  };
}

/** What a member has of a restricted record that isn't shared with them. */
const nothing = {
  isPersonal: false,
  isOwner: false,
  share: undefined,
  isRestricted: true,
} satisfies Omit<Standing, 'role'> & { role?: Role };

/** `groups` are the names of the member's groups. */
const reasonOf = ({ grantee: { kind, id } }: Share, groups: ReadonlyMap<string, string>) =>
  kind === 'user'
    ? { by: 'share' as const }
    : { by: 'group' as const, groupId: id, groupName: groups.get(id) ?? id };

/** Returns the folder that a reason comes from, without its name if the actor may not see it. */
const placeOf = (folder: FolderAround | undefined) =>
  folder && { folder: folder.isVisible ? { id: folder.id, name: folder.name } : {} };

/** Returns the most of what shares grant: like the filter, which takes the least of the texts. */
const strongest = (levels: readonly Share['access'][]): Share['access'] | undefined => levels.toSorted()[0];
