import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface NewTest {
  readonly id: string;
  readonly organizationId: string;
  readonly configurationId: string;
  readonly at: string;
}

const insert = prepare((sql, p: NewTest) =>
  sql.insertInto('sso_tests').values({
    id: p.id,
    organization_id: p.organizationId,
    configuration_id: p.configurationId,
    result: null,
    created_at: p.at,
  }),
);

const one = prepare((sql, p: { id: string; organizationId: string; since: string }) =>
  sql
    .selectFrom('sso_tests')
    .select(['configuration_id as configurationId', 'result', 'created_at as createdAt'])
    .where('id', '=', p.id)
    .where('organization_id', '=', p.organizationId)
    .where('created_at', '>', p.since),
);

const update = prepare((sql, p: { id: string; result: string }) =>
  sql.updateTable('sso_tests').set({ result: p.result }).where('id', '=', p.id),
);

const removeOld = prepare((sql, p: { before: string }) =>
  sql.deleteFrom('sso_tests').where('created_at', '<=', p.before),
);

export const insertSsoTest = (transaction: Transaction, input: NewTest): Promise<number> =>
  transaction.run(insert, input);

/** Returns a test that was started after `since`; `result` is JSON, or null while the sign-in is in progress. */
export const findSsoTest = (
  reader: Reader,
  input: { id: string; organizationId: string; since: string },
): Promise<{ configurationId: string; result: string | null; createdAt: string } | undefined> =>
  reader.first(one, input);

export const updateSsoTest = (transaction: Transaction, id: string, result: string): Promise<number> =>
  transaction.run(update, { id, result });

export const deleteOldSsoTests = (transaction: Transaction, before: string): Promise<number> =>
  transaction.run(removeOld, { before });
