import { queryOptions } from '@tanstack/react-query';
import type { DashboardListItem } from '#contract/dashboards/listing.ts';
import type { Invitation } from '#contract/organizations/invitations.ts';
import type { SuspendedMember } from '#contract/organizations/members.ts';
import { call } from '../../app/api.ts';
import { allPages } from '../../ui/server-data/all-pages.ts';

/** The open invitations to an organization. For owners and admins. */
export const invitationsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['invitations', orgId],
    queryFn: ({ signal }): Promise<readonly Invitation[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/invitations', { params: { orgId }, query, signal }),
      ),
  });

/** The people that the directory of an organization has deactivated. For owners and admins. */
export const suspendedMembersQuery = (orgId: string) =>
  queryOptions({
    // Begins like the list of members, so that what changes members reloads both.
    queryKey: ['members', orgId, 'suspended'],
    queryFn: ({ signal }): Promise<readonly SuspendedMember[]> =>
      allPages((query) =>
        call('GET /api/organizations/{orgId}/suspended-members', { params: { orgId }, query, signal }),
      ),
  });

/** The dashboards of an organization that a member owns and that you can see. */
export const dashboardsOfMemberQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: ['dashboards', 'of-member', orgId, userId],
    queryFn: async ({ signal }): Promise<readonly DashboardListItem[]> => {
      const all = await allPages((query) =>
        call('GET /api/dashboards', { query: { ...query, organizationId: orgId }, signal }),
      );
      return all.filter((dashboard) => dashboard.userId === userId);
    },
  });
