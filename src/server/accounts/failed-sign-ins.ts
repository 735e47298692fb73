import { recordAudit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import { listOrganizationIdsOfUser } from '../organizations/members.ts';
import type { Database } from '../storage/database.ts';
import { mayRecordFailure, type SignInLimits } from './sign-in-limits.ts';

/** Runs work once the response is being sent, so that its duration can't be observed. */
export type Later = (work: () => Promise<void>) => void;

/** The message in the audit log for what a passkey signed. */
export const wrongPasskeyMessage = 'What the passkey signed is not valid, or was already used.';

/** A failed sign-in for an existing account or organization. */
export interface FailedSignIn {
  readonly code:
    | 'wrong_password'
    | 'wrong_recovery_code'
    | 'wrong_second_factor'
    | 'wrong_passkey'
    | 'sso_required';
  readonly message: string;
  readonly address: string;
  /** The account that someone tried to sign in to. */
  readonly account?: { readonly id: string; readonly email: string } | undefined;
  /** The organization of the recovery code that was tried. */
  readonly organizationId?: string | undefined;
}

/**
 * Records a failed sign-in in the audit log of each organization that it concerns. Only a few per account are recorded
 * in 15 minutes, since anyone can cause them. What was entered is never recorded.
 */
export async function recordFailedSignIn(
  database: Database,
  clock: Clock,
  limits: SignInLimits,
  { code, message, address, account, organizationId }: FailedSignIn,
): Promise<void> {
  limits.onFailure(code, { address, userId: account?.id, organizationId });
  const key = account?.id ?? organizationId;
  if (key === undefined || !(await mayRecordFailure(limits, key))) return;
  await database.write(async (transaction) => {
    const members = account === undefined ? [] : await listOrganizationIdsOfUser(transaction, account.id);
    // Other organizations don't get the email address, which would reveal that the account exists.
    const codeOf = organizationId === undefined || members.includes(organizationId) ? [] : [organizationId];
    for (const id of [...members, ...codeOf]) {
      const email = members.includes(id) ? account?.email : undefined;
      // Nobody opened anything, so of several organizations, none learns from where somebody tried; the operator's log has it.
      const isOnlyOne = members.length <= 1 || id === organizationId;
      await recordAudit(transaction, clock, {
        organizationId: id,
        action: 'sign_in.refused',
        details: { code, message, ...(isOnlyOne && { address }), ...(email !== undefined && { email }) },
      });
    }
  });
}
