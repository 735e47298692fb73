import type { User } from '#contract/accounts/sessions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import { listOrganizationIds } from '../organizations/members.ts';
import type { Transaction } from '../storage/database.ts';
import { beginSession, type NewSession, type SessionOrigin } from './sessions.ts';

/**
 * Begins a session for who has just signed in, and writes that into the log of each organization that it opens; `also` is
 * what else there is to tell. Memberships that the sign-in gives have to be there before.
 */
export async function beginRecordedSession(
  transaction: Transaction,
  clock: Clock,
  user: User,
  origin: SessionOrigin,
  also: Readonly<Record<string, unknown>> = {},
): Promise<NewSession> {
  const begun = await beginSession(transaction, clock, user, origin);
  const { method, organizationId: onlyOrganizationId, address } = origin;
  const actor = { userId: user.id, sessionId: begun.session.id, onlyOrganizationId };
  for (const organizationId of await listOrganizationIds(transaction, actor)) {
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sign_in.succeeded',
      // Of a session that the operator makes the person may not even know.
      ...(method !== 'operator' && { actor }),
      details: { method, email: user.email, ...also, ...(address !== undefined && { address }) },
    });
  }
  return begun;
}
