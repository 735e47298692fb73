import type { Revalidation } from '#contract/sso/policy.ts';
import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import type { SecretBox } from '../../base/credentials/secret-box.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { getStoredSsoPolicy } from '../configuration/policy-store.ts';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { deleteRefreshTokens, findChecks, insertRefreshToken, setDue } from './store.ts';

/** The purpose that refresh tokens are sealed for; they can't be opened for another one. */
export const tokenPurpose = 'sso-refresh-token';

/** Entra's are about 2,000 characters. */
const maxLength = 20_000;

/** Whether a refresh token that a provider gave is stored: one row per session must not become as large as it likes. */
export const isStorable = (refreshToken: string | undefined): refreshToken is string =>
  refreshToken !== undefined && refreshToken.length <= maxLength;

/**
 * A check begins this long before its interval ends, so that its response is there in time even if it takes as long as it
 * may, and the runner has only just looked.
 */
const leadMs = 12_000;

/** Returns when to check a session next. */
export const nextDueAt = (now: number, everyMinutes: number): string =>
  timestamp(now + minutesMs(everyMinutes) - leadMs);

/** Stores the refresh token of a new session, if there is one and the policy wants it. */
export async function storeRefreshToken(
  transaction: Transaction,
  { clock, secretBox }: { readonly clock: Clock; readonly secretBox: SecretBox },
  configuration: StoredSsoConfiguration,
  { id: sessionId }: { readonly id: string },
  refreshToken: string | undefined,
): Promise<void> {
  if (!isStorable(refreshToken)) return;
  const { revalidateMinutes } = await getStoredSsoPolicy(transaction, configuration);
  if (revalidateMinutes === 0) return;
  const { organizationId, id: configurationId, discoveryUrl, clientId } = configuration;
  const now = clock();
  await insertRefreshToken(transaction, {
    sessionId,
    organizationId,
    configurationId,
    discoveryUrl,
    clientId,
    refreshToken: secretBox.seal(organizationId, tokenPurpose, refreshToken),
    checkedAt: timestamp(now),
    dueAt: nextDueAt(now, revalidateMinutes),
  });
}

/** Checks all sessions of a configuration at once and then by the new interval, or forgets their refresh tokens if it is 0. */
export async function changeInterval(
  transaction: Transaction,
  { id: configurationId }: Pick<StoredSsoConfiguration, 'id'>,
  { revalidateMinutes, at }: { readonly revalidateMinutes: number; readonly at: string },
): Promise<void> {
  if (revalidateMinutes === 0) await deleteRefreshTokens(transaction, configurationId);
  else await setDue(transaction, { configurationId, at });
}

/** Returns how many sessions are checked, whether the provider responds, and whether a check is late by more than its interval. */
export async function describeChecks(
  reader: Reader,
  { id }: Pick<StoredSsoConfiguration, 'id'>,
  { everyMinutes, now }: { readonly everyMinutes: number; readonly now: number },
): Promise<Revalidation> {
  const { count, checkedAt, failingSince, dueAt } = await findChecks(reader, id);
  return {
    everyMinutes,
    sessionCount: count,
    ...(checkedAt !== null && { lastCheckedAt: checkedAt }),
    ...(failingSince !== null && { unavailableSince: failingSince }),
    ...(dueAt !== null && dueAt < timestamp(now - minutesMs(everyMinutes)) && { lateSince: dueAt }),
  };
}
