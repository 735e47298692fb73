import { sql } from 'kysely';
import type { Reader, Transaction } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';
import type { Tables } from '../storage/tables.ts';
import { jsonHasAddress, replaceAddress } from './whole-address.ts';

/** The tables whose rows belong to one person, and are deleted with the account; each has a column `user_id`. */
const personalTables = [
  'sessions',
  'tokens',
  'authenticator_apps',
  'recovery_codes',
  'pending_sign_ins',
  'passkeys',
  'passkey_challenges',
  'password_resets',
  'uploads',
  'image_uploaders',
  'dashboard_streams',
  'dashboard_editors',
  'dashboard_stars',
  'dashboard_visits',
  'idempotency_keys',
  'sso_identities',
  'sso_attempts',
  'sso_migration_people',
  'sso_recovery_codes',
  'scim_group_members',
  'scim_users',
  'member_groups',
  'deleted_members',
  'restore_links',
] as const satisfies readonly (keyof Tables)[];

const removals = personalTables.map((table) =>
  // Sound because each of these tables has the column.
  prepare((db, p: { userId: string }) => db.deleteFrom(table as 'tokens').where('user_id', '=', p.userId)),
);

const removeShares = prepare((db, p: { userId: string }) =>
  db.deleteFrom('shares').where('grantee_id', '=', p.userId).where('grantee_kind', '=', 'user'),
);

const removeLinks = prepare((db, p: { userId: string }) =>
  db.deleteFrom('display_links').where('created_by', '=', p.userId),
);

const clearPrograms = prepare((db, p: { userId: string }) =>
  db
    .updateTable('proposed_versions')
    .set({ program: 'Deleted token' })
    .where('user_id', '=', p.userId)
    .where('program', 'is not', null),
);

/** Deletes what belongs to a person only, such as sessions, tokens, second factors, stars and links. */
export async function deletePersonalRows(transaction: Transaction, userId: string): Promise<void> {
  for (const removal of removals) await transaction.run(removal, { userId });
  await transaction.run(removeShares, { userId });
  await transaction.run(removeLinks, { userId });
  await transaction.run(clearPrograms, { userId });
}

/** A deleted account that still has to be forgotten. */
export interface Deletion {
  readonly userId: string;
  /** The confirmed address; null if nobody confirmed it, or if it was removed already. */
  readonly email: string | null;
  /** The organization whose directory managed the account. */
  readonly organizationId: string | null;
  readonly deletedAt: string;
  readonly forgottenAt: string | null;
}

const insert = prepare((db, p: Omit<Deletion, 'forgottenAt'>) =>
  db.insertInto('account_deletions').values({
    user_id: p.userId,
    email: p.email,
    organization_id: p.organizationId,
    deleted_at: p.deletedAt,
    forgotten_at: null,
  }),
);

export const insertDeletion = (
  transaction: Transaction,
  deletion: Omit<Deletion, 'forgottenAt'>,
): Promise<number> => transaction.run(insert, deletion);

const pending = prepare((db) =>
  db
    .selectFrom('account_deletions')
    .select([
      'user_id as userId',
      'email',
      'organization_id as organizationId',
      'deleted_at as deletedAt',
      'forgotten_at as forgottenAt',
    ])
    .orderBy('deleted_at'),
);

export const selectDeletions = (reader: Reader): Promise<Deletion[]> => reader.all(pending, {});

const setForgotten = prepare((db, p: { userId: string; at: string }) =>
  db
    .updateTable('account_deletions')
    .set({ email: null, forgotten_at: p.at })
    .where('user_id', '=', p.userId),
);

/** Stores that a person was removed from everything, without their address. */
export const updateForgotten = (
  transaction: Transaction,
  forgotten: { userId: string; at: string },
): Promise<number> => transaction.run(setForgotten, forgotten);

const remove = prepare((db, p: { userId: string }) =>
  db.deleteFrom('account_deletions').where('user_id', '=', p.userId),
);

export const deleteDeletion = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(remove, { userId });

const pseudonym = prepare((db, p: { userId: string }) =>
  db.selectFrom('users').select('email').where('id', '=', p.userId),
);

/** Returns the address that a deleted person has instead of theirs. */
export const findPseudonym = async (reader: Reader, userId: string): Promise<string | undefined> =>
  (await reader.first(pseudonym, { userId }))?.email;

const personalDashboards = prepare((db, p: { userId: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('organization_id', 'is', null)
    .limit(p.limit)
    .forUpdate(),
);

/** Locks and returns dashboards that belong to a person and to no organization, in the trash, too. */
export const lockPersonalDashboards = async (
  transaction: Transaction,
  page: { userId: string; limit: number },
): Promise<string[]> => (await transaction.all(personalDashboards, page)).map(({ id }) => id);

/** An address to remove from what belongs to organizations, of which there is at least one. */
interface Mention {
  readonly email: string;
  readonly pseudonym: string;
  readonly organizationIds: readonly string[];
}

const outcomes = prepare((db, p: Mention) =>
  db
    .selectFrom('sso_outcomes')
    .select(['configuration_id as id', 'success', 'failure', 'logged_out as loggedOut'])
    .where('organization_id', 'in', p.organizationIds)
    .forUpdate(),
);

interface OutcomeTexts {
  readonly id: string;
  readonly success: string | null;
  readonly failure: string | null;
  readonly loggedOut: string | null;
}

const setOutcome = prepare((db, p: OutcomeTexts) =>
  db
    .updateTable('sso_outcomes')
    .set({ success: p.success, failure: p.failure, logged_out: p.loggedOut })
    .where('configuration_id', '=', p.id),
);

const tests = prepare((db, p: Mention) =>
  db.selectFrom('sso_tests').select(['id', 'result']).where('organization_id', 'in', p.organizationIds),
);

const removeTest = prepare((db, p: { id: string }) => db.deleteFrom('sso_tests').where('id', '=', p.id));

const responses = prepare((db, p: Mention & { pattern: string }) =>
  db
    .selectFrom('idempotency_keys')
    .select(['user_id as userId', 'key_hash as keyHash', 'body'])
    .where(sql<boolean>`lower(body) like ${p.pattern} escape '!'`)
    .where(
      'user_id',
      'in',
      db.selectFrom('members').select('user_id').where('organization_id', 'in', p.organizationIds),
    ),
);

const removeResponse = prepare((db, p: { userId: string; keyHash: string }) =>
  db.deleteFrom('idempotency_keys').where('user_id', '=', p.userId).where('key_hash', '=', p.keyHash),
);

const removeMigrated = prepare((db, p: Mention) =>
  db
    .deleteFrom('sso_migration_people')
    .where(sql<boolean>`lower(email) = ${p.email}`)
    .where('organization_id', 'in', p.organizationIds),
);

/** Removes an address in lower case from the messages about sign-ins, and from what is only stored for a short time. */
export async function removeMentions(transaction: Transaction, mention: Mention): Promise<void> {
  const { email, pseudonym: replacement } = mention;
  const without = (text: string | null) => text && replaceAddress(text, email, replacement);
  for (const { id, success, failure, loggedOut } of await transaction.all(outcomes, mention))
    await transaction.run(setOutcome, {
      id,
      success: without(success),
      failure: without(failure),
      loggedOut: without(loggedOut),
    });
  for (const { id, result } of await transaction.all(tests, mention))
    if (result !== null && jsonHasAddress(result, email)) await transaction.run(removeTest, { id });
  const pattern = `%${email.replaceAll(/[!%_]/g, '!$&')}%`;
  for (const { body, ...key } of await transaction.all(responses, { ...mention, pattern }))
    if (body !== null && jsonHasAddress(body, email)) await transaction.run(removeResponse, key);
  await transaction.run(removeMigrated, mention);
}
