import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const insert = prepare((sql, p: { sessionId: string; idToken: string }) =>
  sql.insertInto('sso_id_tokens').values({ session_id: p.sessionId, id_token: p.idToken }),
);

/** Stores the sealed ID token of a session, which is deleted with it. */
export const insertIdToken = (
  transaction: Transaction,
  input: { sessionId: string; idToken: string },
): Promise<number> => transaction.run(insert, input);

const ofSession = prepare((sql, p: { sessionId: string }) =>
  sql.selectFrom('sso_id_tokens').select('id_token as idToken').where('session_id', '=', p.sessionId),
);

/** Returns the sealed ID token of a session, or undefined. */
export const findIdToken = async (reader: Reader, sessionId: string): Promise<string | undefined> =>
  (await reader.first(ofSession, { sessionId }))?.idToken;
