import { setTimeout as delay } from 'node:timers/promises';
import type { Session, SessionMethod, SignedIn, User } from '#contract/accounts/sessions.ts';
import type { SessionActor } from '../base/actor.ts';
import { minutesMs, timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, notFound } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { hashToken, newToken } from '../base/credentials/tokens.ts';
import { closedTo } from '../organizations/networks/networks.ts';
import { missingIn } from '../organizations/second-factors/requirement.ts';
import { recordSeen } from '../organizations/last-seen/last-seen.ts';
import { forgetDirectorySignIns, recordDirectorySignIn } from '../organizations/members.ts';
import { lockAccount } from '../organizations/users.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import {
  endingLimits,
  endSurplusSessions,
  limitsOf,
  policiesOfSession,
  serverLimits,
  withLimits,
  type SessionLimits,
} from './policy/policy.ts';
import { recordOpening } from './openings.ts';
import { exceededIn, pauseOf } from './policy/exceeded.ts';
import type { PolicyOfMember } from './policy/store.ts';
import {
  deleteEndedSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsById,
  deleteSessionsOfMember,
  countSessionsUsed,
  countSsoSessionsUsed,
  deleteSsoSessions,
  findSessionByToken,
  findSessionWithUser,
  insertSession,
  selectSessions,
  selectSessionsById,
  touchSession,
  type SessionOwner,
  type EndedTimes,
  type SessionTimes,
  updateConfirmedAt,
} from './store.ts';

const { idleMs } = serverLimits;
/** How long a session lasts at most. */
export const { absoluteMs } = serverLimits;
/** How far the recorded last use may lag behind, so that not every request writes. */
const touchEveryMs = minutesMs(5);

/** A new session; `token` is only in the cookie and is not stored. */
export interface NewSession extends SignedIn {
  readonly token: string;
  readonly actor: SessionActor;
}

/** How and from where a session is obtained. */
export interface SessionOrigin {
  readonly method: SessionMethod;
  /** The organization that the session is limited to, if any. */
  readonly organizationId?: string;
  readonly userAgent?: string | undefined;
  readonly address?: string | undefined;
  /**
   * The organizations whose audit log gets the address with the sign-in. Others get it when the session first opens them. By default,
   * no other gets it.
   */
  readonly knownToOrganizations?: readonly string[] | undefined;
  /** When the person confirmed their identity, in milliseconds since the epoch; by default, now. */
  readonly confirmedAt?: number | undefined;
}

/** Starts a session, without an entry in the audit log. Throws `sign_in_refused` if the account is disabled. */
export async function startSession(
  transaction: Transaction,
  clock: Clock,
  user: User,
  origin: SessionOrigin,
): Promise<NewSession> {
  await requireEnabled(transaction, user.id);
  const now = clock();
  const token = newToken();
  const session: Session = {
    id: newId(),
    method: origin.method,
    createdAt: timestamp(now),
    lastUsedAt: timestamp(now),
    expiresAt: timestamp(now + absoluteMs),
    ...(origin.organizationId !== undefined && { organizationId: origin.organizationId }),
    ...(origin.userAgent !== undefined && { userAgent: origin.userAgent.slice(0, 500) }),
    ...(origin.address !== undefined && { address: origin.address }),
  };
  const owner: SessionOwner = {
    id: session.id,
    userId: user.id,
    organizationId: session.organizationId ?? null,
    method: session.method,
    confirmedAt: timestamp(origin.confirmedAt ?? now),
    openedOrganizations: origin.knownToOrganizations?.map((id) => ` ${id}`).join('') ?? null,
  };
  await insertSession(transaction, {
    ...owner,
    tokenHash: hashToken(token),
    userAgent: session.userAgent ?? null,
    address: session.address ?? null,
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
  });
  await recordSeen(transaction, owner, timestamp(now));
  if (origin.method === 'sso' && origin.organizationId !== undefined) {
    const { organizationId } = origin;
    await recordDirectorySignIn(transaction, { organizationId, userId: user.id, at: timestamp(now) });
  }
  const policies = await policiesOfSession(transaction, owner);
  for (const policy of policies) await endSurplusSessions(transaction, clock, policy, user.id);
  return {
    token,
    user,
    session: withLimits(session, endingLimits(owner.organizationId, policies)),
    actor: toActor(owner),
  };
}

/** Locks the account, so that it isn't disabled at the same time. */
async function requireEnabled(transaction: Transaction, userId: string): Promise<void> {
  const { disabledAt } = await lockAccount(transaction, userId);
  if (disabledAt === null) return;
  throw new AtriumError(
    'sign_in_refused',
    'This account is disabled. The people who run this server can enable it again.',
  );
}

/**
 * Returns the actor of a session token, or undefined if the session has ended: signed out, revoked, idle or too old. Without the client
 * that sent it, the addresses that organizations allow are not compared.
 */
export async function authenticate(
  database: Database,
  clock: Clock,
  token: string,
  client?: { readonly ip: string },
): Promise<SessionActor | undefined> {
  const session = await findSessionByToken(database, hashToken(token));
  const now = clock();
  if (session === undefined) return undefined;
  const policies = session.hasPolicies ? await policiesOfSession(database, session) : [];
  if (hasEnded(session, now, endingLimits(session.organizationId, policies))) return undefined;
  const exceeded = session.organizationId === null ? await exceededIn(database, session, now, policies) : {};
  if (now - Date.parse(session.lastUsedAt) >= Math.min(touchEveryMs, limitsOf(policies).idleMs / 10)) {
    await recordUse(database, session, now);
  }
  return {
    ...toActor(session),
    ...exceeded,
    ...missingIn(policies),
    ...(client && closedTo(client, policies)),
    ...(session.openedOrganizations !== null && {
      onOpened: (organizationId: string) => recordOpening({ database, clock }, session, organizationId),
    }),
  };
}

/**
 * Whether each way to sign in meets the SSO requirement of the organization that the session is limited to. A recovery
 * code does, because it is for the case that the directory fails.
 */
const meetsSsoRequirement: Readonly<Record<SessionMethod, boolean>> = {
  password: false,
  passkey: false,
  set_up: false,
  invitation: false,
  operator: false,
  sso: true,
  recovery_code: true,
};

const toActor = ({ id, userId, organizationId, method, confirmedAt }: SessionOwner): SessionActor => ({
  userId,
  credential: {
    kind: 'session',
    id,
    method,
    confirmedAt: confirmedAt === null ? undefined : Date.parse(confirmedAt),
  },
  scope: organizationId === null ? 'all' : { organizationId },
  // A sign-in through one organization's directory doesn't count for another's.
  satisfiesSso: organizationId !== null && meetsSsoRequirement[method],
});

const maxRecordingWaitMs = 1_000;
/** The sessions whose use is being recorded; one write for each is enough. */
const recording = new Set<string>();

/**
 * Records the use of a session. This never fails, and the request waits for it only a moment, so that reads still work
 * while writes fail. The next request tries again, and the database itself reports the fault.
 */
async function recordUse(
  database: Database,
  session: SessionOwner & SessionTimes,
  now: number,
): Promise<void> {
  const { id } = session;
  if (recording.has(id)) return;
  recording.add(id);
  const recorded = database
    .write(async (transaction) => {
      await touchSession(transaction, { id, at: timestamp(now), pauseMs: pauseOf(session, now) });
      await recordSeen(transaction, session, timestamp(now));
    })
    .catch(() => undefined)
    .finally(() => recording.delete(id));
  await Promise.race([recorded, delay(maxRecordingWaitMs, undefined, { ref: false })]);
}

/** A session that is limited to one organization ends with the membership, too. */
const hasEnded = (session: SessionTimes, now: number, limits: SessionLimits): boolean =>
  (session.organizationId !== null && session.role === null) || hasTimedOut(session, now, limits);

const hasTimedOut = (
  { createdAt, lastUsedAt, expiresAt }: EndedTimes,
  now: number,
  limits: SessionLimits,
): boolean =>
  Date.parse(expiresAt) <= now ||
  now - Date.parse(createdAt) >= limits.absoluteMs ||
  now - Date.parse(lastUsedAt) >= limits.idleMs;

/**
 * Returns which of these sessions have not ended, each with the organizations whose limits it exceeds. This does not count as a use of
 * them.
 */
export async function findOpenSessions(
  reader: Reader,
  clock: Clock,
  ids: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const sessions = await selectSessionsById(reader, ids);
  const now = clock();
  const open = new Map<string, readonly string[]>();
  // Many sessions are of one organization or one person.
  const found = new Map<string, readonly PolicyOfMember[]>();
  for (const session of sessions) {
    const { organizationId, userId, hasPolicies } = session;
    const key = organizationId ?? userId;
    const policies = found.get(key) ?? (hasPolicies ? await policiesOfSession(reader, session) : []);
    if (hasPolicies) found.set(key, policies);
    if (hasEnded(session, now, endingLimits(organizationId, policies))) continue;
    const exceeded = organizationId === null ? await exceededIn(reader, session, now, policies) : {};
    open.set(session.id, exceeded.exceededOrganizationIds ?? []);
  }
  return open;
}

/** Returns the actor and the session. */
export async function getSession(reader: Reader, actor: SessionActor): Promise<SignedIn> {
  const signedIn = await findSessionWithUser(reader, actor.credential.id);
  if (signedIn === undefined) throw new AtriumError('unauthenticated', 'This session has just ended.');
  const { user, session } = signedIn;
  const { organizationId = null } = session;
  // An organization only ends sessions that are limited to it.
  const policies =
    organizationId === null ? [] : await policiesOfSession(reader, { userId: user.id, organizationId });
  return { user, session: withLimits(session, endingLimits(organizationId, policies)) };
}

/**
 * Lists the actor's sessions that have not ended, newest first; a session that is limited to one organization sees only
 * itself.
 */
export async function listSessions(
  reader: Reader,
  clock: Clock,
  actor: SessionActor,
  page: PageRequest,
): Promise<Page<Session>> {
  if (actor.scope !== 'all') return { items: [(await getSession(reader, actor)).session] };
  const now = clock();
  const scope = { userId: actor.userId, now: timestamp(now), usedSince: timestamp(now - idleMs) };
  const rows = await selectSessions(reader, scope, page);
  const policies = await policiesOfSession(reader, { userId: actor.userId, organizationId: null });
  const { items, ...rest } = toPage(rows, ({ id }) => id);
  const open = items.flatMap((session) => {
    const own = policies.filter(({ organizationId }) => organizationId === session.organizationId);
    const limits = endingLimits(session.organizationId, own);
    return hasTimedOut(session, now, limits) ? [] : [withLimits(session, limits)];
  });
  return { items: open, ...rest };
}

/** Ends one of the actor's sessions. Throws `not_found` for any other. */
export async function revokeSession(database: Database, actor: SessionActor, id: string): Promise<void> {
  if (actor.scope !== 'all' && id !== actor.credential.id) throw notFound();
  await database.write(async (transaction) => {
    if (!(await deleteSession(transaction, id, actor.userId))) throw notFound();
  });
}

/**
 * Ends all of the actor's sessions except this one; returns how many had not expired. A session that is limited to one
 * organization sees no others, and ends none.
 */
export async function endOtherSessions(
  transaction: Transaction,
  clock: Clock,
  actor: SessionActor,
): Promise<number> {
  if (actor.scope !== 'all') return 0;
  return endAllSessions(transaction, clock, { userId: actor.userId, exceptId: actor.credential.id });
}

/** Ends every session of a user, however it was obtained; returns how many had not expired. */
export const endSessionsOfUser = (transaction: Transaction, clock: Clock, userId: string): Promise<number> =>
  endAllSessions(transaction, clock, { userId, exceptId: '' });

async function endAllSessions(
  transaction: Transaction,
  clock: Clock,
  selection: { userId: string; exceptId: string },
): Promise<number> {
  return countUnexpired(clock, await deleteOtherSessions(transaction, selection));
}

function countUnexpired(clock: Clock, ended: readonly EndedTimes[]): number {
  const now = clock();
  return ended.filter((times) => !hasTimedOut(times, now, serverLimits)).length;
}

/** Ends the actor's own session. */
export async function endSession(database: Database, actor: SessionActor): Promise<void> {
  await database.write((transaction) => deleteSession(transaction, actor.credential.id, actor.userId));
}

/** Ends sessions by their IDs; returns the user of each that there was. */
export const endSessions = async (transaction: Transaction, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0 ? [] : deleteSessionsById(transaction, ids);

/** Ends every session that was obtained through one of an organization's identity providers. */
export async function endSessionsOfConfiguration(
  transaction: Transaction,
  { organizationId, id: configurationId }: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  await deleteSsoSessions(transaction, { organizationId, configurationId });
  await forgetDirectorySignIns(transaction, { organizationId, configurationId });
}

/** Returns how many sessions that were obtained through an identity provider have not ended. */
export const countSsoSessions = (
  reader: Reader,
  { organizationId, id: configurationId }: { readonly organizationId: string; readonly id: string },
  now: number,
): Promise<number> =>
  countSsoSessionsUsed(reader, {
    organizationId,
    configurationId,
    now: timestamp(now),
    usedSince: timestamp(now - idleMs),
  });

/** Returns how many sessions have not ended, counting up to 100,000. */
export const countSessions = (reader: Reader, now: number): Promise<number> =>
  countSessionsUsed(reader, {
    now: timestamp(now),
    usedSince: timestamp(now - idleMs),
    limit: 100_000,
  });

/** Ends the sessions of a user that are limited to an organization, so that a new membership does not revive them. */
export async function endSessionsOfMember(
  transaction: Transaction,
  member: { organizationId: string; userId: string },
): Promise<void> {
  await deleteSessionsOfMember(transaction, member, { alsoUnlimited: false });
}

/**
 * Ends the sessions of a user that are limited to an organization and, with `alsoUnlimited`, those that are limited to none. Returns how
 * many had not expired.
 */
export const endSessionsOfDeactivated = async (
  transaction: Transaction,
  clock: Clock,
  { alsoUnlimited, ...member }: { organizationId: string; userId: string; alsoUnlimited: boolean },
): Promise<number> =>
  countUnexpired(clock, await deleteSessionsOfMember(transaction, member, { alsoUnlimited }));

/** Records when the person of a session confirmed their identity. */
export async function confirmSession(transaction: Transaction, id: string, at: string): Promise<void> {
  await updateConfirmedAt(transaction, id, at);
}

/** Deletes the sessions that have expired. */
export async function sweepSessions(database: Database, clock: Clock): Promise<void> {
  const now = clock();
  await database.writeSlowly((transaction) =>
    deleteEndedSessions(transaction, timestamp(now), timestamp(now - idleMs)),
  );
}
