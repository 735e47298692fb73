import { recordAudit } from '../audit/audit.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { listOrganizationIdsOfUser } from '../organizations/members.ts';
import { lockAccount, setDisabledAt } from '../organizations/users.ts';
import { endSessionsOfUser } from '../sessions/sessions.ts';
import type { Database } from '../storage/database.ts';

/**
 * Disables an account, for the operator: its sessions end, and it can't sign in again in any way. What belongs to it
 * stays. Returns the number of ended sessions, or undefined if it already is disabled.
 */
export function disableAccount(database: Database, clock: Clock, id: string): Promise<number | undefined> {
  return database.write(async (transaction) => {
    const { email, disabledAt } = await lockAccount(transaction, id);
    if (disabledAt !== null) return undefined;
    await setDisabledAt(transaction, id, timestamp(clock()));
    const endedSessions = await endSessionsOfUser(transaction, clock, id);
    for (const organizationId of await listOrganizationIdsOfUser(transaction, id)) {
      const details = { userId: id, email, endedSessions };
      await recordAudit(transaction, clock, { organizationId, action: 'account.disabled', details });
    }
    return endedSessions;
  });
}

/** Lets a disabled account sign in again, for the operator. Returns false if it isn't disabled. */
export function enableAccount(database: Database, clock: Clock, id: string): Promise<boolean> {
  return database.write(async (transaction) => {
    const { email, disabledAt } = await lockAccount(transaction, id);
    if (disabledAt === null) return false;
    await setDisabledAt(transaction, id, null);
    for (const organizationId of await listOrganizationIdsOfUser(transaction, id)) {
      const details = { userId: id, email };
      await recordAudit(transaction, clock, { organizationId, action: 'account.enabled', details });
    }
    return true;
  });
}
