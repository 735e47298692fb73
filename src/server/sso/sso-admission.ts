import type { Role } from '#contract/organizations.ts';
import type { User } from '#contract/sessions.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { applyRole, findRoleOf, isLastOwner, lockOrganization } from '../organizations/members.ts';
import { createUser, findAccount, refreshUser, toUser } from '../organizations/users.ts';
import { beginRecordedSession } from '../sessions/recorded-session.ts';
import type { NewSession } from '../sessions/sessions.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import type { Claims } from './identity-provider.ts';
import { resultingRole } from './role-mapping.ts';
import { CallbackRefusal, SignInRefusal } from './sign-in-refusal.ts';
import { deleteAttempt, type SsoAttempt } from './sso-attempt-store.ts';
import { requireUsable, type Callback } from './sso-attempts.ts';
import { findSsoConfiguration, type StoredSsoConfiguration } from './sso-configuration-store.ts';
import { findProvenDomains } from './sso-domains.ts';
import { checkIdentity, readIdentity, type SsoIdentity } from './sso-identity.ts';
import { findIdentityUser, hasIdentity, insertIdentity, type IdentityKey } from './sso-identity-store.ts';
import { recordSuccess } from './sso-outcome-store.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';

/**
 * Lets a person in: everything is looked at again, in the transaction that makes the session. Throws `SignInRefusal`, also
 * when the attempt has been ended since it was taken.
 */
export async function admit(
  transaction: Transaction,
  clock: Clock,
  attempt: SsoAttempt,
  claims: Claims,
  { address, userAgent }: Callback,
): Promise<NewSession> {
  const { organizationId } = attempt;
  await lockOrganization(transaction, organizationId);
  const configuration = requireUsable(await findSsoConfiguration(transaction, organizationId), attempt);
  if (!(await deleteAttempt(transaction, attempt.stateHash))) {
    throw new CallbackRefusal('sign_in_ended', {
      message: 'The sign-in was ended on its way: the browser signed out, or a member was removed.',
      remedy: 'Sign in again.',
    });
  }
  const failed = checkIdentity(
    configuration,
    await findProvenDomains(transaction, organizationId, configuration.emailDomains),
    claims,
  ).find(({ passed }) => !passed);
  const { key, email, ownEmail, name } = readIdentity(configuration, claims);
  if (failed !== undefined || key === undefined || email === undefined) {
    throw new SignInRefusal(`${failed?.code ?? 'identity'}_refused`, {
      message: failed?.message ?? '',
      remedy: failed?.remedy ?? '',
    });
  }
  const user = await findOrCreateUser(transaction, clock, {
    organizationId,
    key,
    email,
    ownEmail,
    name: name ?? email,
    ownerApproved: configuration.ownerApproved,
  });
  const role = await applyRole(transaction, clock, {
    organizationId,
    userId: user.id,
    role: await findRoleToGive(transaction, configuration, user.id, claims),
  });
  const words = `${user.email} signed in as ${role}.`;
  await recordSuccess(transaction, organizationId, timestamp(clock()), words);
  const origin = { method: 'sso', organizationId, address, userAgent } as const;
  return beginRecordedSession(transaction, clock, user, origin, { role });
}

/**
 * Returns the user of an identity. At the first sign-in that is a member's account with the very address that the
 * directory vouches for, if no other identity has it, and else a new account.
 */
async function findOrCreateUser(
  transaction: Transaction,
  clock: Clock,
  input: {
    organizationId: string;
    key: IdentityKey;
    email: string;
    ownEmail: string | undefined;
    name: string;
    ownerApproved: boolean;
  },
): Promise<User> {
  const { organizationId, key, email, name } = input;
  const known = await findIdentityUser(transaction, key);
  if (known !== undefined) {
    await refuseUnapprovedOwner(transaction, organizationId, known, input.ownerApproved);
    return refreshUser(transaction, clock, { id: known, email, name });
  }
  const user =
    (await findLinkableAccount(transaction, input)) ??
    (await createUser(transaction, clock, { email, name, passwordHash: null, organizationId }));
  await insertIdentity(transaction, { ...key, organizationId, userId: user.id, at: timestamp(clock()) });
  return user;
}

/**
 * An admin who can shape what a provider says must not become an owner by it. Throws the `SignInRefusal`
 * `owner_not_approved`.
 */
export async function refuseUnapprovedOwner(
  reader: Reader,
  organizationId: string,
  userId: string,
  ownerApproved: boolean,
): Promise<void> {
  if (ownerApproved || (await findRoleOf(reader, organizationId, userId)) !== 'owner') return;
  throw new SignInRefusal('owner_not_approved', {
    message: 'An admin changed where the configuration points, so owners do not come in through it.',
    remedy: 'Sign in with a password or a recovery code, and save the configuration once as an owner.',
  });
}

/** Returns the user that an identity would sign in, were it admitted; undefined: a new one. */
export async function findKnownUser(
  reader: Reader,
  { organizationId, ownerApproved }: StoredSsoConfiguration,
  { key, email, ownEmail }: Pick<SsoIdentity, 'key' | 'email' | 'ownEmail'>,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const known = await findIdentityUser(reader, key);
  if (known !== undefined || email === undefined) return known;
  return (await findLinkableAccount(reader, { organizationId, key, email, ownEmail, ownerApproved }))?.id;
}

async function findLinkableAccount(
  reader: Reader,
  {
    organizationId,
    key,
    email,
    ownEmail,
    ownerApproved,
  }: {
    organizationId: string;
    key: IdentityKey;
    email: string;
    ownEmail: string | undefined;
    ownerApproved: boolean;
  },
): Promise<User | undefined> {
  if (ownEmail !== email) return undefined;
  const account = await findAccount(reader, email);
  const role = account && (await findRoleOf(reader, organizationId, account.id));
  // An admin could point the configuration at a provider of theirs, which says of anybody to be the owner.
  if (account === undefined || role === undefined || (role === 'owner' && !ownerApproved)) return undefined;
  return (await hasIdentity(reader, key.configurationId, account.id)) ? undefined : toUser(account);
}

/**
 * Returns the role that a sign-in gives to a user, undefined for one who is new. The same for a test as for a sign-in.
 */
export async function findRoleToGive(
  reader: Reader,
  { organizationId, ownerApproved }: StoredSsoConfiguration,
  userId: string | undefined,
  claims: Claims,
): Promise<Role> {
  const policy = await getStoredSsoPolicy(reader, organizationId);
  const present = userId === undefined ? undefined : await findRoleOf(reader, organizationId, userId);
  const isLast = userId !== undefined && (await isLastOwner(reader, organizationId, userId));
  return resultingRole(policy, claims, { present, isLastOwner: isLast, ownerApproved });
}
