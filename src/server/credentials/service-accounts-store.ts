import type { Role } from '#shared/permissions.ts';
import { type FirstRows, mapRows, type PageRequest } from '../base/paging.ts';
import type { Reader } from '../storage/database.ts';
import { prepare } from '../storage/prepared-query.ts';

const serviceAccounts = prepare((sql, p: { organizationId: string; after: string; limit: number }) =>
  sql
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select([
      'users.id',
      'users.name',
      'members.role',
      'members.created_at as createdAt',
      'users.created_by as createdBy',
    ])
    .where('members.organization_id', '=', p.organizationId)
    .where('users.is_service_account', '=', 1)
    .where('users.id', '>', p.after)
    .orderBy('users.id')
    .limit(p.limit),
);

/** Returns the first rows of a page, by ID. */
export async function selectServiceAccounts(
  reader: Reader,
  organizationId: string,
  page: PageRequest,
): Promise<FirstRows<{ id: string; name: string; role: Role; createdAt: string; createdBy: string }>> {
  const rows = await reader.page(serviceAccounts, {
    organizationId,
    after: page.after ?? '',
    limit: page.limit,
  });
  // Sound because `members.role` only ever holds a role of the contract, and service accounts are stored with their maker.
  return mapRows(rows, ({ role, createdBy, ...row }) => ({
    ...row,
    role: role as Role,
    createdBy: createdBy as string,
  }));
}
