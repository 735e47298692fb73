import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import type { StoredSsoConfiguration } from './store.ts';

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('former_sso_configurations')
    .select(['id', 'version', 'created_at as createdAt'])
    .where('organization_id', '=', p.organizationId),
);

/**
 * The part of a deleted configuration that the next one continues: its id, which identities refer to and the registered
 * redirect URI contains, and its version, so that a sign-in that started before can't complete with the next one.
 */
export type FormerConfiguration = Pick<StoredSsoConfiguration, 'id' | 'version' | 'createdAt'>;

/** Returns what remains of an organization's deleted configuration, or undefined. */
export const findFormerConfiguration = (
  reader: Reader,
  organizationId: string,
): Promise<FormerConfiguration | undefined> => reader.first(one, { organizationId });

const upsert = prepare((sql, p: FormerConfiguration & { organizationId: string }) =>
  sql
    .insertInto('former_sso_configurations')
    .values({ organization_id: p.organizationId, id: p.id, version: p.version, created_at: p.createdAt })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ version: p.version })),
);

/** Stores what remains of a configuration that is being deleted. */
export const storeFormerConfiguration = (
  transaction: Transaction,
  { organizationId, id, version, createdAt }: FormerConfiguration & { organizationId: string },
): Promise<number> => transaction.run(upsert, { organizationId, id, version, createdAt });
