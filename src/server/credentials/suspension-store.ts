import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const confirm = prepare((sql, p: { id: string }) =>
  sql
    .updateTable('tokens')
    .set({ suspended_at: null })
    .where('suspended_at', 'is not', null)
    .where(({ or, eb }) => or([eb('id', '=', p.id), eb('parent_id', '=', p.id)])),
);

/** Ends the suspension of a token, and of the access tokens that were got by it. Returns 0 if none is suspended. */
export const endSuspensionOfToken = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run(confirm, { id });

const suspended = prepare((sql, p: { organizationId: string; limit: number }) =>
  sql
    .selectFrom('tokens')
    .select(['id', 'name', 'user_id as userId'])
    .where('organization_id', '=', p.organizationId)
    .where('suspended_at', 'is not', null)
    .where('kind', '!=', 'access')
    .limit(p.limit),
);

/** Returns the first tokens of an organization that a restore has suspended, without the access tokens that were got by them. */
export const selectSuspendedTokens = (
  reader: Reader,
  selection: { readonly organizationId: string; readonly limit: number },
): Promise<{ id: string; name: string; userId: string }[]> => reader.all(suspended, selection);

const count = prepare((sql) =>
  sql
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('suspended_at', 'is not', null)
    .where('kind', '!=', 'access'),
);

/** Returns how many tokens of the server a restore has suspended, and nobody has confirmed or revoked yet. */
export const countSuspendedTokens = async (reader: Reader): Promise<number> =>
  Number((await reader.first(count, {}))?.count ?? 0);
