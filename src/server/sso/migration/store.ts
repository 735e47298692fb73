import type { ListedPerson } from '#contract/sso/migration.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A migration that an owner has accepted. */
export interface AcceptedMigration {
  readonly byAddress: boolean;
  readonly acceptedAt: string;
}

const one = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_migrations')
    .select(['by_address as byAddress', 'accepted_at as acceptedAt'])
    .where('organization_id', '=', p.organizationId),
);

/** Returns the accepted migration of an organization to its current provider, or undefined. */
export async function findMigration(
  reader: Reader,
  organizationId: string,
): Promise<AcceptedMigration | undefined> {
  const row = await reader.first(one, { organizationId });
  return row && { ...row, byAddress: row.byAddress === 1 };
}

const upsert = prepare((sql, p: { organizationId: string; byAddress: number; at: string }) =>
  sql
    .insertInto('sso_migrations')
    .values({ organization_id: p.organizationId, by_address: p.byAddress, accepted_at: p.at })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ by_address: p.byAddress, accepted_at: p.at }),
    ),
);

export const upsertMigration = (
  transaction: Transaction,
  organizationId: string,
  { byAddress, acceptedAt: at }: AcceptedMigration,
): Promise<number> => transaction.run(upsert, { organizationId, byAddress: byAddress ? 1 : 0, at });

const list = prepare((sql, p: { organizationId: string }) =>
  sql
    .selectFrom('sso_migration_people')
    .select(['user_id as userId', 'email', 'subject'])
    .where('organization_id', '=', p.organizationId)
    .orderBy('user_id'),
);

/** Returns the people whose identity at the current provider is listed. */
export async function selectListedPeople(reader: Reader, organizationId: string): Promise<ListedPerson[]> {
  const rows = await reader.all(list, { organizationId });
  return rows.map(({ userId, email, subject }) => ({
    userId,
    ...(email !== null && { email }),
    ...(subject !== null && { subject }),
  }));
}

const listedAs = prepare((sql, p: { organizationId: string; subject: string; email: string | undefined }) =>
  sql
    .selectFrom('sso_migration_people')
    .select('user_id as userId')
    .where('organization_id', '=', p.organizationId)
    .where((where) =>
      where.or([
        where('subject', '=', p.subject),
        ...(p.email === undefined ? [] : [where('email', '=', p.email)]),
      ]),
    ),
);

/** Returns the users who are listed with an ID or an address of the current provider. */
export const selectUsersListedAs = (
  reader: Reader,
  input: { organizationId: string; subject: string; email: string | undefined },
): Promise<{ userId: string }[]> => reader.all(listedAs, input);

const insert = prepare(
  (sql, p: { organizationId: string; userId: string; email: string | null; subject: string | null }) =>
    sql
      .insertInto('sso_migration_people')
      .values({ organization_id: p.organizationId, user_id: p.userId, email: p.email, subject: p.subject })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'user_id']).doUpdateSet({ email: p.email, subject: p.subject }),
      ),
);

/** Lists a person, or replaces how the person is listed. */
export const upsertListedPerson = (
  transaction: Transaction,
  organizationId: string,
  { userId, email = null, subject = null }: ListedPerson | { userId: string; email: null; subject: null },
): Promise<number> => transaction.run(insert, { organizationId, userId, email, subject });

const removeList = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_migration_people').where('organization_id', '=', p.organizationId),
);

export const deleteListedPeople = (transaction: Transaction, organizationId: string): Promise<number> =>
  transaction.run(removeList, { organizationId });

const remove = prepare((sql, p: { organizationId: string }) =>
  sql.deleteFrom('sso_migrations').where('organization_id', '=', p.organizationId),
);

/** Ends a migration, since what an owner accepted for one provider doesn't apply to another. */
export async function endMigration(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.run(remove, { organizationId });
  await deleteListedPeople(transaction, organizationId);
}
