import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const issuers = prepare((sql, p: { configurationId: string }) =>
  sql
    .selectFrom('sso_identities')
    .select('issuer')
    .distinct()
    .where('configuration_id', '=', p.configurationId)
    .orderBy('issuer'),
);

/** Returns the issuers of all identities of a configuration. */
export const selectIssuers = async (reader: Reader, configurationId: string): Promise<string[]> =>
  (await reader.all(issuers, { configurationId })).map(({ issuer }) => issuer);

/** A user with an identity of a former issuer. */
export interface FormerPersonRow {
  userId: string;
  email: string;
  name: string;
  isEmailVerified: number;
  /** The organization whose directory manages the account; null for an account with a password of its own. */
  managedBy: string | null;
  passwordHash: string | null;
  isMember: boolean;
  isElsewhere: boolean;
  listedId: string | null;
  listedEmail: string | null;
  listedSubject: string | null;
  /** The subject at a current issuer. */
  currentSubject: string | null;
  movedAt: string | null;
}

interface Selection {
  organizationId: string;
  configurationId: string;
  formerIssuers: readonly string[];
  currentIssuers: readonly string[];
  userId?: string | undefined;
  email?: string | undefined;
}

const people = prepare((sql, p: Selection) =>
  sql
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.organization_id', '=', p.organizationId),
    )
    .leftJoin('sso_migration_people as listed', (join) =>
      join.onRef('listed.user_id', '=', 'users.id').on('listed.organization_id', '=', p.organizationId),
    )
    .leftJoin('sso_identities as now', (join) =>
      join
        .onRef('now.user_id', '=', 'users.id')
        .on('now.configuration_id', '=', p.configurationId)
        .on('now.issuer', 'in', p.currentIssuers),
    )
    .select((select) => [
      'users.id as userId',
      'users.email',
      'users.name',
      'users.is_email_verified as isEmailVerified',
      'users.organization_id as managedBy',
      'users.password_hash as passwordHash',
      'members.user_id as memberId',
      select
        .selectFrom('members as elsewhere')
        .select((inner) => inner.fn.countAll().as('count'))
        .whereRef('elsewhere.user_id', '=', 'users.id')
        .where('elsewhere.organization_id', '!=', p.organizationId)
        .as('elsewhere'),
      'listed.user_id as listedId',
      'listed.email as listedEmail',
      'listed.subject as listedSubject',
      'now.subject as currentSubject',
      'now.moved_at as movedAt',
    ])
    .where('users.id', 'in', (select) =>
      select
        .selectFrom('sso_identities as before')
        .select('before.user_id')
        .where('before.configuration_id', '=', p.configurationId)
        .where('before.issuer', 'in', p.formerIssuers),
    )
    .$if(p.userId !== undefined, (query) => query.where('users.id', '=', p.userId ?? ''))
    .$if(p.email !== undefined, (query) => query.where('users.email', '=', p.email ?? ''))
    .orderBy('users.id'),
);

/** Returns the users with an identity of a former issuer, by id: all, one, or those with an address. */
export async function selectFormerPeople(reader: Reader, selection: Selection): Promise<FormerPersonRow[]> {
  const rows = await reader.all(people, selection);
  return rows.map(({ memberId, elsewhere, ...row }) => ({
    ...row,
    isMember: memberId !== null,
    isElsewhere: Number(elsewhere) > 0,
  }));
}

interface Holders {
  configurationId: string;
  currentIssuers: readonly string[];
  email?: string | undefined;
}

const held = prepare((sql, p: Holders) =>
  sql
    .selectFrom('sso_identities')
    .innerJoin('users', 'users.id', 'sso_identities.user_id')
    .select('users.email')
    .distinct()
    .where('sso_identities.configuration_id', '=', p.configurationId)
    .where('sso_identities.issuer', 'in', p.currentIssuers)
    .where('users.is_email_verified', '=', 1)
    .$if(p.email !== undefined, (query) => query.where('users.email', '=', p.email ?? '')),
);

/** Returns the confirmed addresses of people who have signed in through the current provider: all, or one. */
export const selectHeldAddresses = async (reader: Reader, input: Holders): Promise<ReadonlySet<string>> =>
  new Set((await reader.all(held, input)).map(({ email }) => email));

const detach = prepare(
  (sql, p: { configurationId: string; currentIssuers: readonly string[]; userId: string }) =>
    sql
      .deleteFrom('sso_identities')
      .where('configuration_id', '=', p.configurationId)
      .where('issuer', 'in', p.currentIssuers)
      .where('user_id', '=', p.userId)
      .where('moved_at', 'is not', null),
);

/** Deletes the identity of a current issuer that a migration gave a user. Returns whether there was one. */
export const deleteMovedIdentity = async (
  transaction: Transaction,
  input: { configurationId: string; currentIssuers: readonly string[]; userId: string },
): Promise<boolean> => (await transaction.run(detach, input)) > 0;
