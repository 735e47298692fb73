import type { Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const removeOfMember = prepare((sql, p: { organizationId: string; userId: string }) =>
  sql.deleteFrom('tokens').where('organization_id', '=', p.organizationId).where('user_id', '=', p.userId),
);

/** Deletes the tokens of a member for an organization, so that a new membership doesn't revive them. */
export const deleteTokensOfMember = (
  transaction: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> => transaction.run(removeOfMember, { organizationId, userId });

const removeOfPerson = prepare((sql, p: { userId: string }) =>
  sql
    .deleteFrom('tokens')
    .where('user_id', '=', p.userId)
    .where('kind', '!=', 'access')
    .returning('organization_id as organizationId'),
);

/** Deletes the tokens and authorizations of a person, with the access tokens got by them; returns the organization of each. */
export const deleteTokensOfPerson = async (transaction: Transaction, userId: string): Promise<string[]> =>
  (await transaction.all(removeOfPerson, { userId })).map(({ organizationId }) => organizationId);

const removeExpired = prepare((sql, p: { before: string }) =>
  sql.deleteFrom('tokens').where('expires_at', '<', p.before),
);

const removeExpiredAccess = prepare((sql, p: { before: string }) =>
  sql.deleteFrom('tokens').where('kind', '=', 'access').where('expires_at', '<', p.before),
);

/** Deletes the access tokens that expired before a time: no list shows them. */
export const deleteExpiredAccessTokens = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeExpiredAccess, { before });

export const deleteExpiredTokens = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeExpired, { before });
