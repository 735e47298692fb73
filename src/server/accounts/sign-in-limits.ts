import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { normalizeEmail } from '../base/texts/email-address.ts';
import { consume, networkOf, siteOf, tooManyAttempts } from '../base/rate-limit.ts';
import { hashToken } from '../base/credentials/tokens.ts';
import type { AttemptCounts } from './attempt-counts.ts';

/** The limits of sign-ins. All processes of the database count failures together; the others, each counts separately. */
export interface SignInLimits {
  /** Failed sign-ins by account, by address, and by both. */
  readonly failedAttempts: AttemptCounts;
  /** Sign-ins started through a directory, whether or not they succeed. */
  readonly starts: RateLimiterMemory;
  /** Failed exchanges of a code at a provider, by organization. */
  readonly exchanges: RateLimiterMemory;
  /** The same by organization and site, so that each site has a separate limit. */
  readonly exchangesBySite: RateLimiterMemory;
  /** Refusals in the audit log, by configuration. */
  readonly refusals: RateLimiterMemory;
  /** Failed sign-ins in the audit log, by account. */
  readonly failures: RateLimiterMemory;
  /** Test sign-ins, by organization. */
  readonly tests: RateLimiterMemory;
  /** Requests for links to reset a password, by the email address entered, with or without an account. */
  readonly resetsByAccount: RateLimiterMemory;
  readonly resetsByAddress: RateLimiterMemory;
  /** Attempts to choose a password with such a link. */
  readonly resetTokens: RateLimiterMemory;
  /** Called with the address of a client when a limit for that address refuses it. */
  readonly onAddressLimit: (client: LimitedClient) => void;
  /** Called for each failed sign-in. */
  readonly onFailure: (reason: FailedSignInReason, origin: FailedSignInOrigin) => void;
}

/** What is known about a failed sign-in. */
export interface FailedSignInOrigin {
  readonly address: string;
  /** Why the identity provider, or the rules for it, refused it. */
  readonly code?: string | undefined;
  /** The account, if it exists. */
  readonly userId?: string | undefined;
  readonly organizationId?: string | undefined;
}

export type FailedSignInReason =
  | 'wrong_password'
  | 'wrong_recovery_code'
  | 'wrong_second_factor'
  | 'wrong_passkey'
  | 'sso_required'
  /** The organization's identity provider, or its rules, refused it. */
  | 'sso_refused'
  | 'too_many_attempts';

/**
 * The allowed failures in 15 minutes: ten per account and address; a hundred per account, so that a few guesses from
 * elsewhere lock nobody out; and a hundred per address, which a whole office can share. Three in a million codes of an
 * authenticator app are valid at a time, so an account allows few from anywhere: someone who knows the password guesses one with
 * a probability of 0.3% a day.
 */
const maxFailures = { both: 10, account: 100, address: 100, appCodes: 10 };

export const createSignInLimits = (
  failedAttempts: AttemptCounts,
  onAddressLimit: SignInLimits['onAddressLimit'] = () => {},
  onFailure: SignInLimits['onFailure'] = () => {},
): SignInLimits => ({
  failedAttempts,
  onAddressLimit,
  onFailure,
  starts: new RateLimiterMemory({ keyPrefix: 'start', points: 1_000, duration: 900 }),
  exchanges: new RateLimiterMemory({ keyPrefix: 'exchange', points: 600, duration: 60 }),
  exchangesBySite: new RateLimiterMemory({ keyPrefix: 'site', points: 60, duration: 900 }),
  refusals: new RateLimiterMemory({ keyPrefix: 'refusal', points: 30, duration: 60 }),
  failures: new RateLimiterMemory({ keyPrefix: 'failure', points: 5, duration: 900 }),
  tests: new RateLimiterMemory({ keyPrefix: 'test', points: 60, duration: 900 }),
  // Few, so that nobody can fill another person's mailbox, or keep replacing their links.
  resetsByAccount: new RateLimiterMemory({ keyPrefix: 'reset', points: 10, duration: 3_600 }),
  resetsByAddress: new RateLimiterMemory({ keyPrefix: 'resets', points: 50, duration: 900 }),
  resetTokens: new RateLimiterMemory({ keyPrefix: 'token', points: 50, duration: 900 }),
});

/** The client of a limited request. */
export interface LimitedClient {
  readonly address: string;
  /** Whether a proxy that isn't trusted forwarded the request, by its headers. */
  readonly isForwarded?: boolean | undefined;
}

/** The account and the client of an attempt. */
interface Attempt extends LimitedClient {
  readonly email: string;
}

/**
 * Runs an attempt to sign in unless there were too many failures for the account or from the address. A success does
 * not count, and resets the failures of the account. Throws `too_many_attempts` and the errors of `attempt`.
 */
export const limitAttempts = <Result>(
  limits: SignInLimits,
  client: Attempt,
  attempt: () => Promise<Result>,
): Promise<Result> => limitFailures(limits, client, attempt, { byAccount: true });

/**
 * The same for codes, which can't be guessed from any number of addresses. They have no limit per account, so that
 * nobody can block an owner's last way to sign in from elsewhere.
 */
export const limitCodes = <Result>(
  limits: SignInLimits,
  client: Attempt,
  attempt: () => Promise<Result>,
): Promise<Result> => limitFailures(limits, client, attempt, { byAccount: false });

/** The same for codes from an authenticator app, which have a limit per account, since they are short. */
export const limitAppCodes = <Result>(
  limits: SignInLimits,
  { userId, ...client }: Attempt & { readonly userId: string },
  attempt: () => Promise<Result>,
): Promise<Result> =>
  limitCodes(limits, client, async () => {
    const { failedAttempts } = limits;
    const ofAccount = { key: `app ${userId}`, limit: maxFailures.appCodes };
    const reached = await failedAttempts.add([ofAccount]);
    if (reached !== undefined) {
      limits.onFailure('too_many_attempts', { address: client.address });
      throw tooManyAttempts({ ...reached, windowMs: failedAttempts.windowMs });
    }
    const result = await attempt();
    await failedAttempts.subtract([ofAccount], ofAccount);
    return result;
  });

async function limitFailures<Result>(
  limits: SignInLimits,
  { email, ...client }: Attempt,
  attempt: () => Promise<Result>,
  { byAccount }: { readonly byAccount: boolean },
): Promise<Result> {
  const { failedAttempts } = limits;
  const account = keyOfAccount(email);
  const network = networkOf(client.address);
  const byAddress = { key: `address ${network}`, limit: maxFailures.address };
  const both = { key: `both ${account} ${network}`, limit: maxFailures.both };
  const shared = [
    byAddress,
    ...(byAccount ? [{ key: `account ${account}`, limit: maxFailures.account }] : []),
  ];
  // Counted before the attempt, so that attempts at the same time can't exceed a limit.
  const reached = await failedAttempts.add([...shared, both]);
  if (reached !== undefined) {
    limits.onFailure('too_many_attempts', { address: client.address });
    if (reached.key === byAddress.key) limits.onAddressLimit(client);
    throw tooManyAttempts({ ...reached, windowMs: failedAttempts.windowMs });
  }
  const result = await attempt();
  await failedAttempts.subtract(shared, both);
  return result;
}

/** Returns a hash, so that keys are short whatever people enter. */
const keyOfAccount = (email: string): string => hashToken(normalizeEmail(email) ?? email);

async function consumeByAddress(
  { onAddressLimit }: SignInLimits,
  limiter: RateLimiterMemory,
  client: LimitedClient,
): Promise<void> {
  try {
    await consume(limiter, networkOf(client.address));
  } catch (error) {
    onAddressLimit(client);
    throw error;
  }
}

/**
 * Throws `too_many_attempts` if an address starts more sign-ins than a large office would: each one is stored for a
 * while.
 */
export const limitStarts = (limits: SignInLimits, client: LimitedClient): Promise<void> =>
  consumeByAddress(limits, limits.starts, client);

/** Throws `too_many_attempts` if many links were requested for an account, or from an address. Every request counts. */
export async function limitResets(limits: SignInLimits, { email, ...client }: Attempt): Promise<void> {
  await consumeByAddress(limits, limits.resetsByAddress, client);
  await consume(limits.resetsByAccount, keyOfAccount(email));
}

/** Throws `too_many_attempts` if many links were used, or tried, from an address. */
export const limitResetTokens = (limits: SignInLimits, client: LimitedClient): Promise<void> =>
  consumeByAddress(limits, limits.resetTokens, client);

/**
 * Exchanges a code unless many exchanges for the organization failed within the minute, so that nobody can make this
 * server send request after request to a provider. That does not block others: people from a site without failures can
 * still sign in, and a success does not count. Throws `too_many_attempts` and the errors of `exchange`.
 */
export async function limitExchanges<Result>(
  { exchanges, exchangesBySite }: Pick<SignInLimits, 'exchanges' | 'exchangesBySite'>,
  { organizationId, address }: { organizationId: string; address: string },
  exchange: () => Promise<Result>,
): Promise<Result> {
  const siteKey = `${organizationId} ${siteOf(address)}`;
  if (!(await isWithinLimit(exchangesBySite, siteKey))) await consume(exchanges, organizationId);
  else await exchanges.penalty(organizationId);
  const result = await exchange();
  await exchangesBySite.reward(siteKey);
  await exchanges.reward(organizationId);
  return result;
}

/**
 * Throws `too_many_attempts` if an organization starts more test sign-ins than people would: each one is stored for a
 * day.
 */
export const limitTests = ({ tests }: SignInLimits, organizationId: string): Promise<void> =>
  consume(tests, organizationId, 'test sign-ins');

/**
 * Whether one more refusal may be recorded under a key. Anyone can cause refusals, and must not be able to fill the
 * audit log.
 */
export const mayRecordRefusal = ({ refusals }: SignInLimits, key: string): Promise<boolean> =>
  isWithinLimit(refusals, key);

/** Whether one more failed sign-in of an account may be recorded. */
export const mayRecordFailure = ({ failures }: SignInLimits, key: string): Promise<boolean> =>
  isWithinLimit(failures, key);

async function isWithinLimit(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit;
    return false;
  }
}
