import type { AuthenticationPolicy } from '#contract/organizations/authentication-policy.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import type { Clock } from '../../base/clock.ts';
import { requireConfirmation } from '../../base/credentials/confirmation.ts';
import { AtriumError } from '../../base/errors.ts';
import {
  lockOrganization,
  requirePermission,
  requirePermissionToChange,
} from '../../organizations/authorization.ts';
import { isOrganization } from '../../organizations/organizations.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { findAuthenticationPolicy, selectPoliciesOfUser, upsertAuthenticationPolicy } from './store.ts';

/** Returns what an organization requires of sign-ins, for its members. */
export async function getAuthenticationPolicy(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<AuthenticationPolicy> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  return findAuthenticationPolicy(reader, organizationId);
}

/**
 * Stores what an organization requires of sign-ins. Owners only. Throws `confirmation_required`, and `second_factor_missing` if the
 * actor doesn't have what the policy requires, so that nobody locks themselves out.
 */
export function putAuthenticationPolicy(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  organizationId: string,
  policy: AuthenticationPolicy,
): Promise<AuthenticationPolicy> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'authentication.require');
    requireConfirmation(actor, clock);
    const before = await findAuthenticationPolicy(transaction, organizationId);
    await upsertAuthenticationPolicy(transaction, organizationId, policy);
    await requireOwnSecondFactor(transaction, actor, organizationId);
    transaction.announce(organizationId);
    const details = { before, after: policy };
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'authentication_policy.saved',
      actor,
      details,
    });
    return policy;
  });
}

async function requireOwnSecondFactor(
  transaction: Transaction,
  { userId, satisfiesSso }: Actor,
  organizationId: string,
): Promise<void> {
  if (satisfiesSso) return;
  const policies = await selectPoliciesOfUser(transaction, userId);
  const own = policies.find((policy) => policy.organizationId === organizationId);
  if (own?.lacksSecondFactor !== true) return;
  throw new AtriumError(
    'second_factor_missing',
    'Your account has no second factor, so you would lock yourself out. Set one up in your account, then try again.',
  );
}

/**
 * Ends what an organization requires of sign-ins, for people who are locked out or can't confirm their identity. Returns whether it
 * required anything, or undefined if the organization does not exist.
 */
export function liftSecondFactor(
  database: Database,
  clock: Clock,
  organizationId: string,
): Promise<boolean | undefined> {
  return database.write(async (transaction) => {
    if (!(await isOrganization(transaction, organizationId))) return undefined;
    await lockOrganization(transaction, organizationId);
    const before = await findAuthenticationPolicy(transaction, organizationId);
    if (before.secondFactor === 'off' && !before.confirmSsoChanges) return false;
    const after = { secondFactor: 'off', confirmSsoChanges: false } as const;
    await upsertAuthenticationPolicy(transaction, organizationId, after);
    const details = { before, after };
    await recordAudit(transaction, clock, { organizationId, action: 'authentication_policy.saved', details });
    return true;
  });
}
