import { sql } from 'kysely';
import type { Waiting } from '../../base/claimed-work.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';

/** The refresh token of a session, and what the session was obtained with. */
export interface StoredRefreshToken {
  readonly sessionId: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly configurationId: string;
  readonly discoveryUrl: string;
  readonly clientId: string;
  /** Sealed. */
  readonly refreshToken: string;
  readonly checkedAt: string;
  readonly dueAt: string;
  readonly failingSince: string | null;
  /** The claims `iss` and `sub` of the sign-in. */
  readonly issuer: string;
  readonly subject: string;
}

type New = Omit<StoredRefreshToken, 'userId' | 'failingSince' | 'issuer' | 'subject'>;

const insert = prepare((db, p: New) =>
  db.insertInto('sso_refresh_tokens').values({
    session_id: p.sessionId,
    organization_id: p.organizationId,
    configuration_id: p.configurationId,
    discovery_url: p.discoveryUrl,
    client_id: p.clientId,
    refresh_token: p.refreshToken,
    checked_at: p.checkedAt,
    due_at: p.dueAt,
    failing_since: null,
    holder: null,
    held_until: null,
  }),
);

/** Stores the refresh token of a session, which is deleted with it. */
export const insertRefreshToken = (transaction: Transaction, token: New): Promise<number> =>
  transaction.run(insert, token);

const all = (db: Sql) =>
  db
    .selectFrom('sso_refresh_tokens')
    .innerJoin('sso_sessions', 'sso_sessions.session_id', 'sso_refresh_tokens.session_id')
    .innerJoin('sessions', 'sessions.id', 'sso_refresh_tokens.session_id')
    .select([
      'sso_refresh_tokens.session_id as sessionId',
      'sessions.user_id as userId',
      'sso_refresh_tokens.organization_id as organizationId',
      'sso_refresh_tokens.configuration_id as configurationId',
      'discovery_url as discoveryUrl',
      'client_id as clientId',
      'refresh_token as refreshToken',
      'checked_at as checkedAt',
      'due_at as dueAt',
      'failing_since as failingSince',
      'sso_sessions.issuer as issuer',
      'sso_sessions.subject as subject',
    ]);

const one = prepare((db, p: { sessionId: string }) =>
  all(db).where('sso_refresh_tokens.session_id', '=', p.sessionId),
);

export const findRefreshToken = (
  reader: Reader,
  sessionId: string,
): Promise<StoredRefreshToken | undefined> => reader.first(one, { sessionId });

/**
 * The times between which a check is not due: a time that is too far in the future was stored before the clock was set
 * back.
 */
export interface Due {
  readonly now: string;
  /** `now`, or later for checks that are made before they are due. */
  readonly dueBy: string;
  readonly latestDue: string;
  readonly latestLease: string;
}

const isDue = (p: Due) =>
  sql<boolean>`(due_at <= ${p.dueBy} or due_at > ${p.latestDue}) and (held_until is null or held_until <= ${p.now} or held_until > ${p.latestLease})`;

const waiting = prepare((db, p: Due) =>
  db
    .selectFrom('sso_refresh_tokens')
    .select(['configuration_id as key', 'organization_id as organizationId'])
    .distinct()
    .where(isDue(p)),
);

/** Returns the configurations for which a check is due. */
export const selectWaitingConfigurations = (reader: Reader, due: Due): Promise<Waiting[]> =>
  reader.all(waiting, due);

const dueOf = prepare((db, p: Due & { configurationId: string; limit: number }) =>
  db
    .selectFrom('sso_refresh_tokens')
    .select('session_id as sessionId')
    .where('configuration_id', '=', p.configurationId)
    .where(isDue(p))
    .orderBy('due_at')
    .orderBy('session_id')
    .limit(p.limit),
);

/** The conditions are checked again, since on PostgreSQL another process may have taken it since it was read. */
const take = prepare((db, p: Due & { sessionId: string; holder: string; until: string }) =>
  db
    .updateTable('sso_refresh_tokens')
    .set({ holder: p.holder, held_until: p.until })
    .where('session_id', '=', p.sessionId)
    .where(isDue(p)),
);

/** Takes a token whose check is due, so that no other process sends it until a time. Returns it as it is now stored. */
export async function takeRefreshToken(
  transaction: Transaction,
  p: { due: Due; sessionId: string; holder: string; until: string },
): Promise<StoredRefreshToken | undefined> {
  const { due, ...claim } = p;
  if ((await transaction.run(take, { ...due, ...claim })) !== 1) return undefined;
  return findRefreshToken(transaction, p.sessionId);
}

/** Takes up to `limit` tokens of a configuration whose checks are due. */
export async function takeRefreshTokens(
  transaction: Transaction,
  { due, ...p }: { due: Due; configurationId: string; limit: number; holder: string; until: string },
): Promise<StoredRefreshToken[]> {
  const { configurationId, limit, holder, until } = p;
  const taken: StoredRefreshToken[] = [];
  for (const { sessionId } of await transaction.all(dueOf, { ...due, configurationId, limit })) {
    const token = await takeRefreshToken(transaction, { due, sessionId, holder, until });
    if (token !== undefined) taken.push(token);
  }
  return taken;
}

interface CheckEnd {
  readonly sessionId: string;
  readonly holder: string;
  readonly refreshToken: string;
  readonly checkedAt: string;
  readonly dueAt: string;
  readonly failingSince: string | null;
}

const end = prepare((db, p: CheckEnd) =>
  db
    .updateTable('sso_refresh_tokens')
    .set({
      holder: null,
      held_until: null,
      refresh_token: p.refreshToken,
      checked_at: p.checkedAt,
      due_at: p.dueAt,
      failing_since: p.failingSince,
    })
    .where('session_id', '=', p.sessionId)
    .where('holder', '=', p.holder),
);

/** Stores how a check has ended; returns false if the session has ended, or another process has taken the token since. */
export const endCheck = async (transaction: Transaction, ended: CheckEnd): Promise<boolean> =>
  (await transaction.run(end, ended)) === 1;

const dueAtOnce = prepare((db, p: { configurationId: string; at: string }) =>
  db
    .updateTable('sso_refresh_tokens')
    .set({ due_at: p.at })
    .where('configuration_id', '=', p.configurationId),
);

/** Makes the checks of a configuration due. */
export const setDue = (
  transaction: Transaction,
  of: { configurationId: string; at: string },
): Promise<number> => transaction.run(dueAtOnce, of);

const remove = prepare((db, p: { configurationId: string }) =>
  db.deleteFrom('sso_refresh_tokens').where('configuration_id', '=', p.configurationId),
);

export const deleteRefreshTokens = (transaction: Transaction, configurationId: string): Promise<number> =>
  transaction.run(remove, { configurationId });

interface Subject {
  readonly configurationId: string;
  readonly issuer: string;
  readonly subject: string;
}

const ofSubject = (db: Sql, p: Subject) =>
  db
    .selectFrom('sso_sessions')
    .select('sso_sessions.session_id')
    .where('sso_sessions.configuration_id', '=', p.configurationId)
    .where('sso_sessions.subject', '=', p.subject)
    .where('sso_sessions.issuer', '=', p.issuer);

const dueOfSubject = prepare((db, p: Subject & { at: string }) =>
  db.updateTable('sso_refresh_tokens').set({ due_at: p.at }).where('session_id', 'in', ofSubject(db, p)),
);

/** Makes the checks of all sessions of a person at a provider due. */
export const setDueOfSubject = (transaction: Transaction, p: Subject & { at: string }): Promise<number> =>
  transaction.run(dueOfSubject, p);

const withoutToken = prepare((db, p: Subject & { until: string }) =>
  ofSubject(db, p)
    .select('sso_sessions.session_id as id')
    .where('sso_sessions.created_at', '<=', p.until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sso_refresh_tokens')
            .select(sql.lit(1).as('one'))
            .whereRef('sso_refresh_tokens.session_id', '=', 'sso_sessions.session_id'),
        ),
      ),
    ),
);

/** Returns the sessions of a person at a provider, created until a time, that have no refresh token and so are not checked. */
export const selectUncheckedSessions = async (
  reader: Reader,
  p: Subject & { until: string },
): Promise<string[]> => (await reader.all(withoutToken, p)).map(({ id }) => id);

const state = prepare((db, p: { configurationId: string }) =>
  db
    .selectFrom('sso_refresh_tokens')
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.max('checked_at').as('checkedAt'),
      fn.min('failing_since').as('failingSince'),
      sql<string | null>`min(case when failing_since is null then due_at end)`.as('dueAt'),
    ])
    .where('configuration_id', '=', p.configurationId),
);

/**
 * Returns how many sessions of a configuration are checked, when one last was, since when checks fail, and when the
 * first of those that don't fail is due.
 */
export async function findChecks(
  reader: Reader,
  configurationId: string,
): Promise<{ count: number; checkedAt: string | null; failingSince: string | null; dueAt: string | null }> {
  const row = await reader.first(state, { configurationId });
  return {
    count: Number(row?.count ?? 0),
    checkedAt: row?.checkedAt ?? null,
    failingSince: row?.failingSince ?? null,
    dueAt: row?.dueAt ?? null,
  };
}
