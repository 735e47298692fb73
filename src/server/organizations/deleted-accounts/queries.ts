import type { Role } from '#shared/permissions.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { exceptDeleted } from '../deleted.ts';

interface Replacement {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly at: string;
}

const replace = prepare((sql, p: Replacement) =>
  sql
    .updateTable('users')
    .set({
      email: p.email,
      name: p.name,
      organization_id: null,
      password_hash: null,
      is_operator: 0,
      is_email_verified: 1,
      comment_mails: 0,
      created_at: p.at,
      updated_at: p.at,
      disabled_at: p.at,
      deleted_at: p.at,
    })
    .where('id', '=', p.id),
);

/** Replaces everything that is stored about a person in the row of their account. */
export const replacePerson = (transaction: Transaction, replacement: Replacement): Promise<number> => {
  transaction.announce(replacement.id);
  return transaction.run(replace, replacement);
};

const lockAll = prepare((sql) =>
  sql
    .selectFrom('users')
    .select(['id', 'disabled_at as disabledAt'])
    .where('is_operator', '=', 1)
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** Locks and returns all operators, so that of two who delete their accounts at the same time, one waits for the other. */
export const lockOperators = (
  transaction: Transaction,
): Promise<{ id: string; disabledAt: string | null }[]> => transaction.all(lockAll, {});

const named = prepare((sql, p: { ids: readonly string[] }) =>
  sql.selectFrom('organizations').select(['id', 'name']).where('id', 'in', p.ids).orderBy('name'),
);

export const selectOrganizationNames = (
  reader: Reader,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> => reader.all(named, { ids });

const removeInvitationsBy = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('invitations').where('invited_by', '=', p.userId),
);

/**
 * Deletes the invitations that a person created. Those to their address belong to the organizations that invited it, and expire: anyone
 * can have registered the address of somebody else.
 */
export const deleteInvitationsBy = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(removeInvitationsBy, { userId });

const removeSuspended = prepare((sql, p: { userId: string }) =>
  sql.deleteFrom('suspended_members').where('user_id', '=', p.userId).returning('organization_id as id'),
);

/** Deletes what suspended memberships would get back. Returns their organizations. */
export const deleteSuspensions = async (transaction: Transaction, userId: string): Promise<string[]> =>
  (await transaction.all(removeSuspended, { userId })).map(({ id }) => id);

const ofUser = prepare((sql, p: { userId: string }) =>
  sql
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['organizations.id', 'organizations.name', 'members.role'])
    .where('members.user_id', '=', p.userId)
    .where(exceptDeleted('members.organization_id'))
    .orderBy('organizations.name')
    .orderBy('organizations.id'),
);

/** Returns all organizations of a user that were not deleted, sorted by name, whether or not a session could use them. */
export async function listOrganizationsOf(
  reader: Reader,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  const rows = await reader.all(ofUser, { userId });
  // Sound because `members.role` only ever holds a role of the contract.
  return rows.map(({ role, ...row }) => ({ ...row, role: role as Role }));
}

const everywhere = prepare((sql, p: { userId: string }) => {
  const of = (table: 'members' | 'suspended_members' | 'deleted_members') =>
    // Sound because each of these tables has the columns.
    sql
      .selectFrom(table as 'members')
      .select('organization_id as id')
      .where('user_id', '=', p.userId);
  return of('members').union(of('suspended_members')).union(of('deleted_members'));
});

/** Returns the organizations of which a user is a member, or becomes one again if a directory or an owner restores that. */
export const selectPossibleOrganizations = async (reader: Reader, userId: string): Promise<string[]> =>
  (await reader.all(everywhere, { userId })).map(({ id }) => id);
