import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const insert = prepare((sql, p: { codeHash: string; organizationId: string; at: string }) =>
  sql
    .insertInto('sso_recovery_codes')
    .values({ code_hash: p.codeHash, organization_id: p.organizationId, created_at: p.at }),
);

const organizationOf = prepare((sql, p: { codeHash: string }) =>
  sql
    .selectFrom('sso_recovery_codes')
    .select('organization_id as organizationId')
    .where('code_hash', '=', p.codeHash),
);

const ofOrganization = prepare((sql, p: { organizationId: string }) =>
  sql.selectFrom('sso_recovery_codes').select('code_hash').where('organization_id', '=', p.organizationId),
);

const remove = prepare((sql, p: { codeHash: string }) =>
  sql.deleteFrom('sso_recovery_codes').where('code_hash', '=', p.codeHash),
);

const removeAll = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_recovery_codes').where('organization_id', '=', p.organizationId),
);

export const insertRecoveryCode = (
  transaction: Transaction,
  input: { codeHash: string; organizationId: string; at: string },
): Promise<number> => transaction.run(insert, input);

/** Returns the organization that a code opens, or undefined. */
export async function findRecoveryOrganization(
  reader: Reader,
  codeHash: string,
): Promise<string | undefined> {
  return (await reader.first(organizationOf, { codeHash }))?.organizationId;
}

export const countRecoveryCodes = async (reader: Reader, organizationId: string): Promise<number> =>
  (await reader.all(ofOrganization, { organizationId })).length;

/** Returns whether it was there: of two uses one succeeds. */
export const deleteRecoveryCode = async (transaction: Transaction, codeHash: string): Promise<boolean> =>
  (await transaction.run(remove, { codeHash })) === 1;

export const deleteRecoveryCodes = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(removeAll, { organizationId });
