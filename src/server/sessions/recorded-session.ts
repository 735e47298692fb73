import type { User } from '#contract/accounts/sessions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import { listOrganizationIds } from '../organizations/authorization.ts';
import { listOrganizationIdsOfUser } from '../organizations/members.ts';
import type { Transaction } from '../storage/database.ts';
import { startSession, type NewSession, type SessionOrigin } from './sessions.ts';

/**
 * Starts a session for a user who has just signed in, and records that in the audit log of each organization in its
 * scope, with additional details. The address of a session that opens several is only in the logs of those that it opens, from its
 * first use there. Memberships that result from the sign-in must be stored before.
 * Throws `sign_in_refused` if the account is disabled.
 */
export async function startRecordedSession(
  transaction: Transaction,
  clock: Clock,
  user: User,
  origin: SessionOrigin,
  details: Readonly<Record<string, unknown>> = {},
): Promise<NewSession> {
  const { method, address } = origin;
  // With the sign-in, an organization gets the address only if the person signs in to it: others have no business with where from.
  const ids =
    origin.organizationId === undefined ? await listOrganizationIdsOfUser(transaction, user.id) : [];
  const isElsewhere = ids.length > 1;
  const started = await startSession(transaction, clock, user, {
    ...origin,
    ...(origin.organizationId === undefined &&
      address !== undefined && { knownToOrganizations: isElsewhere ? [] : ids }),
  });
  const { actor } = started;
  for (const organizationId of await listOrganizationIds(transaction, actor)) {
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sign_in.succeeded',
      // The user may not even know of a session that the operator creates.
      ...(method !== 'operator' && { actor }),
      details: {
        method,
        email: user.email,
        ...details,
        ...(address !== undefined && !isElsewhere && { address }),
      },
    });
  }
  return started;
}
