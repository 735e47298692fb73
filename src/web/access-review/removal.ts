import type { AccessGrant } from '#contract/organizations/access-review.ts';
import type { Member } from '#contract/organizations/members.ts';
import { t } from '#shared/language/messages.ts';
import { mayGive, type Role } from '#shared/permissions.ts';
import { call } from '../app/api.ts';
import { reasonAgainstManaging } from '../organizations/members/rules.ts';
import { readAccess, saveAccess } from '../sharing/shared-records.ts';

/** The facts that decide whether you can remove a grant. */
export interface Reviewer {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role | undefined;
  readonly members: readonly Pick<Member, 'role' | 'userId'>[];
}

/** Returns why you can't remove a grant in the review; undefined when you can. */
export function reasonAgainstRemoving(
  { reason, grantee, groupName = '', access }: AccessGrant,
  { userId, role, members }: Reviewer,
): string | undefined {
  switch (reason) {
    case 'role':
    case 'directory':
      if (grantee.id === userId) return t('To leave, go to the settings of the organization.');
      return reasonAgainstManaging({
        myRole: role,
        // Sound because a role is what a member has in the organization.
        member: { userId: grantee.id, role: access as Role },
        members,
      });
    case 'group':
      return t(
        'The group {group} of the directory gives this. Remove the person from the group there, or stop sharing with the group.',
        { group: groupName },
      );
    case 'owner':
      return t('Its owner always has access. Transfer it to someone else on its own page.');
    case 'token':
      return mayGive(role, access as Role) ? undefined : t('Only an owner can revoke the token of an owner.');
    case 'named':
    case 'link':
      return undefined;
  }
}

/** What happens when a grant is removed, as sentences for its confirmation. */
export function consequencesOf({ reason, grantee, object }: AccessGrant): string[] {
  const names = { grantee: grantee.name, object: object.name };
  if (reason === 'link')
    return [t('Displays that show {object} with the link “{grantee}” stop at their next request.', names)];
  if (reason === 'token') return [t('Programs that use it are refused immediately. You can’t undo this.')];
  return [
    t('{object} is no longer shared with {grantee}.', names),
    t('Access that they have for other reasons stays, and is listed in this review.'),
  ];
}

/** Removes a grant other than a role, for which there is a dialog of its own. */
export async function removeGrant(grant: AccessGrant, orgId: string): Promise<void> {
  const { grantee, object, tokenId } = grant;
  if (tokenId !== undefined) {
    await call('DELETE /api/organizations/{orgId}/tokens/{tokenId}', { params: { orgId, tokenId } });
    return;
  }
  if (grantee.kind === 'link') {
    await call('DELETE /api/dashboards/{dashboardId}/display-links/{linkId}', {
      params: { dashboardId: object.id, linkId: grantee.id },
    });
    return;
  }
  if (object.kind === 'organization') return;
  const record = { kind: object.kind, id: object.id };
  const { restricted, members, groups } = await readAccess(record, new AbortController().signal);
  await saveAccess(record, {
    restricted,
    members: members
      .filter(({ userId }) => userId !== grantee.id)
      .map(({ userId, access }) => ({ userId, access })),
    groups: groups
      .filter(({ groupId }) => groupId !== grantee.id)
      .map(({ groupId, access }) => ({ groupId, access })),
  });
}
