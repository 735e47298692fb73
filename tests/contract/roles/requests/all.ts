import { dashboardRequests } from './dashboards.ts';
import { dataSourceRequests } from './data-sources.ts';
import { organizationRequests } from './organizations.ts';
import { reportRequests } from './reports.ts';
import type { Requests } from './world.ts';
import { sessionRequests } from './sessions.ts';
import { ssoRequests } from './sso.ts';

/** A valid request for each line of the table of routes and roles. */
export const requests: Requests = {
  ...sessionRequests,
  ...organizationRequests,
  ...ssoRequests,
  ...dashboardRequests,
  ...reportRequests,
  ...dataSourceRequests,
};
