import type { Role } from '#contract/organizations/organizations.ts';
import type { User } from '#contract/accounts/sessions.ts';
import { recordAudit } from '../../audit/audit.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { setGroupsOfMember } from '../../organizations/groups/groups.ts';
import { applyRole, findRoleOf, isLastOwner } from '../../organizations/members.ts';
import { createUser, lockAccount, refreshUser, toUser, type AccountRow } from '../../organizations/users.ts';
import { startRecordedSession } from '../../sessions/recorded-session.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { awaitPassword, findLinkableAccount, refusalToLink, type PasswordProof } from './account-link.ts';
import type { Claims } from '../protocol/claims.ts';
import type { SignedInPerson } from '../protocol/provider/identity-provider.ts';
import { findKeptAccount, type KeptAccount } from '../migration/matching.ts';
import { storeDirectorySession } from '../logout/logout.ts';
import { storeRefreshToken } from '../revalidation/tokens.ts';
import { storeIdToken } from '../sign-out/id-tokens.ts';
import { readGroups, resultingRole } from '../identity/role-mapping.ts';
import { CallbackRefusal, SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { deleteAttempt, type SsoAttempt } from './attempt-store.ts';
import { requireUsable, signInExpired, type Callback, type SsoSignInDependencies } from './attempts.ts';
import { findSsoConfigurationById, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { checkIdentity, readIdentity, refusalCode, type SsoIdentity } from '../identity/identity.ts';
import {
  findIdentityUser,
  insertIdentity,
  selectRolesOfOthers,
  updateRoleOfIdentity,
  type IdentityKey,
} from '../identity/store.ts';
import { recordSuccess } from './outcome-store.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import { findProvisioned, isDeactivated, listProvisionedGroups } from '../provisioning/people.ts';

/** The result of a sign-in: a session, or the token of the page that asks for the password of the account to link. */
export type Admission = { readonly session: NewSession } | { readonly linkToken: string };

/**
 * Creates the session of a person, re-checking every precondition in the same transaction. At the first sign-in of a
 * person who seems to have an account, this requires `proof` of that account's password. Throws `SignInRefusal`, also
 * if the attempt was ended since it was taken.
 */
export async function admit(
  transaction: Transaction,
  dependencies: Pick<SsoSignInDependencies, 'clock' | 'secretBox'>,
  attempt: SsoAttempt,
  person: SignedInPerson,
  { address, userAgent, proof }: Pick<Callback, 'address' | 'userAgent'> & { proof?: PasswordProof },
): Promise<Admission> {
  const { clock, secretBox } = dependencies;
  const { organizationId } = attempt;
  const { claims, idToken, refreshToken } = person;
  await lockOrganization(transaction, organizationId);
  const configuration = requireUsable(
    await findSsoConfigurationById(transaction, attempt.configurationId),
    attempt,
  );
  if (!(await deleteAttempt(transaction, attempt.stateHash))) {
    throw new CallbackRefusal('sign_in_ended', {
      message: 'The sign-in was cancelled: the browser signed out, or a member was removed.',
      remedy: 'Sign in again.',
    });
  }
  const identity = await requireAdmissible(transaction, configuration, claims);
  const { key, email, name = email, isEmailVerified } = identity;
  const known = await findIdentityUser(transaction, key);
  const former =
    known === undefined ? await findKeptAccount(transaction, configuration, identity) : undefined;
  const provisioned =
    known === undefined && former === undefined
      ? await findProvisioned(transaction, configuration, identity)
      : undefined;
  if (provisioned?.isActive === false) throw deactivated();
  if (provisioned?.userId !== undefined)
    await requireApprovedOwner(transaction, organizationId, provisioned.userId, configuration.ownerApproved);
  const account =
    known === undefined && provisioned?.userId === undefined
      ? await findAccountToLink(transaction, configuration, identity, former)
      : undefined;
  // The proof is for another account than the one to link now, or the account's password has changed since.
  if (proof !== undefined && !(await isStillProven(transaction, proof, account))) throw signInExpired();
  if (account !== undefined && proof === undefined) {
    const refusal = refusalToLink(account);
    if (refusal !== undefined) throw refusal;
    return { linkToken: await awaitPassword(transaction, dependencies, attempt, person, account) };
  }
  let user: User;
  const existing = known ?? account?.id ?? former?.account.id ?? provisioned?.userId;
  if (existing !== undefined && (await isDeactivated(transaction, { organizationId, userId: existing })))
    throw deactivated();
  if (known === undefined) {
    const current = { email, name, isEmailVerified };
    if (account !== undefined) user = toUser(account);
    else if (existing !== undefined)
      user = await refreshUser(transaction, clock, { organizationId, id: existing, ...current });
    else user = await createUser(transaction, clock, { ...current, passwordHash: null, organizationId });
    const at = timestamp(clock());
    const isMoved = former !== undefined;
    await insertIdentity(transaction, { ...key, organizationId, userId: user.id, at, isMoved });
  } else {
    await requireApprovedOwner(transaction, organizationId, known, configuration.ownerApproved);
    user = await refreshUser(transaction, clock, { organizationId, id: known, email, name, isEmailVerified });
  }
  if (account !== undefined || former !== undefined || provisioned?.userId !== undefined) {
    const { issuer, subject } = key;
    await recordAudit(transaction, clock, {
      organizationId,
      action: former === undefined ? 'sso.account.linked' : 'sso.account.moved',
      actor: { userId: user.id },
      details: {
        email: user.email,
        issuer,
        subject,
        address,
        ...(former && { by: former.by }),
        ...(provisioned?.userId !== undefined && { by: 'provisioning' }),
      },
    });
  }
  const role = await applyClaims(transaction, clock, configuration, { key, userId: user.id, claims });
  const message = `${user.email} signed in as ${role}.`;
  await recordSuccess(transaction, configuration, timestamp(clock()), message);
  const confirmedAt = proof === undefined ? readConfirmedAt(claims, clock()) : clock();
  const origin = { method: 'sso', organizationId, address, userAgent, confirmedAt } as const;
  const also = { role, ...(account === undefined && !isEmailVerified && { emailVerified: false }) };
  const session = await startRecordedSession(transaction, clock, user, origin, also);
  await storeIdToken(transaction, secretBox, { organizationId, sessionId: session.session.id, idToken });
  await storeDirectorySession(transaction, configuration, claims, session.session);
  await storeRefreshToken(transaction, dependencies, configuration, session.session, refreshToken);
  return { session };
}

/** Gives a person the role and the groups that the claims of the directory say. Returns the role. */
export async function applyClaims(
  transaction: Transaction,
  clock: Clock,
  configuration: StoredSsoConfiguration,
  { key, userId, claims }: { readonly key: IdentityKey; readonly userId: string; readonly claims: Claims },
): Promise<Role> {
  const { organizationId } = configuration;
  const given = await findRoleToGive(transaction, configuration, userId, claims);
  const role = await applyRole(transaction, clock, { organizationId, userId, role: given.role });
  await updateRoleOfIdentity(transaction, key, given.mapped);
  const groups = readGroups(claims);
  if (groups !== undefined) {
    const all = [...groups, ...(await listProvisionedGroups(transaction, configuration, userId))];
    await setGroupsOfMember(transaction, { organizationId, userId }, all, configuration);
  }
  return role;
}

const deactivated = () =>
  new SignInRefusal('deactivated', {
    message: 'The directory has deactivated this account.',
    remedy: 'Ask an administrator of the directory to assign the application to the account again.',
  });

/**
 * Returns when the person last authenticated at the directory: `auth_time`, which can be long before the sign-in. Uses
 * the provider's clock, since clocks differ. Without the claim, it is now.
 */
export function readConfirmedAt({ auth_time, iat }: Claims, now: number): number {
  if (typeof auth_time !== 'number' || typeof iat !== 'number') return now;
  return now - Math.min(Math.max(0, iat - auth_time) * 1_000, daysMs(1));
}

/** Returns the account whose password is required: one of a former provider that has a password, or that of a member. */
const findAccountToLink = async (
  reader: Reader,
  configuration: StoredSsoConfiguration,
  identity: SsoIdentity,
  former: KeptAccount | undefined,
): Promise<AccountRow | undefined> => {
  if (former === undefined) return findLinkableAccount(reader, configuration, identity);
  return former.needsPassword ? former.account : undefined;
};

/**
 * Takes the account's lock: a password change ends all sessions, and must not miss one that starts at the same time.
 */
const isStillProven = async (
  transaction: Transaction,
  { userId, passwordHash }: PasswordProof,
  account: AccountRow | undefined,
): Promise<boolean> =>
  account?.id === userId && (await lockAccount(transaction, userId)).passwordHash === passwordHash;

/** Returns the identity in the claims. Throws the `SignInRefusal` of the first check that does not pass. */
async function requireAdmissible(
  transaction: Transaction,
  configuration: StoredSsoConfiguration,
  claims: Claims,
): Promise<SsoIdentity & { key: IdentityKey; email: string }> {
  const provenDomains = await findProvenDomains(transaction, configuration);
  const failed = checkIdentity(configuration, provenDomains, claims).find(({ passed }) => !passed);
  const identity = readIdentity(configuration, provenDomains, claims);
  const { key, email } = identity;
  if (failed === undefined && key !== undefined && email !== undefined) return { ...identity, key, email };
  throw new SignInRefusal(failed === undefined ? 'identity_refused' : refusalCode(failed), {
    message: failed?.message ?? '',
    remedy: failed?.remedy ?? '',
  });
}

/**
 * An admin who controls the provider must not be able to sign in as an owner. Throws the `SignInRefusal`
 * `owner_not_approved`.
 */
export async function requireApprovedOwner(
  reader: Reader,
  organizationId: string,
  userId: string,
  ownerApproved: boolean,
): Promise<void> {
  if (ownerApproved || (await findRoleOf(reader, organizationId, userId)) !== 'owner') return;
  throw new SignInRefusal('owner_not_approved', {
    message: 'An admin changed the identity provider, so owners can’t sign in through it yet.',
    remedy: 'Sign in as an owner with a password or a recovery code, then save the configuration.',
  });
}

/**
 * Returns the role that a sign-in or a test gives to a user, and the one that the mappings give by themselves; `userId` is undefined
 * for a new one. A role that the mappings of another directory of the organization gave is not reduced.
 */
export async function findRoleToGive(
  reader: Reader,
  configuration: StoredSsoConfiguration,
  userId: string | undefined,
  claims: Claims,
): Promise<{ role: Role; mapped: Role | undefined }> {
  const { organizationId, id: configurationId, ownerApproved } = configuration;
  const policy = await getStoredSsoPolicy(reader, configuration);
  const current = userId === undefined ? undefined : await findRoleOf(reader, organizationId, userId);
  const isLast = userId !== undefined && (await isLastOwner(reader, organizationId, userId));
  const others =
    userId === undefined
      ? []
      : await selectRolesOfOthers(reader, { organizationId, configurationId, userIds: [userId] });
  const provisioned = userId === undefined ? [] : await listProvisionedGroups(reader, configuration, userId);
  const membership = { current, isLastOwner: isLast, ownerApproved, provisioned };
  return resultingRole(policy, claims, { ...membership, ofOthers: others.map(toRoleOfOther) });
}

/** Sound because `sso_identities.role` only ever holds a role of the contract. */
const toRoleOfOther = ({ role, ownerApproved }: { role: string | null; ownerApproved: number }): Role =>
  role === 'owner' && ownerApproved === 0 ? 'admin' : (role as Role);
