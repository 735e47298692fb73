import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { normalizeEmail } from '../base/email-address.ts';
import { consume } from '../base/rate-limit.ts';
import { hashToken } from '../base/tokens.ts';

/** Counts in this process: each of several replicas counts for itself. The first three count failed sign-ins. */
export interface SignInLimits {
  readonly byAccountAndAddress: RateLimiterMemory;
  readonly byAccount: RateLimiterMemory;
  readonly byAddress: RateLimiterMemory;
  /** Sign-ins begun through a directory, whatever becomes of them. */
  readonly starts: RateLimiterMemory;
  /** Codes that a provider was asked about in vain, by organization. */
  readonly exchanges: RateLimiterMemory;
  /** The same by organization and site, each of which may have so many whatever others do. */
  readonly exchangesOfSite: RateLimiterMemory;
  /** Refusals written down, by configuration. */
  readonly refusals: RateLimiterMemory;
  /** Failed sign-ins written down, by account. */
  readonly failures: RateLimiterMemory;
  /** Test sign-ins, by organization. */
  readonly tests: RateLimiterMemory;
  /** Requests for links to reset a password, by the email address entered, with or without an account. */
  readonly resetsOfAccount: RateLimiterMemory;
  readonly resetsByAddress: RateLimiterMemory;
  /** Attempts to choose a password with such a link. */
  readonly resetTokens: RateLimiterMemory;
  /** Called with the address of a client when a limit for that address refuses it. */
  readonly onAddressLimit: (client: LimitedClient) => void;
}

/**
 * Ten wrong passwords for an account from one address; a hundred for an account in all, so that few guesses from
 * elsewhere lock nobody out; a hundred from an address, which a whole office may share.
 */
export const createSignInLimits = (
  onAddressLimit: SignInLimits['onAddressLimit'] = () => {},
): SignInLimits => ({
  onAddressLimit,
  byAccountAndAddress: new RateLimiterMemory({ keyPrefix: 'both', points: 10, duration: 900 }),
  byAccount: new RateLimiterMemory({ keyPrefix: 'account', points: 100, duration: 900 }),
  byAddress: new RateLimiterMemory({ keyPrefix: 'address', points: 100, duration: 900 }),
  starts: new RateLimiterMemory({ keyPrefix: 'start', points: 1_000, duration: 900 }),
  exchanges: new RateLimiterMemory({ keyPrefix: 'exchange', points: 600, duration: 60 }),
  exchangesOfSite: new RateLimiterMemory({ keyPrefix: 'site', points: 60, duration: 900 }),
  refusals: new RateLimiterMemory({ keyPrefix: 'refusal', points: 30, duration: 60 }),
  failures: new RateLimiterMemory({ keyPrefix: 'failure', points: 5, duration: 900 }),
  tests: new RateLimiterMemory({ keyPrefix: 'test', points: 60, duration: 900 }),
  // Few, so that nobody can fill another person's mailbox, or keep replacing their links.
  resetsOfAccount: new RateLimiterMemory({ keyPrefix: 'reset', points: 10, duration: 3_600 }),
  resetsByAddress: new RateLimiterMemory({ keyPrefix: 'resets', points: 50, duration: 900 }),
  resetTokens: new RateLimiterMemory({ keyPrefix: 'token', points: 50, duration: 900 }),
});

/** Where a request came from that a limit refused. */
export interface LimitedClient {
  readonly address: string;
  /** Whether a proxy that isn't trusted forwarded the request, by its headers. */
  readonly isForwarded?: boolean | undefined;
}

/** Of whom an attempt is, by their own word and by that of the network. */
interface Attempted extends LimitedClient {
  readonly email: string;
}

/**
 * Runs an attempt to sign in unless there were too many failures for the account or from the address. One that
 * succeeds does not count, and clears the account of its failures. Throws `too_many_attempts`, and what `attempt` throws.
 */
export const limitAttempts = <Result>(
  limits: SignInLimits,
  who: Attempted,
  attempt: () => Promise<Result>,
): Promise<Result> => limitFailures(limits, who, attempt, [limits.byAccount]);

/**
 * The same for codes that nobody guesses from however many addresses: the account is not closed to them, so that nobody
 * shuts the last way in from elsewhere.
 */
export const limitCodes = <Result>(
  limits: SignInLimits,
  who: Attempted,
  attempt: () => Promise<Result>,
): Promise<Result> => limitFailures(limits, who, attempt, []);

async function limitFailures<Result>(
  limits: SignInLimits,
  { email, ...client }: Attempted,
  attempt: () => Promise<Result>,
  ofAccount: readonly RateLimiterMemory[],
): Promise<Result> {
  const accountKey = keyOfAccount(email);
  const addressKey = networkOf(client.address);
  const bothKey = `${accountKey} ${addressKey}`;
  // The address first: one that is used up adds nothing to what is remembered of accounts.
  await consumeByAddress(limits, limits.byAddress, client);
  try {
    await consume(limits.byAccountAndAddress, bothKey);
    for (const limiter of ofAccount) await consume(limiter, accountKey);
  } catch (error) {
    // An account that is closed must not close the address of a whole office.
    await limits.byAddress.reward(addressKey);
    throw error;
  }
  const result = await attempt();
  await limits.byAddress.reward(addressKey);
  for (const limiter of ofAccount) await limiter.reward(accountKey);
  await limits.byAccountAndAddress.delete(bothKey);
  return result;
}

/** Hashed, so that keys are short whatever people enter. */
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

/** Throws `too_many_attempts` when an address begins more sign-ins than a large office does: each is a row, for a while. */
export const limitStarts = (limits: SignInLimits, client: LimitedClient): Promise<void> =>
  consumeByAddress(limits, limits.starts, client);

/** Throws `too_many_attempts` if many links were requested for an account, or from an address. Every request counts. */
export async function limitResets(limits: SignInLimits, { email, ...client }: Attempted): Promise<void> {
  await consumeByAddress(limits, limits.resetsByAddress, client);
  await consume(limits.resetsOfAccount, keyOfAccount(email));
}

/** Throws `too_many_attempts` when many links were used, or tried, from an address. */
export const limitResetTokens = (limits: SignInLimits, client: LimitedClient): Promise<void> =>
  consumeByAddress(limits, limits.resetTokens, client);

/**
 * Exchanges a code unless many were exchanged in vain for the organization within the minute: nobody makes this server
 * ask a provider again and again. Nor does anybody shut out others by it: who comes from a site that did not is still
 * let through, and success does not count. Throws `too_many_attempts`, and what `exchange` throws.
 */
export async function limitExchanges<Result>(
  { exchanges, exchangesOfSite }: Pick<SignInLimits, 'exchanges' | 'exchangesOfSite'>,
  { organizationId, address }: { organizationId: string; address: string },
  exchange: () => Promise<Result>,
): Promise<Result> {
  const siteKey = `${organizationId} ${siteOf(address)}`;
  if (!(await hasRoom(exchangesOfSite, siteKey))) await consume(exchanges, organizationId);
  else await exchanges.penalty(organizationId);
  const result = await exchange();
  await exchangesOfSite.reward(siteKey);
  await exchanges.reward(organizationId);
  return result;
}

/** Throws `too_many_attempts` when an organization makes more test sign-ins than people do: each is kept for a day. */
export const limitTests = ({ tests }: SignInLimits, organizationId: string): Promise<void> =>
  consume(tests, organizationId, 'test sign-ins');

/** Whether one more refusal may be written down under a key: anybody can make refusals, and nobody may fill a log. */
export const mayRecordRefusal = ({ refusals }: SignInLimits, key: string): Promise<boolean> =>
  hasRoom(refusals, key);

/** Whether one more failed sign-in of an account may be written down. */
export const mayRecordFailure = ({ failures }: SignInLimits, key: string): Promise<boolean> =>
  hasRoom(failures, key);

async function hasRoom(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit;
    return false;
  }
}

/** Whoever has one IPv6 address has the 2^64 of its network (RFC 6177): they count as one. */
const networkOf = (address: string): string => prefixOf(address, 4);

/** Whoever has a site has the 2^16 networks of its prefix (RFC 6177, section 2). */
const siteOf = (address: string): string => prefixOf(address, 3);

/** The first parts, of 16 bits each, of an IPv6 address; one of IPv4 as it is. */
function prefixOf(address: string, parts: number): string {
  if (!ipaddr.IPv6.isValid(address) || address.includes('.')) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, parts).join(':');
}
