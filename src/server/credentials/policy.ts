import type { TokenPolicy } from '#contract/credentials/tokens.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor, SessionActor } from '../base/actor.ts';
import { daysMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { requirePermission, requirePermissionToChange } from '../organizations/authorization.ts';
import type { Database, Reader } from '../storage/database.ts';
import { deleteAccessTokensOfOld, findTokenPolicy, updateTokenPolicy } from './policy-store.ts';

/** Returns the policy of an organization. Throws `forbidden` if it doesn't permit personal tokens. */
export async function requirePersonalTokens(reader: Reader, organizationId: string): Promise<TokenPolicy> {
  const policy = await findTokenPolicy(reader, organizationId);
  if (policy.personalTokens) return policy;
  throw new AtriumError(
    'forbidden',
    'This organization does not permit personal tokens. Ask an admin for a service account.',
  );
}

/** Returns which tokens an organization permits, for its members. */
export async function getTokenPolicy(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<TokenPolicy> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  return findTokenPolicy(reader, organizationId);
}

/** Stores which tokens an organization permits, and ends those that it doesn't. Requires permission to manage members. */
export function putTokenPolicy(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: SessionActor,
  organizationId: string,
  policy: TokenPolicy,
): Promise<TokenPolicy> {
  return database.write(async (transaction) => {
    await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const before = await findTokenPolicy(transaction, organizationId);
    await updateTokenPolicy(transaction, organizationId, policy);
    // An access token ends at most an hour after what it was got by; a policy ends both immediately.
    const createdBefore = timestamp(clock() - daysMs(policy.maxDays));
    await deleteAccessTokensOfOld(transaction, { organizationId, createdBefore });
    const details = { before, after: policy };
    await recordAudit(transaction, clock, { organizationId, action: 'token_policy.saved', actor, details });
    return policy;
  });
}
