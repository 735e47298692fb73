import type { AccountDeletionPreview } from '#contract/accounts/deletion.ts';
import { may } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp } from '../base/clock.ts';
import { requireConfirmation } from '../base/credentials/confirmation.ts';
import { normalizeEmail } from '../base/texts/email-address.ts';
import { AtriumError, invalidBody } from '../base/errors.ts';
import { listOrganizationIds } from '../organizations/authorization.ts';
import {
  endMembershipOfDeleted,
  listSolelyOwned,
  lockOrganizationsOf,
  pseudonymize,
  requireAnotherOperator,
  requireOtherOwners,
} from '../organizations/deleted-accounts/deleted-accounts.ts';
import {
  listOrganizationsOf,
  selectPossibleOrganizations,
} from '../organizations/deleted-accounts/queries.ts';
import type { EndMembership } from '../organizations/ended-membership.ts';
import { isOnlyOperator } from '../organizations/operators.ts';
import { getAccountRow, lockAccount, type AccountRow } from '../organizations/users.ts';
import { endSessionsOfUser, getSession } from '../sessions/sessions.ts';
import type { Reader } from '../storage/database.ts';
import { forgetPerson } from './forget.ts';
import { handOver, requireSuccessor, type HandOver, type HandOverDependencies } from './hand-over.ts';
import { countOwned, countPersonal, ownedKinds } from './owned-queries.ts';
import { deletePersonalRows, insertDeletion } from './person-queries.ts';

export interface DeletionDependencies extends HandOverDependencies {
  readonly endMembership: EndMembership;
}

/** Returns what deleting the actor's account would do. Throws `forbidden` if this session must not delete it. */
export async function previewDeletion(reader: Reader, actor: Actor): Promise<AccountDeletionPreview> {
  const { userId } = actor;
  await requireWholeAccount(reader, actor, await getAccountRow(reader, userId));
  const memberships = await listOrganizationsOf(reader, userId);
  const ids = memberships.map(({ id }) => id);
  const solelyOwned = new Set((await listSolelyOwned(reader, userId, ids)).map(({ id }) => id));
  const open = new Set(await listOrganizationIds(reader, actor));
  const ownedIn = await countOwned(reader, { userId, organizationIds: ids });
  const organizations: AccountDeletionPreview['organizations'] = [];
  for (const { id: organizationId, name, role } of memberships) {
    organizations.push({
      organizationId,
      name,
      role,
      isLastOwner: solelyOwned.has(organizationId),
      mayHandOver: open.has(organizationId) && may(role, 'dashboard.create'),
      ...ownedIn(organizationId),
    });
  }
  return {
    organizations,
    personalDashboards: await countPersonal(reader, userId),
    isLastOperator: await isOnlyOperator(reader, userId),
  };
}

/**
 * Throws `forbidden` unless the actor may delete the whole account. A session from one organization's directory must not delete an
 * account that gives access to others, or that has a password, which the directory doesn't know.
 */
async function requireWholeAccount(reader: Reader, actor: Actor, account: AccountRow): Promise<void> {
  const { scope } = actor;
  if (scope === 'all') return;
  const others = (await selectPossibleOrganizations(reader, account.id)).filter(
    (id) => id !== scope.organizationId,
  );
  if (account.passwordHash === null && others.length === 0) return;
  throw new AtriumError(
    'forbidden',
    account.passwordHash === null
      ? 'This session is limited to one organization, and the account is in others, too. Leave those first, or ask the people who run this server.'
      : 'This session is limited to one organization. Sign in with your password to delete your account.',
  );
}

/** An account that was deleted, for messages to others about it. */
export interface DeletedAccount {
  readonly name: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Deletes the actor's account after a recent confirmation and the typed address. What they own is handed over first, each thing by
 * itself; then everything else ends in one transaction. Throws `confirmation_required`, `forbidden`, `last_owner`, `last_operator`,
 * and `invalid_body` for a wrong address or choice.
 */
export async function deleteOwnAccount(
  dependencies: DeletionDependencies,
  actor: Actor,
  { email, choices }: { readonly email: string; readonly choices: readonly HandOver[] },
): Promise<DeletedAccount> {
  const { database, clock } = dependencies;
  requireConfirmation(actor, clock);
  const account = await getAccountRow(database, actor.userId);
  await requireWholeAccount(database, actor, account);
  if (normalizeEmail(email) !== account.email)
    throw invalidBody({ pointer: '/email', code: 'email', message: 'must be the address of the account' });
  return deleteAccount(dependencies, actor, choices);
}

/** Deletes an account, for the operator or for its person, who is the actor. */
export async function deleteAccount(
  dependencies: DeletionDependencies,
  actor: Actor,
  choices: readonly HandOver[],
): Promise<DeletedAccount> {
  const { database } = dependencies;
  const { userId } = actor;
  const { name, email, ...account } = await getAccountRow(database, userId);
  if (account.isServiceAccount === 1)
    throw new AtriumError('forbidden', 'Delete service accounts in their organization.');
  const organizations = await listOrganizationsOf(database, userId);
  await requireOtherOwners(
    database,
    userId,
    organizations.map(({ id }) => id),
  );
  await database.write((transaction) => requireAnotherOperator(transaction, userId));
  await requireChoices(database, actor, choices);
  for (const choice of choices) await handOver(dependencies, actor, choice);
  await endAccount(dependencies, actor, choices);
  return { name, email, isEmailVerified: account.isEmailVerified === 1, organizations };
}

/** Throws `invalid_body` unless there is a choice for each organization where the actor owns something and may hand it over. */
async function requireChoices(reader: Reader, actor: Actor, choices: readonly HandOver[]): Promise<void> {
  const { organizations } = await previewDeletion(reader, actor);
  const deciding = organizations.filter(({ mayHandOver }) => mayHandOver);
  for (const [index, choice] of choices.entries()) {
    const pointer = `/organizations/${index}`;
    if (!deciding.some(({ organizationId }) => organizationId === choice.organizationId))
      throw invalidBody({
        pointer,
        code: 'organization',
        message: 'must be an organization where you may hand over',
      });
    await requireSuccessor(reader, actor, { ...choice, pointer: `${pointer}/handOverTo` });
  }
  const missing = deciding.find(
    (organization) =>
      ownedKinds.some((kind) => organization[kind].count > 0) &&
      !choices.some(({ organizationId }) => organizationId === organization.organizationId),
  );
  if (missing !== undefined)
    throw invalidBody({
      pointer: '/organizations',
      code: 'required',
      message: `must say what becomes of what you own in “${missing.name}”`,
    });
}

async function endAccount(
  { database, clock, endMembership }: DeletionDependencies,
  actor: Actor,
  choices: readonly HandOver[],
): Promise<void> {
  const { userId } = actor;
  const deletedAt = timestamp(clock());
  const deletion = await database.write(async (transaction) => {
    await lockOrganizationsOf(transaction, userId);
    await requireAnotherOperator(transaction, userId);
    const account = await lockAccount(transaction, userId);
    // Again, with those that a request in progress has founded or joined meanwhile, which locks the account.
    const organizationIds = await lockOrganizationsOf(transaction, userId);
    await requireOtherOwners(transaction, userId, organizationIds);
    // Handing over may have taken long. Meanwhile, a change of the password may have ended the session, or somebody been added elsewhere.
    await requireWholeAccount(transaction, actor, account);
    const { credential } = actor;
    if (credential.kind === 'session') await getSession(transaction, { ...actor, credential });
    for (const organizationId of organizationIds) {
      const handedTo = choices.find((choice) => choice.organizationId === organizationId)?.to;
      const member = { organizationId, userId, ...(handedTo !== undefined && { handedTo }) };
      await endMembershipOfDeleted(transaction, { clock, endMembership }, actor, member);
    }
    await endSessionsOfUser(transaction, clock, userId);
    await deletePersonalRows(transaction, userId);
    await pseudonymize(transaction, clock, userId, { endMembership });
    const { organizationId, isEmailVerified } = account;
    // A directory can give its accounts any address, so one that nobody confirmed is no reason to change what has it.
    const email = isEmailVerified === 1 ? account.email : null;
    await insertDeletion(transaction, { userId, email, organizationId, deletedAt });
    return { userId, email, organizationId, deletedAt, forgottenAt: null };
  });
  await forgetPerson({ database, clock }, deletion);
}
