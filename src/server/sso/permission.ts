import type { Role } from '#contract/organizations/organizations.ts';
import type { Action } from '#shared/permissions.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import {
  requireConfirmationOfSsoChange,
  requirePermission,
  requirePermissionToChange,
} from '../organizations/authorization.ts';
import type { Reader, Transaction } from '../storage/database.ts';

type SsoAction = Extract<Action, `sso.${string}`>;

/**
 * Like `requirePermissionToChange`, for a change of single sign-on. Also throws `confirmation_required` if the organization requires a
 * recent confirmation of identity for such changes.
 */
export async function requirePermissionToChangeSso(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  organizationId: string,
  action: SsoAction = 'sso.manage',
): Promise<Role> {
  const role = await requirePermissionToChange(transaction, actor, organizationId, action);
  await requireConfirmationOfSsoChange(transaction, clock, actor, organizationId);
  return role;
}

/** Like `requirePermissionToChangeSso`, for work before the transaction, which checks again. */
export async function requireMayChangeSso(
  reader: Reader,
  clock: Clock,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  await requirePermission(reader, actor, organizationId, 'sso.manage');
  await requireConfirmationOfSsoChange(reader, clock, actor, organizationId);
}
