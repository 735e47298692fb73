import type { DashboardAccess } from '#contract/dashboards/sharing.ts';
import type { Role } from '#contract/organizations/organizations.ts';
import type { Reader, Transaction } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

/** A member that a dashboard is shared with, and the access that the member gets. */
export interface Share {
  readonly userId: string;
  readonly access: 'view' | 'edit';
}

const list = prepare((db, p: { dashboardId: string }) =>
  db
    .selectFrom('dashboard_shares')
    .select(['user_id as userId', 'access'])
    .where('dashboard_id', '=', p.dashboardId)
    .orderBy('user_id'),
);

/** Returns the shares of a dashboard, sorted by user ID. */
export async function selectShares(reader: Reader, dashboardId: string): Promise<Share[]> {
  const rows = await reader.all(list, { dashboardId });
  return rows.map(({ userId, access }) => ({ userId, access: toAccess(access) }));
}

const members = prepare((db, p: { dashboardId: string; organizationId: string }) =>
  db
    .selectFrom('dashboard_shares')
    .innerJoin('members', 'members.user_id', 'dashboard_shares.user_id')
    .innerJoin('users', 'users.id', 'dashboard_shares.user_id')
    .select([
      'dashboard_shares.user_id as userId',
      'dashboard_shares.access',
      'users.name',
      'users.email',
      'members.role',
    ])
    .where('dashboard_shares.dashboard_id', '=', p.dashboardId)
    .where('members.organization_id', '=', p.organizationId)
    .orderBy('dashboard_shares.user_id'),
);

/** Like `selectShares`, with the members' names, email addresses and roles. */
export async function selectSharedMembers(
  reader: Reader,
  key: { dashboardId: string; organizationId: string },
): Promise<DashboardAccess['members']> {
  const rows = await reader.all(members, key);
  return rows.map(({ access, role, ...row }) => ({
    ...row,
    access: toAccess(access),
    // Sound because `members.role` only ever holds a role of the contract.
    role: role as Role,
  }));
}

/** Sound because only `putShare` writes the column. */
const toAccess = (text: string): Share['access'] => text as Share['access'];

interface ShareKey {
  dashboardId: string;
  userId: string;
}

const put = prepare((db, p: ShareKey & { access: string }) =>
  db
    .insertInto('dashboard_shares')
    .values({ dashboard_id: p.dashboardId, user_id: p.userId, access: p.access })
    .onConflict((conflict) =>
      conflict.columns(['dashboard_id', 'user_id']).doUpdateSet({ access: p.access }),
    ),
);

export const putShare = (transaction: Transaction, dashboardId: string, share: Share): Promise<number> => {
  transaction.announce(dashboardId);
  return transaction.run(put, { dashboardId, ...share });
};

const remove = prepare((db, p: ShareKey) =>
  db.deleteFrom('dashboard_shares').where('dashboard_id', '=', p.dashboardId).where('user_id', '=', p.userId),
);

export const deleteShare = (
  transaction: Transaction,
  dashboardId: string,
  userId: string,
): Promise<number> => {
  transaction.announce(dashboardId);
  return transaction.run(remove, { dashboardId, userId });
};

const removeOfMember = prepare((db, p: { organizationId: string; userId: string }) =>
  db
    .deleteFrom('dashboard_shares')
    .where('user_id', '=', p.userId)
    .where('dashboard_id', 'in', (dashboards) =>
      dashboards.selectFrom('dashboards').select('id').where('organization_id', '=', p.organizationId),
    ),
);

/** Deletes a member's shares of an organization's dashboards, in the trash too, so that they don't return with a membership. */
export const deleteSharesOfMember = (
  transaction: Transaction,
  member: { readonly organizationId: string; readonly userId: string },
): Promise<number> => transaction.run(removeOfMember, member);

const restrict = prepare((db, p: { id: string; restricted: number }) =>
  db.updateTable('dashboards').set({ restricted: p.restricted }).where('id', '=', p.id),
);

export const updateRestricted = (
  transaction: Transaction,
  id: string,
  isRestricted: boolean,
): Promise<number> => {
  transaction.announce(id);
  return transaction.run(restrict, { id, restricted: isRestricted ? 1 : 0 });
};
