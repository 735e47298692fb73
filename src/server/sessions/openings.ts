import { recordAudit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../storage/database.ts';
import { addOpenedOrganization, type SessionOwner } from './store.ts';

/** What is being recorded; each once is enough. */
const recording = new Set<string>();

/**
 * Records in the audit log of an organization from which address a session was signed in that opens it for the first time. Nothing waits
 * for it, and it never fails: the next request tries again.
 */
export function recordOpening(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { id, userId, method, openedOrganizations }: SessionOwner,
  organizationId: string,
): void {
  if (openedOrganizations === null || openedOrganizations.includes(organizationId)) return;
  const key = `${id} ${organizationId}`;
  if (recording.has(key)) return;
  recording.add(key);
  database
    .write(async (transaction) => {
      const address = await addOpenedOrganization(transaction, { id, organizationId });
      // Another request, or another replica, was first.
      if (address === undefined) return;
      const actor = { userId, credential: { kind: 'session', id, method, confirmedAt: undefined } } as const;
      const details = { method, address };
      await recordAudit(transaction, clock, { organizationId, action: 'sign_in.opened', actor, details });
    })
    .catch(() => undefined)
    .finally(() => recording.delete(key));
}
