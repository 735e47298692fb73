import type { TokenPolicy } from '#contract/credentials/tokens.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const policy = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('organizations')
    .select(['personal_tokens as personalTokens', 'max_token_days as maxDays'])
    .where('id', '=', p.organizationId),
);

/** Returns the policy of an organization that exists. */
export async function findTokenPolicy(reader: Reader, organizationId: string): Promise<TokenPolicy> {
  const { personalTokens = 0, maxDays = 0 } = (await reader.first(policy, { organizationId })) ?? {};
  return { personalTokens: personalTokens === 1, maxDays };
}

const setPolicy = prepare((sql, p: { organizationId: string; personalTokens: number; maxDays: number }) =>
  sql
    .updateTable('organizations')
    .set({ personal_tokens: p.personalTokens, max_token_days: p.maxDays })
    .where('id', '=', p.organizationId),
);

export const updateTokenPolicy = (
  transaction: Transaction,
  organizationId: string,
  { personalTokens, maxDays }: TokenPolicy,
): Promise<number> =>
  transaction.run(setPolicy, { organizationId, personalTokens: personalTokens ? 1 : 0, maxDays });

const removeAccess = prepare((sql, p: { organizationId: string; createdBefore: string }) =>
  sql
    .deleteFrom('tokens')
    .where('organization_id', '=', p.organizationId)
    .where('kind', '=', 'access')
    .where('parent_id', 'in', ({ selectFrom }) =>
      selectFrom('tokens as parents')
        .select('parents.id')
        .where('parents.organization_id', '=', p.organizationId)
        .where('parents.kind', '!=', 'access')
        .where('parents.created_at', '<=', p.createdBefore),
    ),
);

/** Deletes the access tokens that were got by what was created until a time, which a new policy ends. */
export const deleteAccessTokensOfOld = (
  transaction: Transaction,
  old: { readonly organizationId: string; readonly createdBefore: string },
): Promise<number> => transaction.run(removeAccess, old);
