import type { ConnectionPolicy } from '#contract/sso/connections.ts';
import type { SsoPolicy } from '#contract/sso/policy.ts';
import { CommandFailure } from '../../../failure.ts';
import { describeDifferences } from '../../secrets.ts';

/** The policy of the first directory has more than that of others. */
type Policy = ConnectionPolicy & Partial<Pick<SsoPolicy, 'requireSso'>>;

/** Returns a sentence for each difference. What a file says nothing about stays as it is. */
export const comparePolicies = (stored: Policy, wanted: Policy): string[] =>
  describeDifferences(comparable(stored, wanted), comparable(wanted, stored));

function comparable(
  { secretExpiresAt, revalidateMinutes, ...rest }: Policy,
  other: Policy,
): Record<string, unknown> {
  const isCompared = revalidateMinutes !== undefined && other.revalidateMinutes !== undefined;
  const policy = { ...rest, ...(isCompared && { revalidateMinutes }) };
  if (secretExpiresAt === undefined) return policy;
  return { ...policy, secretExpiresAt: new Date(secretExpiresAt).toISOString() };
}

/** Throws a `CommandFailure` if others have changed a policy since the plan. */
export function requireUnchangedPolicy(stored: Policy, now: Policy, of = ''): void {
  if (comparePolicies(stored, now).length > 0)
    throw new CommandFailure(
      `Others have changed the sign-in policy${of} since the plan. Look at their change, and push again.`,
    );
}

/** Returns what of a policy a token can't change, since it can't confirm the identity of a person. */
export function findRefused(policy: Policy, stored: Policy | undefined): string[] {
  const ownersOf = (mappings: Policy['roleMappings'] = []) =>
    JSON.stringify(mappings.filter(({ role }) => role === 'owner'));
  const hint = 'only an owner can change this, after confirming their identity in the browser';
  return [
    ...(policy.requireSso === stored?.requireSso ? [] : [`requireSso: ${hint}`]),
    ...(ownersOf(policy.roleMappings) === ownersOf(stored?.roleMappings)
      ? []
      : [`roleMappings to the role owner: ${hint}`]),
  ];
}
