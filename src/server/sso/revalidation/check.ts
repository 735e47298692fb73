import { minutesMs, timestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../organizations/authorization.ts';
import { forgetDirectorySignIn, findRoleOf } from '../../organizations/members.ts';
import type { Transaction } from '../../storage/database.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import { findProtocolReasons } from '../configuration/reasons.ts';
import { findSsoConfigurationById, type StoredSsoConfiguration } from '../configuration/store.ts';
import { findProvenDomains } from '../domains/domains.ts';
import { checkIdentity, readIdentity } from '../identity/identity.ts';
import { findMissingClaims } from '../identity/missing-claims.ts';
import { findIdentityUser } from '../identity/store.ts';
import { endDirectorySessions } from '../logout/logout.ts';
import type { Claims } from '../protocol/claims.ts';
import type { ConfirmedPerson } from '../protocol/provider/identity-provider.ts';
import type { RefusedGrant } from '../protocol/refused-grant.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { applyClaims } from '../sign-in/admission.ts';
import { toRelyingParty, type SsoSignInDependencies } from '../sign-in/attempts.ts';
import {
  endCheck,
  findRefreshToken,
  selectUncheckedSessions,
  setDueOfSubject,
  type StoredRefreshToken,
} from './store.ts';
import { isStorable, nextDueAt, tokenPurpose } from './tokens.ts';

export type CheckDependencies = Pick<
  SsoSignInDependencies,
  'database' | 'clock' | 'secretBox' | 'workloadIdentity' | 'providers' | 'publicUrl'
>;

/** How long an administrative action may rely on a check. People who were disabled in the directory can't change anything after that. */
const reliableMs = minutesMs(1);
/** How long after a check that got no answer the next one is made. */
const retryMs = minutesMs(1);

/**
 * Redeems the refresh token of a session, which the caller has taken as `holder`. If the provider refuses it, the session ends, and
 * the person's other sessions are checked, too. If the provider does not respond, or refuses this client, nothing ends.
 */
export async function checkSession(
  dependencies: CheckDependencies,
  token: StoredRefreshToken,
  holder: string,
): Promise<void> {
  const { database, clock } = dependencies;
  const beganAt = clock();
  const configuration = await findSsoConfigurationById(database, token.configurationId);
  // Its sessions have ended with it.
  if (configuration === undefined) return;
  const answer = await ask(dependencies, configuration, token);
  await database.write(async (transaction) => {
    const { organizationId } = configuration;
    await lockOrganization(transaction, organizationId);
    const current = await findSsoConfigurationById(transaction, configuration.id);
    if (current === undefined) return;
    const { revalidateMinutes } = await getStoredSsoPolicy(transaction, current);
    const isMine = await endCheck(transaction, {
      sessionId: token.sessionId,
      holder,
      ...ended(dependencies, token, answer, revalidateMinutes),
    });
    if (!isMine || answer === undefined) return;
    const refused =
      'refusal' in answer ? answer : await follow(transaction, dependencies, current, token, answer.claims);
    if (refused !== undefined) await refuse(transaction, dependencies, current, { token, refused, beganAt });
  });
}

/** Asks the provider. Returns undefined if it does not answer. */
async function ask(
  dependencies: CheckDependencies,
  configuration: StoredSsoConfiguration,
  token: StoredRefreshToken,
): Promise<ConfirmedPerson | RefusedGrant | undefined> {
  const { database, secretBox, providers } = dependencies;
  const { discoveryUrl, clientId } = configuration;
  // A stored token must never be sent to another provider than the one that gave it.
  if (!configuration.enabled || token.discoveryUrl !== discoveryUrl || token.clientId !== clientId)
    return moved;
  if (findProtocolReasons(configuration).length > 0) return undefined;
  const { organizationId, refreshToken } = token;
  if (!secretBox.hasKeyOf(refreshToken)) return unreadable;
  const { roleMappings } = await getStoredSsoPolicy(database, configuration);
  try {
    return await providers.refresh(
      toRelyingParty(dependencies, configuration),
      secretBox.open(organizationId, tokenPurpose, refreshToken),
      token,
      (claims) => findMissingClaims(configuration, roleMappings, claims),
    );
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    return undefined;
  }
}

const moved: RefusedGrant = {
  refusal: 'configuration_changed',
  message: 'The configuration was changed or turned off.',
};

const unreadable: RefusedGrant = {
  refusal: 'token_unreadable',
  message: 'The refresh token can’t be decrypted: the server’s root key was removed.',
};

/** Returns what to store about a check. */
function ended(
  { clock, secretBox }: CheckDependencies,
  { organizationId, refreshToken, checkedAt, failingSince }: StoredRefreshToken,
  answer: ConfirmedPerson | RefusedGrant | undefined,
  everyMinutes: number,
) {
  const now = clock();
  if (answer === undefined || 'refusal' in answer)
    return {
      refreshToken,
      checkedAt,
      dueAt: timestamp(now + retryMs),
      failingSince: answer === undefined ? (failingSince ?? timestamp(now)) : null,
    };
  return {
    refreshToken: isStorable(answer.refreshToken)
      ? secretBox.seal(organizationId, tokenPurpose, answer.refreshToken)
      : refreshToken,
    checkedAt: timestamp(now),
    dueAt: nextDueAt(now, Math.max(1, everyMinutes)),
    failingSince: null,
  };
}

/**
 * Gives the person the role and the groups that the directory now sends, as a sign-in does. Returns why the session must end if it
 * is another person.
 */
async function follow(
  transaction: Transaction,
  { clock }: CheckDependencies,
  configuration: StoredSsoConfiguration,
  { userId, organizationId }: StoredRefreshToken,
  claims: Claims | undefined,
): Promise<RefusedGrant | undefined> {
  if (claims === undefined) return undefined;
  const provenDomains = await findProvenDomains(transaction, configuration);
  const { key } = readIdentity(configuration, provenDomains, claims);
  if (key === undefined || (await findIdentityUser(transaction, key)) !== userId)
    return { refusal: 'another_person', message: 'The ID token is not about the person of the session.' };
  // A provider can send fewer claims than at a sign-in. Whether the person could sign in is decided then.
  if (checkIdentity(configuration, provenDomains, claims).some(({ passed }) => !passed)) return undefined;
  if ((await findRoleOf(transaction, organizationId, userId)) === undefined) return undefined;
  await applyClaims(transaction, clock, configuration, { key, userId, claims });
  return undefined;
}

/** Ends the session whose token was refused, and those of the same person that nothing else checks. */
async function refuse(
  transaction: Transaction,
  dependencies: CheckDependencies,
  configuration: StoredSsoConfiguration,
  {
    token,
    refused: { refusal, message },
    beganAt,
  }: { readonly token: StoredRefreshToken; readonly refused: RefusedGrant; readonly beganAt: number },
): Promise<void> {
  const { clock } = dependencies;
  const { sessionId, configurationId, issuer, subject, organizationId, checkedAt } = token;
  const person = { configurationId, issuer, subject };
  const unchecked = await selectUncheckedSessions(transaction, { ...person, until: timestamp(beganAt) });
  const seconds = Math.max(0, Math.ceil((clock() - Date.parse(checkedAt)) / 1_000));
  const people = await endDirectorySessions(
    transaction,
    dependencies,
    configuration,
    [sessionId, ...unchecked],
    {
      seconds,
      messageEnd: ` at most ${seconds} s after the directory last confirmed them. ${message.replace(/\.$/, '')}`,
      details: { refusal, withinSeconds: seconds },
    },
  );
  for (const userId of people) await forgetDirectorySignIn(transaction, { organizationId, userId });
  await setDueOfSubject(transaction, { ...person, at: timestamp(clock()) });
}

/** Whether the last check of a session is older than what an administrative action may rely on, and none has just failed. */
export async function isCheckedTooLongAgo(
  { database, clock }: Pick<CheckDependencies, 'database' | 'clock'>,
  sessionId: string,
): Promise<boolean> {
  const token = await findRefreshToken(database, sessionId);
  if (token === undefined) return false;
  const now = clock();
  const hasJustFailed = token.failingSince !== null && token.dueAt > timestamp(now);
  // A time in the future, after the clock was set back, counts as too long ago.
  return !hasJustFailed && Math.abs(now - Date.parse(token.checkedAt)) >= reliableMs;
}
