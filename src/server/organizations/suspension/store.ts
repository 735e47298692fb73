import type { SuspendedMember } from '#contract/organizations/members.ts';
import type { Role } from '#shared/permissions.ts';
import { type FirstRows, mapRows, type PageRequest } from '../../base/paging.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

const suspend = prepare((db, p: MemberKey & { at: string }) =>
  db
    .insertInto('suspended_members')
    .columns(['organization_id', 'user_id', 'role', 'created_at', 'suspended_at'])
    .expression((from) =>
      from
        .selectFrom('members')
        .select(({ val }) => [
          'organization_id',
          'user_id',
          'role',
          'created_at',
          val(p.at).as('suspended_at'),
        ])
        .where('organization_id', '=', p.organizationId)
        .where('user_id', '=', p.userId),
    )
    // What restored an organization may have made a suspended person a member.
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing()),
);

/** Stores that a member is suspended, with the role to restore. The caller deletes the membership. */
export const insertSuspended = (
  transaction: Transaction,
  member: MemberKey & { at: string },
): Promise<number> => transaction.run(suspend, member);

const one = prepare((db, p: MemberKey) =>
  db
    .selectFrom('suspended_members')
    .select(['role', 'created_at as createdAt'])
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

export async function findSuspended(
  reader: Reader,
  member: MemberKey,
): Promise<{ role: Role; createdAt: string } | undefined> {
  const row = await reader.first(one, member);
  // Sound because `suspended_members.role` is copied from `members.role`.
  return row && { ...row, role: row.role as Role };
}

const remove = prepare((db, p: MemberKey) =>
  db
    .deleteFrom('suspended_members')
    .where('organization_id', '=', p.organizationId)
    .where('user_id', '=', p.userId),
);

export const deleteSuspended = (
  transaction: Transaction,
  { organizationId, userId }: MemberKey,
): Promise<number> => transaction.run(remove, { organizationId, userId });

const list = prepare((db, p: { organizationId: string; after: string; limit: number }) =>
  db
    .selectFrom('suspended_members')
    .innerJoin('users', 'users.id', 'suspended_members.user_id')
    .select([
      'users.id as userId',
      'users.email',
      'users.name',
      'suspended_members.role',
      'suspended_members.suspended_at as suspendedAt',
    ])
    .where('suspended_members.organization_id', '=', p.organizationId)
    .where('suspended_members.user_id', '>', p.after)
    .orderBy('suspended_members.user_id')
    .limit(p.limit),
);

/** Returns the first rows of a page, by user ID. */
export async function selectSuspended(
  reader: Reader,
  organizationId: string,
  { after = '', limit }: PageRequest,
): Promise<FirstRows<SuspendedMember>> {
  const rows = await reader.page(list, { organizationId, after, limit });
  // Sound because `suspended_members.role` is copied from `members.role`.
  return mapRows(rows, (row) => ({ ...row, role: row.role as Role }));
}
