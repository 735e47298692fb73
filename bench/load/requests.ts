import type { DashboardEdit, DashboardInput } from '#contract/dashboards/dashboards.ts';
import type { SsoConfigurationInput } from '#contract/sso/configuration.ts';

/** One request as the load generator sends it, and the only status that it may return. */
export interface LoadRequest {
  /** Names its kind. Requests of one kind differ only in an id. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/** What identifies the driver to a server: its session and its organization. */
export interface Account {
  readonly cookie: string;
  readonly organizationId: string;
}

/**
 * Creates a dashboard with two widgets under an organization. The baseline accepts the same body, and requires
 * no session.
 */
export function createDashboard({ cookie, organizationId }: Account): LoadRequest {
  return post({
    name: 'create a dashboard',
    path: '/api/dashboards',
    status: 201,
    cookie,
    body: newDashboard(organizationId),
  });
}

/** Reads one dashboard. */
export const readDashboard = ({ cookie }: Account, id: string): LoadRequest =>
  get('read a dashboard', `/api/dashboards/${id}`, cookie);

/** Reads the first page of all dashboards that the user can view. */
export const listDashboards = ({ cookie }: Account): LoadRequest =>
  get('list dashboards', '/api/dashboards', cookie);

/** Reads a page of a list of dashboards; `query` starts with a question mark. */
export const listDashboardsBy = ({ cookie }: Account, name: string, query: string): LoadRequest =>
  get(name, `/api/dashboards${query}`, cookie);

/** Saves a dashboard, based on its first version. */
export const saveDashboard = (
  { cookie }: Account,
  { id, edit }: { id: string; edit: DashboardEdit },
): LoadRequest => ({
  name: 'save with merge',
  method: 'PUT',
  path: `/api/dashboards/${id}`,
  headers: { cookie, 'content-type': 'application/json', 'if-match': '"1"' },
  body: JSON.stringify(edit),
  status: 200,
});

/** Runs a report; `isForced` queries its source even if there is a cached result. */
export const runReport = (
  { cookie }: Account,
  { name, id, isForced }: { name: string; id: string; isForced: boolean },
): LoadRequest => post({ name, path: `/api/reports/${id}/run`, status: 200, cookie, body: { isForced } });

/** Runs the query of an unsaved report, which never comes from the cache. */
export const previewReport = (
  { cookie, organizationId }: Account,
  { name, dataSourceId, query }: { name: string; dataSourceId: string; query: string },
): LoadRequest =>
  post({
    name,
    path: '/api/reports/preview',
    status: 200,
    cookie,
    body: { organizationId, dataSourceId, query },
  });

/** Reads the organization: little more than the check of the credential. */
export const readOrganization = ({ cookie, organizationId }: Account): LoadRequest =>
  get('read an organization', `/api/organizations/${organizationId}`, cookie);

/** Reads the session. */
export const getSession = ({ cookie }: Account): LoadRequest =>
  get('get-session', '/api/auth/get-session', cookie);

/** Saves an SSO configuration with a client secret, which the server encrypts again each time. */
export function saveSsoConfiguration({ cookie, organizationId }: Account): LoadRequest {
  const body: SsoConfigurationInput = {
    provider: 'idp_ad',
    clientId: '6f2c1a34-5a0e-4c56-9d6e-0d5f3e1b7a90',
    clientSecret: 'a-client-secret-of-the-usual-length~0123456',
    tenantId: '0b8f2f64-93a3-4f0c-8a7e-2d1c5b6e4f10',
    emailDomains: ['example.com', 'example.org'],
    enabled: true,
  };
  const path = `/api/sso/orgs/${organizationId}/config`;
  return post({ name: 'save SSO configuration', path, status: 200, cookie, body });
}

/** Gets the constant response of the baseline without sending a body. */
export const baselineGet: LoadRequest = get('bare GET', '/', '');

/** The body of a dashboard with two widgets, one placed by its author and one left to the server. */
function newDashboard(organizationId: string): DashboardInput {
  return {
    name: 'Sales overview',
    description: 'Revenue and orders of the last twelve months',
    organizationId,
    widgets: [
      {
        reportId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c11',
        layout: { x: 0, y: 0, w: 6, h: 4 },
        config: { title: 'Revenue by month', chart: 'bar', stacked: true, colors: ['#1971c2', '#2f9e44'] },
      },
      {
        reportId: '0197a1f0-6c1b-7e0a-b6c4-3d1f0a9e8c12',
        config: { title: 'Open orders', chart: 'number', format: { style: 'decimal', digits: 0 } },
      },
    ],
  };
}

function post(
  request: Pick<LoadRequest, 'name' | 'path' | 'status'> & { cookie: string; body: unknown },
): LoadRequest {
  const { name, path, status, cookie, body } = request;
  const headers = { cookie, 'content-type': 'application/json' };
  return { name, method: 'POST', path, headers, body: JSON.stringify(body), status };
}

function get(name: string, path: string, cookie: string): LoadRequest {
  return { name, method: 'GET', path, headers: { cookie }, status: 200 };
}
