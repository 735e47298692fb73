import { may, rolesWith, type Action, type Role } from '#shared/permissions.ts';
import { isInScope, type Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { hasConfirmed, requireConfirmation } from '../base/credentials/confirmation.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { findMembership, selectMemberships } from './member-store.ts';
import { lockOrganizationRow, requiresConfirmedSsoChanges } from './store.ts';

/**
 * Returns the actor's role in an organization. Throws `not_found` if the actor is not a member or the organization
 * does not exist, `address_not_allowed`, `session_limit_exceeded`, `sso_required`, `second_factor_missing`, and `forbidden` if the role does not permit the action.
 */
export async function requirePermission(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  action: Action,
): Promise<Role> {
  const membership = isInScope(actor, organizationId)
    ? await findMembership(reader, organizationId, actor.userId)
    : undefined;
  const { role } = requireOpen(actor, membership, organizationId);
  requireAllowed(role, action);
  return role;
}

/**
 * Returns why the actor may not use a record that the user may see, in an organization or (undefined) a personal one:
 * it was not found, it is not in the actor's scope, the organization can't be used from the actor's address or in a session beyond its
 * limits, or it requires SSO or a second factor. If the directory vouches for the person, it also decides about second factors.
 */
export function findRefusal(
  actor: Actor,
  found: { readonly requireSso: boolean; readonly lacksSecondFactor?: boolean } | undefined,
  organizationId: string | undefined,
):
  | 'not_found'
  | 'address_not_allowed'
  | 'session_limit_exceeded'
  | 'sso_required'
  | 'second_factor_missing'
  | undefined {
  if (found === undefined || !isInScope(actor, organizationId)) return 'not_found';
  if (organizationId !== undefined && actor.closedOrganizationIds?.includes(organizationId))
    return 'address_not_allowed';
  if (organizationId !== undefined && actor.exceededOrganizationIds?.includes(organizationId))
    return 'session_limit_exceeded';
  if (actor.satisfiesSso) return undefined;
  if (found.requireSso) return 'sso_required';
  const isMissing = organizationId !== undefined && actor.secondFactorMissingIn?.includes(organizationId);
  return found.lacksSecondFactor === true || isMissing === true ? 'second_factor_missing' : undefined;
}

/** Returns a record that the user may see. Throws why the actor may not use it, which `findRefusal` returns. */
export function requireOpen<Found extends { readonly requireSso: boolean }>(
  actor: Actor,
  found: Found | undefined,
  organizationId: string | undefined,
): Found {
  const refusal = findRefusal(actor, found, organizationId);
  if (refusal === 'sso_required') {
    throw new AtriumError('sso_required', 'This organization requires you to sign in through its directory.');
  }
  if (refusal === 'second_factor_missing') {
    throw new AtriumError(
      'second_factor_missing',
      'The organization requires a second factor of members who sign in with a password. Set one up in your account, then try again.',
    );
  }
  if (refusal === 'address_not_allowed') {
    throw new AtriumError(
      'address_not_allowed',
      'The organization allows only certain networks, and your address isn’t in one of them. Connect from one of them, or ask an admin.',
    );
  }
  if (refusal === 'session_limit_exceeded') {
    throw new AtriumError(
      'session_limit_exceeded',
      'This session is too old for the organization, wasn’t used for too long, or you have newer ones and the organization limits their number. Sign out and sign in again to open it.',
    );
  }
  if (refusal !== undefined || found === undefined) throw notFound();
  if (organizationId !== undefined) actor.onOpened?.(organizationId);
  return found;
}

/** Throws `forbidden` unless a role permits an action. */
export function requireAllowed(role: Role, action: Action): void {
  if (may(role, action)) return;
  throw new AtriumError('forbidden', `Requires ${rolesWith(action)}; yours is ${role}.`);
}

/**
 * Like `requirePermission`, in a transaction that depends on the state of the organization (its owners, invitations or
 * configuration): other such transactions wait until this one ends. The role is checked before the lock as well, so
 * that people who are not members can't take the lock, or learn from the wait that the organization exists.
 */
export async function requirePermissionToChange(
  transaction: Transaction,
  actor: Actor,
  organizationId: string,
  action: Action,
): Promise<Role> {
  await requirePermission(transaction, actor, organizationId, action);
  await lockOrganization(transaction, organizationId);
  return requirePermission(transaction, actor, organizationId, action);
}

/** Throws `confirmation_required` if the organization requires a recent confirmation for changes of single sign-on, and there is none. */
export async function requireConfirmationOfSsoChange(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  if (hasConfirmed(actor, clock)) return;
  if (await requiresConfirmedSsoChanges(reader, organizationId)) requireConfirmation(actor, clock);
}

/** Makes other transactions that lock the organization wait for this one, without checking an actor. */
export async function lockOrganization(transaction: Transaction, organizationId: string): Promise<void> {
  await lockOrganizationRow(transaction, organizationId);
}

/** Returns the ids of the organizations that the actor may use. */
export async function listOrganizationIds(reader: Reader, actor: Actor): Promise<string[]> {
  const memberships = await selectMemberships(reader, actor.userId);
  return memberships
    .filter((membership) => findRefusal(actor, membership, membership.organizationId) === undefined)
    .map(({ organizationId }) => organizationId);
}
