import { mayOnRecord } from '../../access/filter.ts';
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

const reachable = prepare((db, p: { userIds: readonly string[] }) =>
  db
    .selectFrom('users')
    .select(['id as userId', 'email'])
    .where('id', 'in', p.userIds)
    .where('comment_mails', '=', 1)
    // What a dashboard shows isn't sent to an address that nobody has confirmed.
    .where('is_email_verified', '=', 1)
    .where('disabled_at', 'is', null),
);

/** Returns the addresses of the users who want emails about comments. */
export const selectAddresses = (
  reader: Reader,
  userIds: readonly string[],
): Promise<{ userId: string; email: string }[]> => reader.all(reachable, { userIds });
