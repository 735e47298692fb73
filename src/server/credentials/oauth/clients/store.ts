import type { Reader, Transaction } from '../../../storage/database.ts';
import { prepare } from '../../../storage/prepared-query.ts';

/** A program that people authorize, and that has no secret. */
export interface PublicClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Whether it belongs to this server. Others registered themselves, under any name. */
  readonly isBuiltIn: boolean;
}

const separator = ' ';

const insert = prepare((sql, p: { id: string; name: string; redirectUris: string; createdAt: string }) =>
  sql
    .insertInto('oauth_clients')
    .values({ id: p.id, name: p.name, redirect_uris: p.redirectUris, created_at: p.createdAt }),
);

/** Stores a client, whose URIs have no spaces. */
export const insertClient = (
  transaction: Transaction,
  { redirectUris, ...client }: Omit<PublicClient, 'isBuiltIn'>,
  createdAt: string,
): Promise<number> =>
  transaction.run(insert, { ...client, redirectUris: redirectUris.join(separator), createdAt });

const find = prepare((sql, p: { id: string }) =>
  sql
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris as redirectUris'])
    .where('id', '=', p.id),
);

export async function findClient(reader: Reader, id: string): Promise<PublicClient | undefined> {
  const row = await reader.first(find, { id });
  return row && { ...row, redirectUris: row.redirectUris.split(separator), isBuiltIn: false };
}

const removeUnused = prepare((sql, p: { before: string }) =>
  sql
    .deleteFrom('oauth_clients')
    .where('created_at', '<', p.before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tokens')
            .select('tokens.id')
            .whereRef('tokens.public_key', '=', 'oauth_clients.id')
            .where('tokens.kind', '=', 'authorization'),
        ),
      ),
    ),
);

export const deleteUnusedClients = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeUnused, { before });
