import type { AccessExplanation } from '#contract/sharing.ts';
import type { Role, Standing } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { notFound } from '../base/errors.ts';
import { listGroupsOfMember } from '../organizations/groups.ts';
import { findRoleOf } from '../organizations/members.ts';
import type { Reader } from '../storage/database.ts';
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
  const { organizationId, ownerId, isRestricted } = record;
  if (organizationId === undefined) throw personalRefused();
  const role = await findRoleOf(reader, organizationId, userId);
  if (role === undefined) throw notFound();
  const groups = new Set(await listGroupsOfMember(reader, { organizationId, userId }));
  const shares = (await selectShares(reader, id)).filter(({ grantee }) =>
    grantee.kind === 'user' ? grantee.id === userId : groups.has(grantee.id),
  );
  const levelOf = (more: Partial<Standing>) => sharable.levelOf(record, { ...nothing, role, ...more });
  const candidates = [
    { reason: { by: 'role' as const }, level: levelOf({ isRestricted }) },
    ...(ownerId === userId ? [{ reason: { by: 'owner' as const }, level: levelOf({ isOwner: true }) }] : []),
    ...shares.map((share) => ({ reason: reasonOf(share), level: levelOf({ share: share.access }) })),
  ];
  const share = strongest(shares);
  const access = levelOf({ isRestricted, isOwner: ownerId === userId, share });
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

const reasonOf = ({ grantee }: Share) =>
  grantee.kind === 'user' ? { by: 'share' as const } : { by: 'group' as const, groupId: grantee.id };

/** Returns the most that shares grant: like the filter, which takes the least of the texts. */
const strongest = (shares: readonly Share[]): Share['access'] | undefined =>
  shares.map(({ access }) => access).toSorted()[0];
