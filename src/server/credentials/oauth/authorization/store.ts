import type { Reader, Transaction } from '../../../storage/database.ts';
import { prepare } from '../../../storage/prepared-query.ts';

/** What a device asks a person for. */
export interface AuthorizationRequest {
  readonly id: string;
  readonly clientId: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly address: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly intervalSeconds: number;
  readonly lastPolledAt: string | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'used';
  readonly grantId: string | null;
  /** To which a code of authorization was sent; null for devices. */
  readonly redirectUri: string | null;
  readonly codeChallenge: string | null;
}

type NewRequest = Pick<
  AuthorizationRequest,
  | 'id'
  | 'clientId'
  | 'scopes'
  | 'address'
  | 'createdAt'
  | 'expiresAt'
  | 'intervalSeconds'
  | 'status'
  | 'grantId'
  | 'redirectUri'
  | 'codeChallenge'
> & { readonly codeHash: string; readonly userCodeHash: string | null };

const insert = prepare((sql, p: NewRequest) =>
  sql.insertInto('authorization_requests').values({
    id: p.id,
    code_hash: p.codeHash,
    user_code_hash: p.userCodeHash,
    client_id: p.clientId,
    scopes: p.scopes,
    address: p.address,
    created_at: p.createdAt,
    expires_at: p.expiresAt,
    interval_seconds: p.intervalSeconds,
    status: p.status,
    grant_id: p.grantId,
    redirect_uri: p.redirectUri,
    code_challenge: p.codeChallenge,
  }),
);

export const insertRequest = (transaction: Transaction, request: NewRequest): Promise<number> =>
  transaction.run(insert, request);

const find = prepare((sql, p: { codeHash: string | undefined; userCodeHash: string | undefined }) => {
  const requests = sql
    .selectFrom('authorization_requests')
    .select([
      'id',
      'client_id as clientId',
      'scopes',
      'address',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'interval_seconds as intervalSeconds',
      'last_polled_at as lastPolledAt',
      'status',
      'grant_id as grantId',
      'redirect_uri as redirectUri',
      'code_challenge as codeChallenge',
    ]);
  return p.codeHash === undefined
    ? requests.where('user_code_hash', '=', p.userCodeHash ?? '')
    : requests.where('code_hash', '=', p.codeHash);
});

/** Sound because `status` only ever holds one of these. */
const toRequest = (row: Omit<AuthorizationRequest, 'status'> & { status: string }): AuthorizationRequest =>
  row as AuthorizationRequest;

export async function findRequest(
  reader: Reader,
  by: { readonly codeHash: string } | { readonly userCodeHash: string },
): Promise<AuthorizationRequest | undefined> {
  const row = await reader.first(find, { codeHash: undefined, userCodeHash: undefined, ...by });
  return row && toRequest(row);
}

const decide = prepare((sql, p: { id: string; status: string; grantId: string | null }) =>
  sql
    .updateTable('authorization_requests')
    .set({ status: p.status, grant_id: p.grantId })
    .where('id', '=', p.id)
    .where('status', '=', 'pending'),
);

/** Stores a decision. Returns false if someone has already decided. */
export const decideRequest = async (
  transaction: Transaction,
  id: string,
  decision: { readonly status: 'approved' | 'denied'; readonly grantId: string | null },
): Promise<boolean> => (await transaction.run(decide, { id, ...decision })) === 1;

const poll = prepare((sql, p: { id: string; at: string; intervalSeconds: number }) =>
  sql
    .updateTable('authorization_requests')
    .set({ last_polled_at: p.at, interval_seconds: p.intervalSeconds })
    .where('id', '=', p.id),
);

export const recordPoll = (
  transaction: Transaction,
  use: { id: string; at: string; intervalSeconds: number },
): Promise<number> => transaction.run(poll, use);

const use = prepare((sql, p: { id: string }) =>
  sql
    .updateTable('authorization_requests')
    .set({ status: 'used' })
    .where('id', '=', p.id)
    .where('status', '=', 'approved'),
);

/** Marks a code of authorization as used. Returns whether it wasn't. */
export const useRequest = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.run(use, { id })) === 1;

const remove = prepare((sql, p: { id: string }) =>
  sql.deleteFrom('authorization_requests').where('id', '=', p.id),
);

/** Deletes a request. Returns whether it was there. */
export const deleteRequest = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.run(remove, { id })) === 1;

const removeExpired = prepare((sql, p: { before: string }) =>
  sql.deleteFrom('authorization_requests').where('expires_at', '<', p.before),
);

export const deleteExpiredRequests = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeExpired, { before });
