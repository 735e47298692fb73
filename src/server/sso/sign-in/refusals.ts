import { recordAudit } from '../../audit/audit.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { mayRecordRefusal } from '../../accounts/sign-in-limits.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { CallbackRefusal, SignInRefusal } from '../protocol/sign-in-refusal.ts';
import type { SsoSignInNeeds } from './attempts.ts';
import { findSsoConfiguration } from '../configuration/store.ts';
import { findOutcomes, isFailing, recordFailure, type SsoFailure } from './outcome-store.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';

/** The failures that are written down already: one that many sign-ins share is remembered by the provider's cache. */
const writtenDown = new WeakSet<Error>();

/** A sign-in that is refused, with what is known of it. */
interface RefusedSignIn {
  readonly organizationId: string;
  readonly configurationId: string;
  /** Of the configuration that it began with. */
  readonly version: number;
  /** Of the client. */
  readonly address: string;
  /** What the provider asserts, once it has. */
  readonly email?: string | undefined;
  readonly isEmailVerified?: boolean;
}

/**
 * Writes a refusal down for the organization's administrator, and returns what the person is told; any other error as
 * it is. A failure is written down once, and only so many are: anybody can begin sign-ins, and would fill the audit log.
 */
export async function recordRefusal(
  { database, clock, signInLimits }: SsoSignInNeeds,
  origin: RefusedSignIn,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof SignInRefusal)) return error;
  const { code, remedy } = error;
  const message = await withExpiry(database, clock, origin.organizationId, error);
  const ofDirectory = !(error instanceof CallbackRefusal);
  const failure = rootOf(error);
  // What browsers make up leaves room for what the directory says, and a saved configuration begins anew.
  const key = `${origin.configurationId} ${origin.version} ${ofDirectory}`;
  if (!writtenDown.has(failure)) {
    writtenDown.add(failure);
    if (await mayRecordRefusal(signInLimits, key)) {
      const what = { code, message, remedy, ofDirectory };
      await database.write((transaction) => writeDown(transaction, clock, origin, what));
    }
  }
  return new AtriumError('sign_in_refused', `${message} ${remedy}`, { cause: error });
}

/** The status tells only what the configuration that is there now has met, and what a browser says hides no failure. */
async function writeDown(
  transaction: Transaction,
  clock: Clock,
  { organizationId, configurationId, version, address, email, isEmailVerified = true }: RefusedSignIn,
  failure: SsoFailure,
): Promise<void> {
  await lockOrganization(transaction, organizationId);
  const configuration = await findSsoConfiguration(transaction, organizationId);
  const isOfPresent = configuration?.id === configurationId && configuration.version === version;
  const isHiding = !failure.ofDirectory && isFailing(await findOutcomes(transaction, organizationId));
  if (isOfPresent && !isHiding) await recordFailure(transaction, organizationId, timestamp(clock()), failure);
  const { code, message } = failure;
  await recordAudit(transaction, clock, {
    organizationId,
    action: 'sign_in.refused',
    details: {
      code,
      message,
      address,
      ...(email !== undefined && { email, ...(!isEmailVerified && { emailVerified: false }) }),
    },
  });
}

const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

/** A provider that refuses the secret rarely says why; a date that was written down does. */
async function withExpiry(
  reader: Reader,
  clock: Clock,
  organizationId: string,
  refusal: SignInRefusal,
): Promise<string> {
  const { code, message } = refusal;
  if (refusal instanceof CallbackRefusal) return message;
  const { secretExpiresAt } = await getStoredSsoPolicy(reader, organizationId);
  const isAboutSecret = ['invalid_client', 'AADSTS7000215', 'AADSTS7000222'].includes(code);
  if (!isAboutSecret || secretExpiresAt === undefined || Date.parse(secretExpiresAt) > clock())
    return message;
  return `${message} The secret has expired on ${secretExpiresAt}.`;
}
