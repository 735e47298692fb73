import type { Token } from '#contract/credentials/tokens.ts';
import type { TokenScope } from '#contract/scopes.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import { lacksSecondFactor } from '../organizations/second-factors/requirement.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare, prepareRemembered, type Sql } from '../storage/prepared-query.ts';
import type { Audience } from './audience.ts';

const separator = ' ';

/** Sound because `tokens.scopes` only ever holds scopes of the contract. */
const toScopes = (text: string): TokenScope[] => text.split(separator) as TokenScope[];

interface NewRow extends Pick<
  StoredToken,
  'id' | 'name' | 'organizationId' | 'userId' | 'createdAt' | 'createdBy' | 'expiresAt'
> {
  scopes: string;
  tokenHash: string;
  type: StoredType;
  publicKey: string | null;
  parentId: string | null;
  audience: Audience | null;
}

const insert = prepare((sql, p: NewRow) =>
  sql.insertInto('tokens').values({
    id: p.id,
    token_hash: p.tokenHash,
    user_id: p.userId,
    organization_id: p.organizationId,
    name: p.name,
    scopes: p.scopes,
    created_at: p.createdAt,
    created_by: p.createdBy,
    expires_at: p.expiresAt,
    kind: p.type,
    public_key: p.publicKey,
    parent_id: p.parentId,
    audience: p.audience,
  }),
);

export const insertToken = (
  transaction: Transaction,
  token: Omit<NewRow, 'scopes'> & { readonly scopes: readonly TokenScope[] },
): Promise<number> => transaction.run(insert, { ...token, scopes: token.scopes.join(separator) });

/** The types of the contract, and the access tokens that were got by them, which are not listed. */
export type StoredType = Token['type'] | 'access';

/** A token with everything that decides whether it is valid. Without a membership there is no row. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly scopes: TokenScope[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly lastUsedAddress: string | null;
  readonly type: StoredType;
  readonly publicKey: string | null;
  /** The only part of the server that the token is for; null if it is for all of it. */
  readonly audience: Audience | null;
  /** What an access token was got by. */
  readonly parentId: string | null;
  readonly isServiceAccount: boolean;
  readonly disabledAt: string | null;
  /** When a restore suspended it. */
  readonly suspendedAt: string | null;
  /** When the member last signed in through the directory of the organization. */
  readonly directorySignInAt: string | null;
  readonly requireSso: boolean;
  readonly personalTokens: boolean;
  readonly maxDays: number;
  /** Those of the session policy, in JSON; null without a policy. */
  readonly addresses: string | null;
  /** Whether the organization requires a second factor that the account doesn't have. */
  readonly lacksSecondFactor: boolean;
}

/** The part of a token that decides what a request with it may do. */
export type CheckedToken = Omit<StoredToken, 'name' | 'createdBy' | 'lastUsedAddress' | 'publicKey'>;

const selectChecked = (sql: Sql) =>
  sql
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .innerJoin('organizations', 'organizations.id', 'tokens.organization_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'tokens.organization_id')
        .onRef('members.user_id', '=', 'tokens.user_id'),
    )
    .leftJoin('session_policies', 'session_policies.organization_id', 'tokens.organization_id')
    .select([
      'tokens.id',
      'tokens.organization_id as organizationId',
      'tokens.user_id as userId',
      'tokens.scopes',
      'tokens.created_at as createdAt',
      'tokens.expires_at as expiresAt',
      'tokens.last_used_at as lastUsedAt',
      'tokens.kind as type',
      'tokens.audience',
      'tokens.parent_id as parentId',
      'tokens.suspended_at as suspendedAt',
      'users.is_service_account as isServiceAccount',
      'users.disabled_at as disabledAt',
      'members.directory_sign_in_at as directorySignInAt',
      'organizations.require_sso as requireSso',
      'organizations.personal_tokens as personalTokens',
      'organizations.max_token_days as maxDays',
      'session_policies.addresses',
      lacksSecondFactor.as('lacksSecondFactor'),
    ]);

const select = (sql: Sql) =>
  selectChecked(sql).select([
    'tokens.name',
    'tokens.created_by as createdBy',
    'tokens.last_used_address as lastUsedAddress',
    'tokens.public_key as publicKey',
  ]);

type Flag = 'isServiceAccount' | 'requireSso' | 'personalTokens' | 'lacksSecondFactor';
type Row<Token> = Omit<Token, 'scopes' | 'type' | 'audience' | Flag> &
  Record<Flag, number> & {
    scopes: string;
    type: string;
    audience: string | null;
  };

const toStored = (row: Row<StoredToken>): StoredToken => ({ ...row, ...toChecked(row) });

const toChecked = (row: Row<CheckedToken>): CheckedToken => ({
  ...row,
  // Sound because the columns only ever hold one of these.
  type: row.type as StoredType,
  audience: row.audience as Audience | null,
  scopes: toScopes(row.scopes),
  isServiceAccount: row.isServiceAccount === 1,
  requireSso: row.requireSso === 1,
  personalTokens: row.personalTokens === 1,
  lacksSecondFactor: row.lacksSecondFactor === 1,
});

const byHash = prepareRemembered((sql, p: { tokenHash: string }) =>
  select(sql).where('tokens.token_hash', '=', p.tokenHash),
);

const checkedByHash = prepareRemembered((sql, p: { tokenHash: string }) =>
  selectChecked(sql).where('tokens.token_hash', '=', p.tokenHash),
);

/** Returns what decides what a request with a token may do. */
export async function findCheckedToken(reader: Reader, tokenHash: string): Promise<CheckedToken | undefined> {
  const row = await reader.first(checkedByHash, { tokenHash });
  return row && toChecked(row);
}

export async function findTokenByHash(reader: Reader, tokenHash: string): Promise<StoredToken | undefined> {
  const row = await reader.first(byHash, { tokenHash });
  return row && toStored(row);
}

const byIds = prepare((sql, p: { ids: readonly string[] }) => select(sql).where('tokens.id', 'in', p.ids));

export const selectTokensById = async (reader: Reader, ids: readonly string[]): Promise<StoredToken[]> =>
  (await reader.all(byIds, { ids })).map(toStored);

const touch = prepare((sql, p: { ids: readonly string[]; at: string; address: string }) =>
  sql
    .updateTable('tokens')
    .set({ last_used_at: p.at, last_used_address: p.address })
    .where('id', 'in', p.ids),
);

/** Records a use of a token and, for an access token, of what it was got by, which lists show. */
export const touchToken = (
  transaction: Transaction,
  {
    token: { id, parentId },
    ...use
  }: { token: Pick<StoredToken, 'id' | 'parentId'>; at: string; address: string },
): Promise<number> => transaction.run(touch, { ...use, ids: parentId === null ? [id] : [parentId, id] });

interface Selection {
  /** Only tokens of this user. */
  readonly userId?: string | undefined;
  /** Only tokens for this organization. */
  readonly organizationId?: string | undefined;
}

const list = prepare((sql, p: Selection & { before: string; limit: number }) => {
  let tokens = select(sql).where('tokens.id', '<', p.before).where('tokens.kind', '!=', 'access');
  if (p.userId !== undefined) tokens = tokens.where('tokens.user_id', '=', p.userId);
  if (p.organizationId !== undefined) tokens = tokens.where('tokens.organization_id', '=', p.organizationId);
  return tokens.orderBy('tokens.id', 'desc').limit(p.limit);
});

/** Returns the first rows of a page, newest first. */
export const selectTokens = async (
  reader: Reader,
  selection: Selection,
  page: PageRequest,
): Promise<FirstRows<StoredToken>> => {
  const rows = await reader.page(list, {
    userId: selection.userId,
    organizationId: selection.organizationId,
    before: page.after ?? '~',
    limit: page.limit,
  });
  return mapRows(rows, toStored);
};

export const findToken = async (reader: Reader, id: string): Promise<StoredToken | undefined> =>
  (await selectTokensById(reader, [id]))[0];

const remove = prepare((sql, p: { id: string }) => sql.deleteFrom('tokens').where('id', '=', p.id));

const children = prepare((sql, p: { id: string; after: string }) =>
  sql.selectFrom('tokens').select(['id']).where('parent_id', '=', p.id).where('expires_at', '>', p.after),
);

/** Returns the IDs of the access tokens that were got by a token and have not expired. */
export const selectAccessTokens = async (reader: Reader, id: string, now: string): Promise<string[]> =>
  (await reader.all(children, { id, after: now })).map((row) => row.id);

/** Deletes a token, and the access tokens that were got by it. */
export async function deleteToken(transaction: Transaction, id: string): Promise<void> {
  for (const child of await selectAccessTokens(transaction, id, '')) transaction.announce(child);
  transaction.announce(id);
  await transaction.run(remove, { id });
}
