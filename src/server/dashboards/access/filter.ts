import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { Action } from '#shared/permissions.ts';
import { mayOnRow, mayOnRowOfMember, roleIn } from '../../organizations/permission-filter.ts';
import type { Tables } from '../../storage/tables.ts';

const eb = expressionBuilder<Tables, 'dashboards' | 'members' | 'dashboard_shares'>();
const record = {
  organizationId: eb.ref('dashboards.organization_id'),
  ownerId: eb.ref('dashboards.user_id'),
  restricted: eb.ref('dashboards.restricted'),
};

/** Returns the access that a dashboard's share grants a user, or null, as a subquery. */
export const shareOf = (userId: string): Expression<string | null> =>
  eb
    .selectFrom('dashboard_shares as own')
    .select('own.access')
    .whereRef('own.dashboard_id', '=', 'dashboards.id')
    .where('own.user_id', '=', userId)
    .$asScalar();

/** Returns the condition that a user may take an action on a dashboard, whose rows in `members` and `dashboard_shares` are joined. */
export const mayOnDashboard = (action: Action, userId: string | Expression<string>): Expression<SqlBool> =>
  mayOnRow(action, {
    ...record,
    userId,
    role: eb.ref('members.role'),
    share: eb.ref('dashboard_shares.access'),
  });

/**
 * Returns the condition that a member may take an action on a dashboard of the organization. It joins nothing, so that a list
 * reads the member's role and share only where they decide.
 */
export const mayOnDashboardOfMember = (action: Action, userId: string): Expression<SqlBool> =>
  mayOnRowOfMember(action, {
    ...record,
    userId,
    role: roleIn(record.organizationId, userId),
    share: shareOf(userId),
  });
