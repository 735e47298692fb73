import { maxTokenDays } from '#contract/credentials/tokens.ts';
import { dueNotice, noticeDays } from '#shared/token-expiry.ts';
import { daysMs, timestamp, type Clock } from '../../base/clock.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { listMailAddresses } from '../../organizations/members.ts';
import type { Database } from '../../storage/database.ts';
import { endOf, isValid } from '../validity.ts';
import { toMail } from './mails.ts';
import { replaceNotice, selectCandidates, type Candidate } from './store.ts';

export interface NoticeDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly publicUrl: string;
}

const batchSize = 200;
const firstNoticeMs = daysMs(Math.max(...noticeDays));

/** A notice that only this process sends. */
interface Claim {
  readonly candidate: Candidate;
  readonly noticed: string;
}

/**
 * Mails people before tokens, secrets, keys and authorizations end: their person, or the owners and admins for a service account. Each
 * notice is stored before it is sent, so that no other process and no later run sends it again; if no mail server accepts it, it is
 * due again. Sends nothing without a mail server.
 */
export async function mailExpiryNotices(
  { database, clock, mailer, publicUrl }: NoticeDependencies,
  stopped: AbortSignal,
): Promise<void> {
  if (!mailer.isConfigured) return;
  let after: string | undefined = '';
  while (after !== undefined && !stopped.aborted) {
    const now = clock();
    const { candidates, next } = await selectCandidates(database, {
      now: timestamp(now),
      before: timestamp(now + firstNoticeMs),
      longest: maxTokenDays,
      after,
      limit: batchSize,
    });
    const claims = await claimDue(database, candidates, now);
    const sent = await send({ database, mailer, publicUrl }, claims, stopped);
    await giveBack(
      database,
      claims.filter((claim) => !sent.has(claim)),
    );
    after = next;
  }
}

/** Stores which notices are sent now, and returns those that no other process has stored. */
async function claimDue(database: Database, batch: readonly Candidate[], now: number): Promise<Claim[]> {
  const due = batch.flatMap((candidate) => {
    const noticed = findDue(candidate, now);
    return noticed === undefined ? [] : [{ candidate, noticed }];
  });
  if (due.length === 0) return [];
  return database.write(async (transaction) => {
    const claims: Claim[] = [];
    for (const { candidate, noticed } of due) {
      const change = { id: candidate.token.id, before: candidate.noticed, noticed };
      if (await replaceNotice(transaction, change)) claims.push({ candidate, noticed });
    }
    return claims;
  });
}

/**
 * Returns what is stored about the notice that is due for a token; undefined if none is, or if it or a later one was sent. If the
 * policy changes the end of a token, its notices are sent again.
 */
function findDue({ token, noticed }: Candidate, now: number): string | undefined {
  const expiresAt = timestamp(endOf(token));
  const days = isValid(token, now) ? dueNotice({ ...token, expiresAt }, now) : undefined;
  if (days === undefined) return undefined;
  const [end, daysBefore] = noticed?.split(' ') ?? [];
  return end === expiresAt && Number(daysBefore) <= days ? undefined : `${expiresAt} ${days}`;
}

/** Sends one email to each person about each organization. Returns the notices that were sent to someone. */
async function send(
  { database, mailer, publicUrl }: Omit<NoticeDependencies, 'clock'>,
  claims: readonly Claim[],
  stopped: AbortSignal,
): Promise<Set<Claim>> {
  const groups = new Map<string, { readonly to: string; readonly claims: Claim[] }>();
  for (const claim of claims) {
    const { organizationId, userId, isServiceAccount } = claim.candidate.token;
    const people = await listMailAddresses(database, {
      organizationId,
      ...(isServiceAccount ? { roles: ['owner', 'admin'] } : { userId }),
    });
    for (const to of people) {
      const key = `${organizationId} ${to}`;
      const group = groups.get(key) ?? { to, claims: [] };
      group.claims.push(claim);
      groups.set(key, group);
    }
  }
  const sent = new Set<Claim>();
  for (const group of groups.values()) {
    if (stopped.aborted) break;
    const due = group.claims.map(({ candidate }) => candidate);
    if (!(await mailer.send(toMail(group.to, due, publicUrl))).isSent) continue;
    for (const claim of group.claims) sent.add(claim);
  }
  return sent;
}

/** Makes the notices due again that were sent to nobody. */
async function giveBack(database: Database, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await database.write(async (transaction) => {
    for (const { candidate, noticed } of claims) {
      const change = { id: candidate.token.id, before: noticed, noticed: candidate.noticed };
      await replaceNotice(transaction, change);
    }
  });
}
