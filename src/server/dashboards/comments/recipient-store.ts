import { mayOnRecord } from '../../access/filter.ts';
import { meetsSignInRequirements } from '../../access/sign-in-requirements.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';

const mentionable = prepare((db, p: { dashboardId: string; limit: number }) =>
  db
    .selectFrom('dashboards')
    .innerJoin('members', 'members.organization_id', 'dashboards.organization_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id as userId', 'users.name'])
    .where('dashboards.id', '=', p.dashboardId)
    .where('users.disabled_at', 'is', null)
    .where((where) => mayOnRecord('dashboard', 'dashboard.view', where.ref('members.user_id')))
    .orderBy('users.name')
    .orderBy('users.id')
    .limit(p.limit),
);

/** Returns the members who may view a dashboard, by name. */
export const selectMentionable = (
  reader: Reader,
  query: { dashboardId: string; limit: number },
): Promise<{ userId: string; name: string }[]> => reader.all(mentionable, query);

const reachable = prepare((db, p: { organizationId: string; userIds: readonly string[] }) =>
  db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('session_policies', 'session_policies.organization_id', 'members.organization_id')
    .select(['users.id as userId', 'users.email'])
    .where('users.id', 'in', p.userIds)
    .where('users.comment_mails', '=', 1)
    // What a dashboard shows isn't sent to an address that nobody has confirmed.
    .where('users.is_email_verified', '=', 1)
    .where('users.disabled_at', 'is', null)
    .where('members.organization_id', '=', p.organizationId)
    .where(meetsSignInRequirements, '=', 1),
);

/**
 * Returns the addresses of the members who want emails about comments. Nothing is sent to those who could not open the dashboard now,
 * since they don't meet what the organization requires to sign in.
 */
export const selectAddresses = (
  reader: Reader,
  people: { readonly organizationId: string; readonly userIds: readonly string[] },
): Promise<{ userId: string; email: string }[]> => reader.all(reachable, people);
