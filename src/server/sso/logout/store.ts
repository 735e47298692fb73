import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A session here, and the session at the identity provider with which it was obtained. */
export interface DirectorySession {
  readonly sessionId: string;
  readonly configurationId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly providerSessionId: string | null;
  readonly createdAt: string;
}

const insert = prepare((sql, p: DirectorySession) =>
  sql.insertInto('sso_sessions').values({
    session_id: p.sessionId,
    configuration_id: p.configurationId,
    issuer: p.issuer,
    subject: p.subject,
    provider_session_id: p.providerSessionId,
    created_at: p.createdAt,
  }),
);

/** Stores the session at the provider of a new session here. The row is deleted with that session. */
export const insertDirectorySession = (
  transaction: Transaction,
  session: DirectorySession,
): Promise<number> => transaction.run(insert, session);

const configurationOf = prepare((sql, p: { sessionId: string }) =>
  sql
    .selectFrom('sso_sessions')
    .select('configuration_id as configurationId')
    .where('session_id', '=', p.sessionId),
);

/** Returns the id of the configuration that a session was obtained through, or undefined. */
export const findConfigurationOfSession = async (
  reader: Reader,
  sessionId: string,
): Promise<string | undefined> => (await reader.first(configurationOf, { sessionId }))?.configurationId;

const bySubject = prepare(
  (sql, p: { configurationId: string; issuer: string; subject: string; until: string }) =>
    sql
      .selectFrom('sso_sessions')
      .select(['session_id as id', 'provider_session_id as providerSessionId'])
      .where('configuration_id', '=', p.configurationId)
      .where('subject', '=', p.subject)
      .where('issuer', '=', p.issuer)
      .where('created_at', '<=', p.until),
);

/** Returns the sessions of a subject that were created until a time. */
export const selectSessionsOfSubject = (
  reader: Reader,
  of: { configurationId: string; issuer: string; subject: string; until: string },
): Promise<{ id: string; providerSessionId: string | null }[]> => reader.all(bySubject, of);

const byProviderSession = prepare((sql, p: { configurationId: string; providerSessionId: string }) =>
  sql
    .selectFrom('sso_sessions')
    .select(['session_id as id', 'issuer'])
    .where('configuration_id', '=', p.configurationId)
    .where('provider_session_id', '=', p.providerSessionId),
);

/** Returns the sessions that were obtained with a session of a provider. */
export const selectSessionsOfProviderSession = (
  reader: Reader,
  of: { configurationId: string; providerSessionId: string },
): Promise<{ id: string; issuer: string }[]> => reader.all(byProviderSession, of);
