import { sql, type ExpressionBuilder } from 'kysely';
import type { Session, SessionMethod, SignedIn } from '#contract/accounts/sessions.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, prepareRemembered, type Sql } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';

/** The user of a session, and how they signed in to it. */
export interface SessionOwner {
  readonly id: string;
  readonly userId: string;
  /** The organization that the session is limited to. */
  readonly organizationId: string | null;
  readonly method: SessionMethod;
  readonly confirmedAt: string | null;
  /** The IDs of the organizations that have its address in their log, after a space each; null if it isn't to be recorded. */
  readonly openedOrganizations: string | null;
}

export interface NewSession extends SessionOwner {
  readonly tokenHash: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface SessionRow {
  id: string;
  method: string;
  organizationId: string | null;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
}

/** Sound because `sessions.method` only ever holds a method of the contract. */
const toSession = (row: SessionRow): Session => ({
  id: row.id,
  method: row.method as SessionMethod,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  expiresAt: row.expiresAt,
  ...(row.organizationId !== null && { organizationId: row.organizationId }),
  ...(row.userAgent !== null && { userAgent: row.userAgent }),
  ...(row.address !== null && { address: row.address }),
});

/** The times of a session that was deleted. */
export type EndedTimes = Pick<SessionTimes, 'createdAt' | 'lastUsedAt' | 'expiresAt'>;

/**
 * The values that determine whether a session has ended; `role` is the role in its organization, if it is limited to
 * one.
 */
export interface SessionTimes {
  readonly organizationId: string | null;
  readonly role: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** Whether one of the person's organizations has a policy for sessions. */
  readonly hasPolicies: boolean;
  /** The longest time for which it was not used, between two uses. */
  readonly longestPauseMs: number;
}

const insert = prepare((sql, p: NewSession) =>
  sql.insertInto('sessions').values({
    id: p.id,
    token_hash: p.tokenHash,
    user_id: p.userId,
    organization_id: p.organizationId,
    method: p.method,
    user_agent: p.userAgent,
    address: p.address,
    created_at: p.createdAt,
    last_used_at: p.createdAt,
    expires_at: p.expiresAt,
    confirmed_at: p.confirmedAt,
    opened_organizations: p.openedOrganizations,
  }),
);

export const insertSession = (transaction: Transaction, session: NewSession): Promise<number> =>
  transaction.run(insert, session);

/** Sessions with the columns that determine whether they have ended. */
const selectTimes = (sql: Sql) =>
  sql
    .selectFrom('sessions')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'sessions.organization_id')
        .onRef('members.user_id', '=', 'sessions.user_id'),
    )
    .select([
      'sessions.id',
      'sessions.user_id as userId',
      'sessions.organization_id as organizationId',
      'sessions.method',
      'sessions.created_at as createdAt',
      'sessions.last_used_at as lastUsedAt',
      'sessions.expires_at as expiresAt',
      'sessions.confirmed_at as confirmedAt',
      'sessions.longest_pause_ms as longestPauseMs',
      'sessions.opened_organizations as openedOrganizations',
      'members.role',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('members as memberships')
          .innerJoin('session_policies', 'session_policies.organization_id', 'memberships.organization_id')
          .select('memberships.user_id')
          .whereRef('memberships.user_id', '=', 'sessions.user_id'),
      ).as('hasPolicies'),
    );

/** The engines return truth values as different types. */
const toTimes = <Row extends { readonly hasPolicies: unknown }>(row: Row) => ({
  ...row,
  hasPolicies: Boolean(row.hasPolicies),
});

const byToken = prepareRemembered((sql, p: { tokenHash: string }) =>
  selectTimes(sql).where('sessions.token_hash', '=', p.tokenHash),
);

/** Returns the session of a token's hash, ended or not. */
export async function findSessionByToken(
  reader: Reader,
  tokenHash: string,
): Promise<(SessionTimes & SessionOwner) | undefined> {
  const row = await reader.first(byToken, { tokenHash });
  // Sound because `sessions.method` only ever holds a method of the contract.
  return row && (toTimes(row) as SessionTimes & SessionOwner);
}

interface Use {
  readonly id: string;
  readonly at: string;
  /** For how long it was not used before. */
  readonly pauseMs: number;
}

const touch = prepare((sql, p: Use) =>
  sql
    .updateTable('sessions')
    .set(({ eb, ref }) => ({
      last_used_at: p.at,
      longest_pause_ms: eb
        .case()
        .when('longest_pause_ms', '<', p.pauseMs)
        .then(p.pauseMs)
        .else(ref('longest_pause_ms'))
        .end(),
    }))
    .where('id', '=', p.id),
);

export const touchSession = (transaction: Transaction, use: Use): Promise<number> =>
  transaction.run(touch, use);

const addOpened = prepare((db, p: { id: string; organizationId: string }) =>
  db
    .updateTable('sessions')
    .set({ opened_organizations: sql<string>`opened_organizations || ' ' || ${p.organizationId}` })
    .where('id', '=', p.id)
    .where('address', 'is not', null)
    .where(sql<boolean>`opened_organizations not like '%' || ${p.organizationId} || '%'`)
    .returning('address'),
);

/** Adds an organization to those that a session has opened. Returns its address; undefined if it has opened it before. */
export const addOpenedOrganization = async (
  transaction: Transaction,
  opened: { readonly id: string; readonly organizationId: string },
): Promise<string | undefined> => (await transaction.first(addOpened, opened))?.address ?? undefined;

const confirm = prepare((sql, p: { id: string; at: string }) =>
  sql.updateTable('sessions').set({ confirmed_at: p.at }).where('id', '=', p.id),
);

export const updateConfirmedAt = (transaction: Transaction, id: string, at: string): Promise<number> =>
  transaction.run(confirm, { id, at });

const columns = [
  'sessions.id',
  'sessions.method',
  'sessions.organization_id as organizationId',
  'sessions.user_agent as userAgent',
  'sessions.address',
  'sessions.created_at as createdAt',
  'sessions.last_used_at as lastUsedAt',
  'sessions.expires_at as expiresAt',
] as const;

const withUser = prepareRemembered((sql, p: { id: string }) =>
  sql
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...columns, 'users.id as userId', 'users.email', 'users.name'])
    .where('sessions.id', '=', p.id),
);

export async function findSessionWithUser(reader: Reader, id: string): Promise<SignedIn | undefined> {
  const row = await reader.first(withUser, { id });
  return row && { user: { id: row.userId, email: row.email, name: row.name }, session: toSession(row) };
}

const list = prepare(
  (sql, p: { userId: string; now: string; usedSince: string; before: string; limit: number }) =>
    sql
      .selectFrom('sessions')
      .select(columns)
      .where('user_id', '=', p.userId)
      .where('expires_at', '>', p.now)
      .where('last_used_at', '>', p.usedSince)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
);

/** Returns the first rows of a page, newest first, of the sessions in use since `usedSince`. */
export async function selectSessions(
  reader: Reader,
  scope: { userId: string; now: string; usedSince: string },
  page: PageRequest,
): Promise<FirstRows<Session>> {
  return mapRows(
    await reader.page(list, { ...scope, before: page.after ?? '~', limit: page.limit }),
    toSession,
  );
}

const remove = prepare((sql, p: { id: string; userId: string }) =>
  sql.deleteFrom('sessions').where('id', '=', p.id).where('user_id', '=', p.userId),
);

/** Returns whether the user had such a session. */
export async function deleteSession(transaction: Transaction, id: string, userId: string): Promise<boolean> {
  const isDeleted = (await transaction.run(remove, { id, userId })) === 1;
  if (isDeleted) transaction.announce(id);
  return isDeleted;
}

const removeByIds = prepare((sql, p: { ids: readonly string[] }) =>
  sql.deleteFrom('sessions').where('id', 'in', p.ids).returning('user_id as userId'),
);

/** Deletes sessions; returns the user of each. */
export async function deleteSessionsById(
  transaction: Transaction,
  ids: readonly string[],
): Promise<string[]> {
  for (const id of ids) transaction.announce(id);
  return (await transaction.all(removeByIds, { ids })).map(({ userId }) => userId);
}

const endedColumns = [
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
] as const;

const removeOthers = prepare((sql, p: { userId: string; exceptId: string }) =>
  sql
    .deleteFrom('sessions')
    .where('user_id', '=', p.userId)
    .where('id', '<>', p.exceptId)
    .returning(endedColumns),
);

/** Deletes the sessions of a user except `exceptId`, if that is set; returns their times. */
export async function deleteOtherSessions(
  transaction: Transaction,
  session: { userId: string; exceptId: string },
): Promise<EndedTimes[]> {
  transaction.announce(session.userId);
  return transaction.all(removeOthers, session);
}

interface OfConfiguration {
  readonly organizationId: string;
  readonly configurationId: string;
}

/** The sessions that were obtained through one of the organization's identity providers. */
const isOfConfiguration =
  ({ organizationId, configurationId }: OfConfiguration) =>
  ({ and, eb, exists, selectFrom }: ExpressionBuilder<Tables, 'sessions'>) =>
    and([
      eb('sessions.organization_id', '=', organizationId),
      eb('sessions.method', '=', 'sso' satisfies SessionMethod),
      exists(
        selectFrom('sso_sessions')
          .select('sso_sessions.session_id')
          .whereRef('sso_sessions.session_id', '=', 'sessions.id')
          .where('sso_sessions.configuration_id', '=', configurationId),
      ),
    ]);

const removeOfConfiguration = prepare((sql, p: OfConfiguration) =>
  sql.deleteFrom('sessions').where(isOfConfiguration(p)),
);

export async function deleteSsoSessions(transaction: Transaction, of: OfConfiguration): Promise<void> {
  transaction.announce(of.organizationId);
  await transaction.run(removeOfConfiguration, of);
}

const countOfConfiguration = prepare((sql, p: OfConfiguration & { now: string; usedSince: string }) =>
  sql
    .selectFrom('sessions')
    .select((select) => select.fn.countAll().as('count'))
    .where(isOfConfiguration(p))
    .where('expires_at', '>', p.now)
    .where('last_used_at', '>', p.usedSince),
);

/** Returns how many sessions through an identity provider are in use since `usedSince`. */
export async function countSsoSessionsUsed(
  reader: Reader,
  scope: OfConfiguration & { now: string; usedSince: string },
): Promise<number> {
  return Number((await reader.first(countOfConfiguration, scope))?.count);
}

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

const removeOfMember = (alsoUnlimited: boolean) =>
  prepare((sql, p: MemberKey) =>
    sql
      .deleteFrom('sessions')
      .where('user_id', '=', p.userId)
      .where(({ or, eb }) =>
        or([
          eb('organization_id', '=', p.organizationId),
          ...(alsoUnlimited ? [eb('organization_id', 'is', null)] : []),
        ]),
      )
      .returning(endedColumns),
  );
const removeLimited = removeOfMember(false);
const removeUsable = removeOfMember(true);

/** Deletes the sessions of a member that are limited to the organization or, with `alsoUnlimited`, to none. Returns their times. */
export async function deleteSessionsOfMember(
  transaction: Transaction,
  member: MemberKey,
  { alsoUnlimited }: { readonly alsoUnlimited: boolean },
): Promise<EndedTimes[]> {
  transaction.announce(member.userId);
  return transaction.all(alsoUnlimited ? removeUsable : removeLimited, member);
}

const byIds = prepare((sql, p: { ids: readonly string[] }) =>
  selectTimes(sql).where('sessions.id', 'in', p.ids),
);

/** Returns those of the sessions that exist, ended or not. */
export const selectSessionsById = async (
  reader: Reader,
  ids: readonly string[],
): Promise<(SessionTimes & { id: string; userId: string })[]> =>
  (await reader.all(byIds, { ids })).map(toTimes);

const removeEnded = prepare((sql, p: { now: string; usedSince: string }) =>
  sql
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', p.now), where('last_used_at', '<=', p.usedSince)])),
);

export const deleteEndedSessions = (
  transaction: Transaction,
  now: string,
  usedSince: string,
): Promise<number> => transaction.run(removeEnded, { now, usedSince });

const open = prepare((sql, p: { now: string; usedSince: string; limit: number }) =>
  sql
    .selectFrom(
      sql
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '>', p.now)
        .where('last_used_at', '>', p.usedSince)
        .limit(p.limit)
        .as('open'),
    )
    .select((select) => select.fn.countAll().as('count')),
);

/** Returns how many sessions are open, counting up to `limit`. */
export async function countSessionsUsed(
  reader: Reader,
  scope: { now: string; usedSince: string; limit: number },
): Promise<number> {
  return Number((await reader.first(open, scope))?.count);
}
