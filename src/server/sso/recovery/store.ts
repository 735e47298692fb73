import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const insert = prepare((sql, p: { codeHash: string; organizationId: string; userId: string; at: string }) =>
  sql.insertInto('sso_recovery_codes').values({
    code_hash: p.codeHash,
    organization_id: p.organizationId,
    user_id: p.userId,
    created_at: p.at,
  }),
);

export const insertRecoveryCode = (
  transaction: Transaction,
  input: { codeHash: string; organizationId: string; userId: string; at: string },
): Promise<number> => transaction.run(insert, input);

const byHash = prepare((sql, p: { codeHash: string }) =>
  sql
    .selectFrom('sso_recovery_codes')
    .select(['organization_id as organizationId', 'user_id as userId'])
    .where('code_hash', '=', p.codeHash),
);

/** Returns the organization and the owner of a code, or undefined. */
export const findRecoveryCode = (
  reader: Reader,
  codeHash: string,
): Promise<{ organizationId: string; userId: string } | undefined> => reader.first(byHash, { codeHash });

/** The codes of people who are still owners. */
const ofOrganization = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_recovery_codes')
    .innerJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'sso_recovery_codes.organization_id')
        .onRef('members.user_id', '=', 'sso_recovery_codes.user_id'),
    )
    .select('sso_recovery_codes.user_id as userId')
    .where('sso_recovery_codes.organization_id', '=', p.organizationId)
    .where('members.role', '=', 'owner'),
);

/** Returns the owner of each unused recovery code of an organization. */
export const listRecoveryCodeOwners = async (reader: Reader, organizationId: string): Promise<string[]> =>
  (await reader.all(ofOrganization, { organizationId })).map(({ userId }) => userId);

const remove = prepare((sql, p: { codeHash: string }) =>
  sql.deleteFrom('sso_recovery_codes').where('code_hash', '=', p.codeHash),
);

/** Returns whether it existed, so that only one of two simultaneous uses succeeds. */
export const deleteRecoveryCode = async (transaction: Transaction, codeHash: string): Promise<boolean> =>
  (await transaction.run(remove, { codeHash })) === 1;

const removeOfUser = prepare((sql, p: { organizationId: string; userId: string }) =>
  sql
    .deleteFrom('sso_recovery_codes')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

/** Deletes the codes that a person created. */
export const deleteRecoveryCodes = (
  transaction: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> => transaction.run(removeOfUser, { organizationId, userId });
