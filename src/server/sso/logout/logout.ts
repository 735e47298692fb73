import { recordAudit } from '../../audit/audit.ts';
import { minutesMs, timestamp } from '../../base/clock.ts';
import { findAccountById } from '../../organizations/users.ts';
import { endSessions } from '../../sessions/sessions.ts';
import type { Transaction } from '../../storage/database.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';
import { findSsoConfigurationById, type StoredSsoConfiguration } from '../configuration/store.ts';
import type { Claims } from '../protocol/claims.ts';
import { maxTextLength, type Logout } from '../protocol/logout-token.ts';
import { toRelyingParty, type SsoSignInDependencies } from '../sign-in/attempts.ts';
import { recordLogout, type EndedSessions } from '../sign-in/outcome-store.ts';
import { insertDirectorySession, selectSessionsOfProviderSession, selectSessionsOfSubject } from './store.ts';

/** How far the clock of a provider may be behind: a session must not escape because it seems newer than its end. */
const clockToleranceMs = minutesMs(5);

/** Stores the session at the provider of a new session here, so that the provider can end it. */
export async function storeDirectorySession(
  transaction: Transaction,
  { id: configurationId }: Pick<StoredSsoConfiguration, 'id'>,
  { iss, sub, sid }: Claims,
  session: { readonly id: string; readonly createdAt: string },
): Promise<void> {
  // The library has checked that these are texts.
  await insertDirectorySession(transaction, {
    sessionId: session.id,
    configurationId,
    issuer: String(iss),
    subject: String(sub),
    providerSessionId: typeof sid === 'string' && sid !== '' && sid.length <= maxTextLength ? sid : null,
    createdAt: session.createdAt,
  });
}

/**
 * Ends the sessions that a provider asks to end with a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.7). Returns false
 * if the token is not valid, or there is no such configuration. Throws `SignInRefusal` if the provider's keys can't be read.
 */
export async function endByLogoutToken(
  dependencies: SsoSignInDependencies,
  configurationId: string,
  token: string,
): Promise<boolean> {
  const { database, clock, providers } = dependencies;
  const configuration = await findSsoConfigurationById(database, configurationId);
  if (configuration === undefined || findProtocolReasons(configuration).length > 0) return false;
  const party = toRelyingParty(dependencies, configuration);
  const logout = await providers.checkLogoutToken(party, token);
  if (logout === undefined) return false;
  await database.write(async (transaction) => {
    const ids = await findSessions(transaction, configurationId, logout, clock());
    await end(transaction, dependencies, configuration, ids, logout.ageMs);
  });
  return true;
}

/**
 * Ends the sessions that were obtained with a session of a provider, whose ID only the provider and its clients know (OpenID Connect
 * Front-Channel Logout 1.0, section 3). Nothing says whether there were any.
 */
export async function endByProviderSession(
  dependencies: Pick<SsoSignInDependencies, 'database' | 'clock'>,
  configurationId: string,
  { iss, sid = '' }: { readonly iss?: string | undefined; readonly sid?: string | undefined },
): Promise<void> {
  const { database } = dependencies;
  if (sid === '' || sid.length > maxTextLength) return;
  const named = { configurationId, providerSessionId: sid };
  // Read first, since anyone can send this request: only one that ends something waits for a write.
  if ((await selectSessionsOfProviderSession(database, named)).length === 0) return;
  const configuration = await findSsoConfigurationById(database, configurationId);
  if (configuration === undefined) return;
  await database.write(async (transaction) => {
    const found = await selectSessionsOfProviderSession(transaction, named);
    const ids = found.filter(({ issuer }) => iss === undefined || iss === issuer).map(({ id }) => id);
    await end(transaction, dependencies, configuration, ids, undefined);
  });
}

async function findSessions(
  transaction: Transaction,
  configurationId: string,
  { issuer, subject, sessionId, ageMs }: Logout,
  now: number,
): Promise<string[]> {
  if (subject === undefined) {
    const named = { configurationId, providerSessionId: sessionId ?? '' };
    const found = await selectSessionsOfProviderSession(transaction, named);
    return found.filter((one) => one.issuer === issuer).map(({ id }) => id);
  }
  // A token that is sent again later must not end the sessions since.
  const until = timestamp(now - ageMs + clockToleranceMs);
  const found = await selectSessionsOfSubject(transaction, { configurationId, issuer, subject, until });
  return found
    .filter(
      // Where ID tokens name no session, it can be any of the subject's.
      ({ providerSessionId }) =>
        sessionId === undefined || providerSessionId === null || providerSessionId === sessionId,
    )
    .map(({ id }) => id);
}

/** Ends sessions that a provider has asked to end, and records that. `ageMs` is how long ago it asked, if it says so. */
async function end(
  transaction: Transaction,
  dependencies: Pick<SsoSignInDependencies, 'clock'>,
  configuration: StoredSsoConfiguration,
  ids: readonly string[],
  ageMs: number | undefined,
): Promise<void> {
  const afterSeconds = ageMs === undefined ? undefined : Math.max(0, Math.round(ageMs / 1_000));
  await endDirectorySessions(transaction, dependencies, configuration, ids, {
    seconds: afterSeconds,
    messageEnd: afterSeconds === undefined ? '' : ` ${afterSeconds} s after the provider sent the request`,
    details: afterSeconds === undefined ? {} : { afterSeconds },
  });
}

/** Ends sessions through a directory, and records that in the audit log and in its status. Returns the people whose sessions ended. */
export async function endDirectorySessions(
  transaction: Transaction,
  { clock }: Pick<SsoSignInDependencies, 'clock'>,
  configuration: StoredSsoConfiguration,
  ids: readonly string[],
  {
    seconds,
    messageEnd,
    details,
  }: {
    /** What the audit log shows as well. */
    readonly details: Readonly<Record<string, unknown>>;
  } & Pick<EndedSessions, 'seconds' | 'messageEnd'>,
): Promise<Set<string>> {
  const { organizationId } = configuration;
  const userIds = await endSessions(transaction, ids);
  const people = new Set(userIds);
  for (const userId of people) {
    const email = (await findAccountById(transaction, userId))?.email ?? '';
    const sessionCount = userIds.filter((one) => one === userId).length;
    await recordAudit(transaction, clock, {
      organizationId,
      action: 'sso.sessions.ended',
      details: { userId, email, sessionCount, ...details },
    });
    const ended = { email, count: sessionCount, seconds, messageEnd };
    await recordLogout(transaction, configuration, timestamp(clock()), ended);
  }
  return people;
}
