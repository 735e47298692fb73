import { isDeepStrictEqual } from 'node:util';
import type { Session } from '#contract/accounts/sessions.ts';
import type { Fault } from '#contract/problem.ts';
import type { SessionPolicy } from '#contract/organizations/session-policy.ts';
import { recordAudit } from '../../audit/audit.ts';
import type { Actor } from '../../base/actor.ts';
import { daysMs, hoursMs, minutesMs, timestamp, type Clock } from '../../base/clock.ts';
import { invalidFaults } from '../../base/errors.ts';
import { isAllowed, parseNetwork } from '../../organizations/networks/networks.ts';
import {
  requireAllowed,
  requirePermission,
  requirePermissionToChange,
} from '../../organizations/authorization.ts';
import { isOrganization } from '../../organizations/organizations.ts';
import type { Database, Reader, Transaction } from '../../storage/database.ts';
import { deleteSessionsById } from '../store.ts';
import {
  deleteAllowedAddresses,
  findSessionPolicy,
  selectPoliciesOfUser,
  selectSurplusSessions,
  upsertSessionPolicy,
  type PolicyOfMember,
} from './store.ts';

/** How long a session lasts, in milliseconds. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly absoluteMs: number;
}

/** The limits of the server, which those of organizations can only shorten. */
export const serverLimits: SessionLimits = { idleMs: hoursMs(12), absoluteMs: daysMs(7) };

/** Returns the strictest limits of some policies. */
export function limitsOf(policies: readonly SessionPolicy[]): SessionLimits {
  const idleMs = policies.map(({ idleMinutes = Infinity }) => minutesMs(idleMinutes));
  const absoluteMs = policies.map(({ absoluteHours = Infinity }) => hoursMs(absoluteHours));
  return {
    idleMs: Math.min(serverLimits.idleMs, ...idleMs),
    absoluteMs: Math.min(serverLimits.absoluteMs, ...absoluteMs),
  };
}

/** Returns the policies that apply to a session of a user: of one organization or, if it is null, of all of theirs. */
export async function policiesOfSession(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string | null },
): Promise<PolicyOfMember[]> {
  if (organizationId === null) return selectPoliciesOfUser(reader, userId);
  const policy = await findSessionPolicy(reader, organizationId);
  // A session that is limited to an organization was obtained through its directory, or with a recovery code for it.
  return policy === undefined ? [] : [{ ...policy, lacksSecondFactor: false }];
}

/** Returns the limits by which a session ends: an organization ends only those that open nothing else. */
export const endingLimits = (
  organizationId: string | null | undefined,
  policies: readonly SessionPolicy[],
): SessionLimits =>
  organizationId === null || organizationId === undefined ? serverLimits : limitsOf(policies);

/** Returns a session with the time when it ends by the limits. */
export function withLimits(session: Session, { idleMs, absoluteMs }: SessionLimits): Session {
  const limit = Date.parse(session.createdAt) + absoluteMs;
  return {
    ...session,
    expiresAt: timestamp(Math.min(Date.parse(session.expiresAt), limit)),
    ...(idleMs < serverLimits.idleMs && { idleMinutes: idleMs / minutesMs(1) }),
  };
}

/** Returns the policy of an organization, for its members. */
export async function getSessionPolicy(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<SessionPolicy> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  return readPolicy(reader, organizationId);
}

async function readPolicy(reader: Reader, organizationId: string): Promise<SessionPolicy> {
  const found = await findSessionPolicy(reader, organizationId);
  if (found === undefined) return { addresses: [] };
  const { idleMinutes, absoluteHours, maxSessions, addresses } = found;
  return {
    ...(idleMinutes !== undefined && { idleMinutes }),
    ...(absoluteHours !== undefined && { absoluteHours }),
    ...(maxSessions !== undefined && { maxSessions }),
    addresses,
  };
}

/**
 * Stores the policy of an organization, and ends the sessions that are too many and open nothing else. Throws `invalid_body` for what is neither an address nor a range,
 * and if the actor's own address wouldn't be allowed. Requires permission to manage members and, to change the addresses, an owner.
 */
export function putSessionPolicy(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  actor: Actor,
  organizationId: string,
  policy: SessionPolicy,
  ownAddress: string,
): Promise<SessionPolicy> {
  return database.write(async (transaction) => {
    const role = await requirePermissionToChange(transaction, actor, organizationId, 'member.manage');
    const before = await readPolicy(transaction, organizationId);
    const { addresses = [] } = policy;
    // An admin could otherwise lock out all owners, who couldn't even take the role from them.
    if (!isDeepStrictEqual(addresses, before.addresses)) requireAllowed(role, 'authentication.require');
    checkAddresses(addresses, ownAddress);
    await upsertSessionPolicy(transaction, organizationId, policy);
    const after = await readPolicy(transaction, organizationId);
    const { length } = await endSurplusSessions(transaction, clock, { organizationId, ...after });
    transaction.announce(organizationId);
    const details = { before, after, endedSessions: length };
    await recordAudit(transaction, clock, { organizationId, action: 'session_policy.saved', actor, details });
    return after;
  });
}

/**
 * Allows any address again, for an owner who is locked out. Returns whether addresses were restricted, or undefined if the organization
 * does not exist.
 */
export function allowAllAddresses(
  database: Database,
  clock: Clock,
  organizationId: string,
): Promise<boolean | undefined> {
  return database.write(async (transaction) => {
    if (!(await isOrganization(transaction, organizationId))) return undefined;
    const before = await readPolicy(transaction, organizationId);
    if (!(await deleteAllowedAddresses(transaction, organizationId))) return false;
    const after = { ...before, addresses: [] };
    const entry = { organizationId, action: 'session_policy.saved', details: { before, after } } as const;
    await recordAudit(transaction, clock, entry);
    return true;
  });
}

/** Throws an error that names each text that is neither an address nor a range, and whether the actor's own address is missing. */
function checkAddresses(addresses: readonly string[], ownAddress: string): void {
  const faults: Fault[] = addresses.flatMap((text, index) =>
    parseNetwork(text) === undefined
      ? [
          {
            pointer: `/addresses/${index}`,
            code: 'address',
            message: `“${text}” is neither an IP address nor a range, such as 203.0.113.0/24`,
          },
        ]
      : [],
  );
  if (faults.length === 0 && !isAllowed(ownAddress, addresses)) {
    const message = `must contain the address that you use now, ${ownAddress}, so that you don’t lock yourself out`;
    faults.push({ pointer: '/addresses', code: 'own_address', message });
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

/**
 * Ends the oldest sessions of a user, or of each member, that open only this organization, beyond `maxSessions`; never `exceptId`.
 * Returns their IDs. Sessions that open others, too, go on, and no longer open this one.
 */
export async function endSurplusSessions(
  transaction: Transaction,
  clock: Clock,
  { organizationId, maxSessions, ...policy }: SessionPolicy & { readonly organizationId: string },
  userId?: string,
  exceptId = '',
): Promise<string[]> {
  if (maxSessions === undefined) return [];
  const { idleMs, absoluteMs } = limitsOf([policy]);
  const now = clock();
  const [usedSince, createdSince] = [timestamp(now - idleMs), timestamp(now - absoluteMs)];
  const ids = await selectSurplusSessions(
    transaction,
    { organizationId, maxSessions, usedSince, createdSince, exceptId },
    userId,
  );
  if (ids.length > 0) await deleteSessionsById(transaction, ids);
  return ids;
}

/**
 * Ends the oldest sessions of a member, or of each one, that open only this organization, beyond its limit; never `exceptId`. For
 * people who become members without signing in, and for restored organizations.
 */
export async function applySessionLimit(
  transaction: Transaction,
  clock: Clock,
  {
    organizationId,
    userId,
    exceptId,
  }: { readonly organizationId: string; readonly userId?: string; readonly exceptId?: string },
): Promise<void> {
  const policy = await findSessionPolicy(transaction, organizationId);
  if (policy !== undefined) await endSurplusSessions(transaction, clock, policy, userId, exceptId);
}
