import type { SessionPolicy } from '#contract/organizations/session-policy.ts';
import type { Actor } from '../../base/actor.ts';
import { timestamp } from '../../base/clock.ts';
import type { Reader } from '../../storage/database.ts';
import { limitsOf } from './policy.ts';
import { countNewerSessions } from './store.ts';

interface UsedSession {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly longestPauseMs: number;
}

/** For how long a session was not used at most, between two uses or since the last one. */
export const pauseOf = ({ lastUsedAt, longestPauseMs }: UsedSession, now: number): number =>
  Math.max(longestPauseMs, now - Date.parse(lastUsedAt));

/**
 * Returns the organizations that a session doesn't open any more, as a member of `Actor`. The session itself goes on: an organization
 * limits only how it is used itself. A pause counts for good, since the next use elsewhere would otherwise make up for it.
 */
export async function exceededIn(
  reader: Reader,
  session: UsedSession,
  now: number,
  policies: readonly (SessionPolicy & { readonly organizationId: string })[],
): Promise<Pick<Actor, 'exceededOrganizationIds'>> {
  const exceeded: string[] = [];
  for (const policy of policies) {
    const { idleMs, absoluteMs } = limitsOf([policy]);
    const isTooOld = now - Date.parse(session.createdAt) >= absoluteMs || pauseOf(session, now) >= idleMs;
    if (isTooOld || (await isSurplus(reader, session, now, policy))) exceeded.push(policy.organizationId);
  }
  return exceeded.length === 0 ? {} : { exceededOrganizationIds: exceeded };
}

async function isSurplus(
  reader: Reader,
  { id, userId }: UsedSession,
  now: number,
  { organizationId, maxSessions, ...policy }: SessionPolicy & { readonly organizationId: string },
): Promise<boolean> {
  if (maxSessions === undefined) return false;
  const { idleMs, absoluteMs } = limitsOf([policy]);
  const [usedSince, createdSince] = [timestamp(now - idleMs), timestamp(now - absoluteMs)];
  const newer = { organizationId, userId, id, usedSince, createdSince, limit: maxSessions };
  return (await countNewerSessions(reader, newer)) >= maxSessions;
}
