import { recordAudit } from '../audit/audit.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import type { Reader } from '../storage/database.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import type { SsoSignInNeeds } from './sso-attempts.ts';
import type { StoredSsoConfiguration } from './sso-configuration-store.ts';
import { recordFailure } from './sso-outcome-store.ts';
import { getStoredSsoPolicy } from './sso-policy-store.ts';

/** The failures that are written down already: one that many sign-ins share is remembered by the provider's cache. */
const writtenDown = new WeakSet<Error>();

/**
 * Writes a refusal down for the organization's administrator, and returns what the person is told; any other error as it is. A failure is written
 * down once: anybody can begin sign-ins, and would fill the audit log of an organization whose provider is down.
 */
export async function recordRefusal(
  { database, clock }: SsoSignInNeeds,
  { organizationId }: StoredSsoConfiguration,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof SignInRefusal)) return error;
  const { code, remedy } = error;
  const message = await withExpiry(database, clock, organizationId, error);
  const failure = rootOf(error);
  if (!writtenDown.has(failure)) {
    writtenDown.add(failure);
    await database.write(async (transaction) => {
      await recordFailure(transaction, organizationId, timestamp(clock()), { code, message, remedy });
      await recordAudit(transaction, clock, {
        organizationId,
        action: 'sign_in.refused',
        details: { code, message },
      });
    });
  }
  return new AtriumError('sign_in_refused', `${message} ${remedy}`, { cause: error });
}

const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** A provider that refuses the secret rarely says why; a date that was written down does. */
async function withExpiry(
  reader: Reader,
  clock: Clock,
  organizationId: string,
  { code, message }: SignInRefusal,
): Promise<string> {
  const { secretExpiresAt } = await getStoredSsoPolicy(reader, organizationId);
  const isAboutSecret = ['invalid_client', 'AADSTS7000215', 'AADSTS7000222'].includes(code);
  if (!isAboutSecret || secretExpiresAt === undefined || Date.parse(secretExpiresAt) > clock())
    return message;
  return `${message} The secret has expired on ${secretExpiresAt}.`;
}
