import { Type, type Static } from 'typebox';
import { Dashboard, DashboardParams } from './dashboards.ts';
import { Role } from '../organizations/organizations.ts';
import { defineRoute } from '../route.ts';

const access = Type.Enum(['view', 'edit']);

/** Who may see and change a dashboard beside what the roles in its organization say. */
export const DashboardAccessInput = Type.Object({
  restricted: Type.Boolean({
    description:
      'Whether it is only for its owner, the members named here, and the admins of the organization',
  }),
  members: Type.Array(
    Type.Object({ userId: Type.String({ description: 'A member of the organization' }), access }),
    { maxItems: 500, description: 'All of them; `edit` lets viewers edit, too' },
  ),
});
export type DashboardAccessInput = Static<typeof DashboardAccessInput>;

export const DashboardAccess = Type.Object({
  restricted: Type.Boolean(),
  members: Type.Array(
    Type.Object({
      userId: Type.String(),
      access,
      name: Type.String(),
      email: Type.String(),
      role: Role,
    }),
  ),
});
export type DashboardAccess = Static<typeof DashboardAccess>;

export const DashboardPermissions = Type.Object({
  access: Type.Enum(['view', 'edit', 'manage'], {
    description: '`manage`: to edit, to say who else may what, to hand it over, and to purge it',
  }),
  isOwner: Type.Boolean(),
  restricted: Type.Boolean(),
});
export type DashboardPermissions = Static<typeof DashboardPermissions>;

export const getDashboardPermissions = defineRoute({
  id: 'getDashboardPermissions',
  tag: 'Dashboard sharing',
  summary: 'Read what you may do with a dashboard',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/permissions',
  access: 'session',
  params: DashboardParams,
  status: 200,
  reply: DashboardPermissions,
  problems: ['not_found'],
});

export const getDashboardAccess = defineRoute({
  id: 'getDashboardAccess',
  tag: 'Dashboard sharing',
  summary: 'Read whom a dashboard is shared with by name',
  description: 'For whoever may edit it. One that belongs to no organization is shared with nobody.',
  method: 'GET',
  path: '/api/dashboards/{dashboardId}/access',
  access: 'session',
  params: DashboardParams,
  status: 200,
  reply: DashboardAccess,
  problems: ['forbidden', 'not_found'],
});

export const putDashboardAccess = defineRoute({
  id: 'putDashboardAccess',
  tag: 'Dashboard sharing',
  summary: 'Share a dashboard with members by name, or restrict it to them',
  description:
    'Replaces what was said before. For the owner of the dashboard and the admins of its organization.',
  method: 'PUT',
  path: '/api/dashboards/{dashboardId}/access',
  access: 'session',
  params: DashboardParams,
  body: DashboardAccessInput,
  status: 200,
  reply: DashboardAccess,
  problems: ['forbidden', 'not_found', 'personal_dashboard'],
});

export const transferDashboard = defineRoute({
  id: 'transferDashboard',
  tag: 'Dashboard sharing',
  summary: 'Make another member the owner of a dashboard',
  description:
    'For its owner and the admins of the organization. It is a new version. The owner before keeps what the role and ' +
    'the list of names give.',
  method: 'POST',
  path: '/api/dashboards/{dashboardId}/transfer',
  access: 'session',
  params: DashboardParams,
  body: Type.Object({
    userId: Type.String({ description: 'A member of the organization with the role editor or higher' }),
  }),
  status: 200,
  reply: Dashboard,
  replyHeaders: { ETag: 'The new version' },
  problems: ['forbidden', 'not_found', 'personal_dashboard'],
});
