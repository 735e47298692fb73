import { recordAudit } from '../../audit/audit.ts';
import { timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { publishEvent } from '../../events/events.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { mayRecordRefusal } from '../../accounts/sign-in-limits.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { CallbackRefusal, SignInRefusal } from '../protocol/sign-in-refusal.ts';
import type { SsoSignInDependencies } from './attempts.ts';
import { findSsoConfigurationById } from '../configuration/store.ts';
import { findOutcomes, isFailing, recordFailure, type SsoFailure } from './outcome-store.ts';
import { isPersonal } from './personal-refusals.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';

/** The failures that are already recorded: many sign-ins can share one from the provider's cache. */
const recorded = new WeakSet<Error>();

/** A refused sign-in, with what is known about it. */
interface RefusedSignIn {
  readonly organizationId: string;
  readonly configurationId: string;
  /** The version of the configuration that it started with. */
  readonly version: number;
  /** The IP address of the client. */
  readonly address: string;
  /** The address in the ID token, once there is one. */
  readonly email?: string | undefined;
  readonly isEmailVerified?: boolean;
}

/**
 * Records a refusal for the organization's administrators, and returns the error to show to the person; returns any other
 * error unchanged. A failure is recorded only once, and the number of records is limited: anyone can start sign-ins, and
 * could fill the audit log.
 */
export async function recordRefusal(
  { database, clock, signInLimits }: SsoSignInDependencies,
  origin: RefusedSignIn,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof SignInRefusal)) return error;
  const { code, remedy } = error;
  const { organizationId, address } = origin;
  signInLimits.onFailure('sso_refused', { code, organizationId, address });
  const message = await withExpiry(database, clock, origin, error);
  const ofDirectory = !(error instanceof CallbackRefusal);
  const failure = rootOf(error);
  // Forgeable refusals have a separate limit, so that they don't hide the directory's. A saved configuration starts a
  // new one.
  const key = `${origin.configurationId} ${origin.version} ${ofDirectory}`;
  if (!recorded.has(failure)) {
    recorded.add(failure);
    if (await mayRecordRefusal(signInLimits, key)) {
      const what = { code, message, remedy, ofEveryone: ofDirectory && !isPersonal(code) };
      await database.write((transaction) => recordNow(transaction, clock, origin, what));
    }
  }
  return new AtriumError('sign_in_refused', `${message} ${remedy}`, { cause: error });
}

/**
 * Records a refusal in the audit log, and in the status if it is about the current configuration and does not replace a
 * failure that affects everyone.
 */
async function recordNow(
  transaction: Transaction,
  clock: Clock,
  { organizationId, configurationId, version, address, email, isEmailVerified = true }: RefusedSignIn,
  failure: SsoFailure,
): Promise<void> {
  await lockOrganization(transaction, organizationId);
  const configuration = await findSsoConfigurationById(transaction, configurationId);
  const isCurrent = configuration?.version === version;
  const wasFailing = isFailing(await findOutcomes(transaction, { id: configurationId }));
  const isHiding = !failure.ofEveryone && wasFailing;
  const { code, message } = failure;
  const at = timestamp(clock());
  if (isCurrent && !isHiding) await recordFailure(transaction, configuration, at, failure);
  if (isCurrent && failure.ofEveryone && !wasFailing) {
    const describe = () => ({ configurationId, code });
    await publishEvent(transaction, { organizationId, type: 'sso.failing', at, describe });
  }
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

/** Adds the stored expiry date to a refusal of the secret, since providers rarely report that it expired. */
async function withExpiry(
  reader: Reader,
  clock: Clock,
  { configurationId }: RefusedSignIn,
  refusal: SignInRefusal,
): Promise<string> {
  const { code, message } = refusal;
  if (refusal instanceof CallbackRefusal) return message;
  const configuration = await findSsoConfigurationById(reader, configurationId);
  if (configuration === undefined || configuration.workloadIdentitySince !== undefined) return message;
  const { secretExpiresAt } = await getStoredSsoPolicy(reader, configuration);
  const isAboutSecret = ['invalid_client', 'AADSTS7000215', 'AADSTS7000222'].includes(code);
  if (!isAboutSecret || secretExpiresAt === undefined || Date.parse(secretExpiresAt) > clock())
    return message;
  return `${message} The secret expired on ${secretExpiresAt}.`;
}
