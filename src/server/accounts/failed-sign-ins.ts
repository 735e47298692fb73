import { recordAudit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import { listOrganizationIdsOfUser } from '../organizations/members.ts';
import type { Database } from '../storage/database.ts';
import { mayRecordFailure, type SignInLimits } from './sign-in-limits.ts';

/** Runs work once the answer is on its way: the time of the answer must tell nothing of it. */
export type Later = (work: () => Promise<void>) => void;

/** A sign-in that failed, as far as it concerns an account or an organization that there is. */
export interface FailedSignIn {
  readonly code: 'wrong_password' | 'wrong_recovery_code' | 'sso_required';
  readonly message: string;
  readonly address: string;
  /** Whose sign-in it would have been. */
  readonly account?: { readonly id: string; readonly email: string } | undefined;
  /** Whose recovery code was tried. */
  readonly organizationId?: string | undefined;
}

/**
 * Writes a failed sign-in into the log of each organization that it concerns; a few of an account in a quarter of an
 * hour, since anybody can make them. Of what was typed nothing is written down.
 */
export async function recordFailedSignIn(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { code, message, address, account, organizationId }: FailedSignIn,
): Promise<void> {
  const key = account?.id ?? organizationId;
  if (key === undefined || !(await mayRecordFailure(limits, key))) return;
  await database.write(async (transaction) => {
    const members = account === undefined ? [] : await listOrganizationIdsOfUser(transaction, account.id);
    // Elsewhere the address stays out: it would tell that there is such an account.
    const codeOf = organizationId === undefined || members.includes(organizationId) ? [] : [organizationId];
    for (const id of [...members, ...codeOf]) {
      const email = members.includes(id) ? account?.email : undefined;
      await recordAudit(transaction, clock, {
        organizationId: id,
        action: 'sign_in.refused',
        details: { code, message, address, ...(email !== undefined && { email }) },
      });
    }
  });
}
