import { dashboardRequests } from './dashboard-requests.ts';
import { dataSourceRequests } from './data-source-requests.ts';
import { organizationRequests } from './organization-requests.ts';
import { reportRequests } from './report-requests.ts';
import type { Requests } from './request-world.ts';
import { sessionRequests } from './session-requests.ts';
import { ssoRequests } from './sso-requests.ts';

/** A valid request for each line of the table of routes and roles. */
export const requests: Requests = {
  ...sessionRequests,
  ...organizationRequests,
  ...ssoRequests,
  ...dashboardRequests,
  ...reportRequests,
  ...dataSourceRequests,
};
