import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { StoredSsoConfiguration } from './store.ts';

/**
 * What stays of a configuration that is deleted: people are known by its id, which is in the registered redirect URI
 * too, and its versions go on counting, so that nothing that began with it goes on with the next.
 */
export type FormerConfiguration = Pick<StoredSsoConfiguration, 'id' | 'version' | 'createdAt'>;

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('former_sso_configurations')
    .select(['id', 'version', 'created_at as createdAt'])
    .where('organization_id', '=', p.organizationId),
);

const upsert = prepare((sql, p: FormerConfiguration & { organizationId: string }) =>
  sql
    .insertInto('former_sso_configurations')
    .values({ organization_id: p.organizationId, id: p.id, version: p.version, created_at: p.createdAt })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ version: p.version })),
);

/** Returns what stays of the configuration that an organization had, or undefined. */
export const findFormerConfiguration = (
  reader: Reader,
  organizationId: string,
): Promise<FormerConfiguration | undefined> => reader.first(one, { organizationId });

/** Keeps what stays of a configuration that is being deleted. */
export const keepFormerConfiguration = (
  transaction: Transaction,
  { organizationId, id, version, createdAt }: FormerConfiguration & { organizationId: string },
): Promise<number> => transaction.run(upsert, { organizationId, id, version, createdAt });
