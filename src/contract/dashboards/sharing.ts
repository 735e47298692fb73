import { Type, type Static } from 'typebox';
import { Dashboard, DashboardParams } from './dashboards.ts';
import { Role } from '../organizations/organizations.ts';
import { EmailAddress, Id } from '../values.ts';
import { defineRoute } from '../route.ts';

const access = Type.Enum(['view', 'edit']);

/** Who can see and edit a dashboard, in addition to what the roles in its organization grant. */
export const DashboardAccessInput = Type.Object({
  restricted: Type.Boolean({
    description:
      'Whether only its owner, the members listed here and the admins of the organization can see it',
  }),
  members: Type.Array(
    Type.Object({ userId: Type.String({ description: 'A member of the organization' }), access }),
    { maxItems: 500, description: 'The full list; `edit` also lets viewers edit' },
  ),
});
export type DashboardAccessInput = Static<typeof DashboardAccessInput>;

export const DashboardAccess = Type.Object({
  restricted: Type.Boolean(),
  members: Type.Array(
    Type.Object({
      userId: Id,
      access,
      name: Type.String(),
      email: EmailAddress,
      role: Role,
    }),
  ),
});
export type DashboardAccess = Static<typeof DashboardAccess>;

export const DashboardPermissions = Type.Object({
  access: Type.Enum(['view', 'edit', 'manage'], {
    description: '`manage`: edit, share, transfer ownership, and delete permanently',
  }),
  isOwner: Type.Boolean(),
  restricted: Type.Boolean(),
});
export type DashboardPermissions = Static<typeof DashboardPermissions>;

export const getDashboardPermissions = defineRoute({
  id: 'getDashboardPermissions',
  tag: 'Dashboard sharing',
  summary: 'Read your permissions on a dashboard',
  description:
    'They depend on your role in its organization, and on the list of members that it is shared with.',
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
  summary: 'List the members that a dashboard is shared with',
  description: 'Requires permission to edit the dashboard. A personal dashboard is shared with nobody.',
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
  summary: 'Share a dashboard with members, or restrict it to them',
  description:
    'Replaces the list and the restriction. Requires you to be the owner of the dashboard or an admin of its organization.',
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
  summary: 'Transfer ownership of a dashboard',
  description:
    'Requires you to be its owner or an admin of the organization. Creates a new version. The previous owner keeps the access ' +
    'that their role and the list of members grant.',
  method: 'POST',
  path: '/api/dashboards/{dashboardId}/transfer',
  access: 'session',
  params: DashboardParams,
  body: Type.Object({
    userId: Type.String({ description: 'A member of the organization with the editor role or higher' }),
  }),
  status: 200,
  reply: Dashboard,
  replyHeaders: { ETag: 'The new version' },
  problems: ['forbidden', 'not_found', 'personal_dashboard'],
});
