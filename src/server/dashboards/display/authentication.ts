import { setTimeout as delay } from 'node:timers/promises';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import type { AuthenticateDisplay, DisplayActor } from '../../base/actor.ts';
import { minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { AtriumError } from '../../base/errors.ts';
import { consume, networkOf } from '../../base/rate-limit.ts';
import { hashToken, isToken } from '../../base/credentials/tokens.ts';
import { closedTo, readAddresses } from '../../organizations/networks/networks.ts';
import { missingIn } from '../../organizations/second-factors/requirement.ts';
import type { Database } from '../../storage/database.ts';
import { displayTokenPrefix } from './links.ts';
import { findLinkByToken, touchLink } from './store.ts';

/** How far the recorded last use may lag behind, so that not every request writes. */
const touchEveryMs = minutesMs(5);
const maxRecordingWaitMs = 1_000;

/** The same for a token that never existed, was revoked or expired, and for one whose creator has lost access. */
export const linkNotValid = (): AtriumError =>
  new AtriumError(
    'link_not_valid',
    'It was revoked or has expired, or the person who created it can no longer share the dashboard. Ask for a new link.',
  );

/**
 * Returns the function that finds the wall display of a token. Failed tokens are limited by address, and never keep a display with
 * a valid one from working. Tokens are found by their hash, so that the time it takes reveals nothing about them.
 */
export function createDisplayAuthentication({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): AuthenticateDisplay {
  const failed = new RateLimiterMemory({ keyPrefix: 'display', points: 100, duration: 900 });
  const touching = new Set<string>();

  /** Never fails, and waits only a moment, so that displays work while writes fail; the database itself reports the fault. */
  async function recordUse(id: string, lastUsedAt: string | null, now: number): Promise<void> {
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < touchEveryMs) return;
    if (touching.has(id)) return;
    touching.add(id);
    const recorded = database
      .write((transaction) => touchLink(transaction, id, timestamp(now)))
      .catch(() => undefined)
      .finally(() => touching.delete(id));
    await Promise.race([recorded, delay(maxRecordingWaitMs, undefined, { ref: false })]);
  }

  return async (token, address) => {
    const display = await findDisplay(token, address);
    if (display !== undefined) return display;
    await consume(failed, networkOf(address));
    throw linkNotValid();
  };

  async function findDisplay(token: string, address: string): Promise<DisplayActor | undefined> {
    const isForm = token.startsWith(displayTokenPrefix) && isToken(token.slice(displayTokenPrefix.length));
    const link = isForm ? await findLinkByToken(database, hashToken(token)) : undefined;
    if (link === undefined) return undefined;
    const now = clock();
    if (link.expiresAt !== null && Date.parse(link.expiresAt) <= now) return undefined;
    await recordUse(link.id, link.lastUsedAt, now);
    return {
      dashboardId: link.dashboardId,
      filters: link.filters,
      creator: {
        userId: link.createdBy,
        credential: { kind: 'display', id: link.id },
        scope: { organizationId: link.organizationId },
        // A link that was created before the organization required SSO stops, unless its creator had signed in through SSO.
        satisfiesSso: link.satisfiesSso === 1,
        ...missingIn([{ ...link, lacksSecondFactor: link.lacksSecondFactor === 1 }]),
        ...closedTo({ ip: address }, [{ ...link, addresses: readAddresses(link.addresses) }]),
      },
    };
  }
}
