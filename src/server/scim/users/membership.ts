import {
  removeDeletedMember,
  restoreMember,
  suspendMember,
} from '../../organizations/suspension/suspension.ts';
import { findRoleOf, isLastOwner } from '../../organizations/members.ts';
import { setGroupsOfMember } from '../../organizations/groups/groups.ts';
import { applyProvisionedRoles, type ProvisioningDirectory } from '../../sso/provisioning/directory.ts';
import { listProvisionedGroups } from '../../sso/provisioning/people.ts';
import { applySessionLimit } from '../../sessions/policy/policy.ts';
import { recordEndedSessions } from '../../sso/provisioning/ended-sessions.ts';
import type { Transaction } from '../../storage/database.ts';
import type { ScimCall, ScimDependencies } from '../dependencies.ts';
import { ScimError } from '../protocol/errors.ts';
import type { PersonRow } from './store.ts';

interface Member {
  readonly organizationId: string;
  readonly userId: string;
}

/**
 * Throws 403 unless an owner made the credential, if the person is an owner: otherwise an admin could remove owners by a credential of
 * their own. Checked at each use, since the maker may no longer be an owner.
 */
export async function requireOwnersCredential(
  { findCreator }: ScimDependencies,
  transaction: Transaction,
  { actor, organizationId }: ScimCall,
  { role, suspendedRole }: Pick<PersonRow, 'role' | 'suspendedRole'>,
): Promise<void> {
  if (role !== 'owner' && suspendedRole !== 'owner') return;
  const creator = await findCreator(transaction, actor);
  const creatorsRole = creator && (await findRoleOf(transaction, organizationId, creator));
  if (creatorsRole === 'owner') return;
  throw new ScimError(
    403,
    undefined,
    'The person is an owner of the organization. Only a credential that an owner has created can deactivate, delete or rename owners.',
  );
}

/** Makes a person a member, with the role before a suspension or that of the mappings. */
export async function activate(
  { clock }: ScimDependencies,
  transaction: Transaction,
  { actor }: ScimCall,
  { member, configuration }: { readonly member: Member } & Pick<ProvisioningDirectory, 'configuration'>,
): Promise<void> {
  const { organizationId, userId } = member;
  const current = await restoreMember(transaction, clock, actor, member);
  if (current !== undefined) {
    const groups = await listProvisionedGroups(transaction, configuration, userId);
    await setGroupsOfMember(transaction, member, groups, configuration);
  } else if ((await findRoleOf(transaction, organizationId, userId)) !== undefined) return;
  await applyProvisionedRoles(transaction, clock, configuration, [{ userId, current }]);
  await applySessionLimit(transaction, clock, member);
}

/** Ends what a person can do in the organization, at once. Without a request, the server does it, and the status shows no duration. */
export async function deactivate(
  { clock, endCredentials }: Pick<ScimDependencies, 'clock' | 'endCredentials'>,
  transaction: Transaction,
  request: Pick<ScimCall, 'actor' | 'receivedAt'> | undefined,
  member: Member,
): Promise<void> {
  if ((await findRoleOf(transaction, member.organizationId, member.userId)) === undefined) return;
  await suspendMember(transaction, clock, request?.actor, member);
  const count = await endCredentials(transaction, member);
  await recordEndedSessions(transaction, clock, { ...member, count, receivedAt: request?.receivedAt });
}

/** Returns false for the last owner, who stays. */
export async function remove(
  { clock, endMembership, endCredentials }: ScimDependencies,
  transaction: Transaction,
  { actor, receivedAt }: ScimCall,
  member: Member,
): Promise<boolean> {
  const { organizationId, userId } = member;
  if (await isLastOwner(transaction, organizationId, userId)) return false;
  const count = await endCredentials(transaction, member);
  await recordEndedSessions(transaction, clock, { ...member, count, receivedAt });
  await removeDeletedMember(transaction, clock, actor, { ...member, endMembership });
  return true;
}
