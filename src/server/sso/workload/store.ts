import type { Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const update = prepare((sql, p: { id: string; since: string | null }) =>
  sql
    .updateTable('sso_configurations')
    .set(({ eb }) => ({ workload_identity_since: p.since, version: eb('version', '+', 1) }))
    .where('id', '=', p.id),
);

/** Stores since when a configuration uses the workload identity, and ends sign-ins that began with other credentials. */
export const setWorkloadIdentity = (
  transaction: Transaction,
  change: { readonly id: string; readonly since: string | null },
): Promise<number> => transaction.run(update, change);
