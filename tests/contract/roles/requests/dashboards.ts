import { expectSuccess, type Request, type Requests, type World } from './world.ts';

/** A dashboard of the organization with one widget. Returns its id. */
async function create({ server, owner, organizationId }: World): Promise<string> {
  const body = { name: 'D', organizationId, widgets: [{ reportId: 'r' }] };
  return (await expectSuccess(server, owner, 'POST /api/dashboards', body)).body.id;
}

/** Returns a request about a dashboard that was just made under the organization. */
const about =
  (method: string, rest = '', parts: Omit<Request, 'line'> = {}) =>
  async (world: World): Promise<Request> => {
    const id = await create(world);
    return { line: `${method} /api/dashboards/${id}${rest}`, ids: [id], ...parts };
  };

/** As `about`, of a dashboard in the trash. */
const aboutDeleted =
  (method: string, rest = '') =>
  async (world: World): Promise<Request> => {
    const id = await create(world);
    await expectSuccess(world.server, world.owner, `DELETE /api/dashboards/${id}`);
    return { line: `${method} /api/trash/dashboards/${id}${rest}`, ids: [id] };
  };

const ifMatch = { 'if-match': '"1"' };

/** A valid request for each line of the table of roles that is about dashboards. */
export const dashboardRequests: Requests = {
  'POST /api/dashboards in the organization': ({ organizationId }) => ({
    line: 'POST /api/dashboards',
    body: { name: 'D', organizationId },
    ids: [organizationId],
  }),
  "POST /api/dashboards one's own": () => ({ line: 'POST /api/dashboards', body: { name: 'D' } }),
  "GET /api/dashboards/{dashboardId} the organization's": about('GET'),
  "GET /api/dashboards/{dashboardId} the owner's own": async ({ server, owner }) => {
    const created = await expectSuccess(server, owner, 'POST /api/dashboards', { name: 'D' });
    return { line: `GET /api/dashboards/${created.body.id}`, ids: [created.body.id] };
  },
  "GET /api/dashboards the organization's": ({ organizationId: id }) => ({
    line: `GET /api/dashboards?organizationId=${id}`,
    ids: [id],
  }),
  'GET /api/dashboards all': () => ({ line: 'GET /api/dashboards' }),
  'PUT /api/dashboards/{dashboardId}': about('PUT', '', {
    body: { name: 'E', widgets: [] },
    headers: ifMatch,
  }),
  'PATCH /api/dashboards/{dashboardId}': about('PATCH', '', { body: { name: 'E' }, headers: ifMatch }),
  'DELETE /api/dashboards/{dashboardId}': about('DELETE'),
  'POST /api/dashboards/{dashboardId}/duplicate': about('POST', '/duplicate', { body: {} }),
  'GET /api/dashboards/{dashboardId}/events': about('GET', '/events', {
    headers: { accept: 'text/event-stream' },
  }),
  'PUT /api/dashboards/{dashboardId}/editing': about('PUT', '/editing'),
  'DELETE /api/dashboards/{dashboardId}/editing': about('DELETE', '/editing'),
  'GET /api/dashboards/{dashboardId}/versions': about('GET', '/versions'),
  'GET /api/dashboards/{dashboardId}/versions/{version}': about('GET', '/versions/1'),
  'POST /api/dashboards/{dashboardId}/versions/{version}/restore': about('POST', '/versions/1/restore'),
  'GET /api/dashboards/{dashboardId}/changes': about('GET', '/changes?from=1'),
  'GET /api/dashboards/{dashboardId}/permissions': about('GET', '/permissions'),
  'GET /api/dashboards/{dashboardId}/access': about('GET', '/access'),
  'PUT /api/dashboards/{dashboardId}/access': about('PUT', '/access', {
    body: { restricted: true, members: [] },
  }),
  'POST /api/dashboards/{dashboardId}/transfer': async (world) => {
    const { id: userId } = await world.server.createMember(world.organizationId, 'editor');
    return about('POST', '/transfer', { body: { userId } })(world);
  },
  "GET /api/trash/dashboards the organization's": ({ organizationId: id }) => ({
    line: `GET /api/trash/dashboards?organizationId=${id}`,
    ids: [id],
  }),
  'GET /api/trash/dashboards all': () => ({ line: 'GET /api/trash/dashboards' }),
  'POST /api/trash/dashboards/{id}/restore': aboutDeleted('POST', '/restore'),
  'DELETE /api/trash/dashboards/{id}': aboutDeleted('DELETE'),
  'GET /api/organizations/{orgId}/dashboards/export': async (world) => {
    await create(world);
    const { organizationId: id } = world;
    return { line: `GET /api/organizations/${id}/dashboards/export`, ids: [id] };
  },
  'POST /api/organizations/{orgId}/dashboards/import': async (world) => {
    const { organizationId: id } = world;
    const dashboardId = await create(world);
    const document = { format: 'atrium.dashboard/1', id: dashboardId, name: 'E', widgets: [] };
    return {
      line: `POST /api/organizations/${id}/dashboards/import`,
      body: { documents: [document] },
      ids: [id],
    };
  },
  'PUT /api/dashboards/{dashboardId}/star': about('PUT', '/star'),
  'DELETE /api/dashboards/{dashboardId}/star': about('DELETE', '/star'),
  'PUT /api/dashboards/{dashboardId}/visit': about('PUT', '/visit'),
  'GET /api/dashboards/{dashboardId}/results': about('GET', '/results'),
};
