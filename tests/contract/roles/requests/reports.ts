import { expectSuccess, type Request, type Requests, type World } from './world.ts';

const content = { name: 'R', query: 'select 1 as one' };

/** Makes a data source of the organization. Returns its id. */
async function createSource({ server, owner, organizationId }: World): Promise<string> {
  const line = `POST /api/organizations/${organizationId}/data-sources`;
  return (await expectSuccess(server, owner, line, { name: 'S', kind: 'files' })).body.id;
}

/** Makes a report of the organization. Returns its id. */
async function createReport(world: World): Promise<string> {
  const { server, owner, organizationId } = world;
  const body = { ...content, organizationId, dataSourceId: await createSource(world) };
  return (await expectSuccess(server, owner, 'POST /api/reports', body)).body.id;
}

/** Returns a request about a report that was just made. */
const about =
  (method: string, rest = '', parts: Omit<Request, 'line'> = {}) =>
  async (world: World): Promise<Request> => {
    const id = await createReport(world);
    return { line: `${method} /api/reports/${id}${rest}`, ids: [id], ...parts };
  };

/** Returns a request about a report that was just put into the trash. */
const inTrash =
  (method: string, rest = '') =>
  async (world: World): Promise<Request> => {
    const id = await createReport(world);
    await expectSuccess(world.server, world.owner, `DELETE /api/reports/${id}`);
    return { line: `${method} /api/trash/reports/${id}${rest}`, ids: [id] };
  };

/** A valid request for each line of the table of roles that is about reports. */
export const reportRequests: Requests = {
  'POST /api/reports': async (world) => {
    const { organizationId } = world;
    const body = { ...content, organizationId, dataSourceId: await createSource(world) };
    return { line: 'POST /api/reports', body, ids: [organizationId] };
  },
  'GET /api/reports': ({ organizationId: id }) => ({
    line: `GET /api/reports?organizationId=${id}`,
    ids: [id],
  }),
  'GET /api/reports/{reportId}': about('GET'),
  'PUT /api/reports/{reportId}': async (world) => {
    const id = await createReport(world);
    const body = { ...content, name: 'S', dataSourceId: await createSource(world) };
    return { line: `PUT /api/reports/${id}`, body, ids: [id], headers: { 'if-match': '"1"' } };
  },
  'DELETE /api/reports/{reportId}': about('DELETE'),
  'GET /api/reports/{reportId}/dashboards': about('GET', '/dashboards'),
  'GET /api/reports/{reportId}/versions': about('GET', '/versions'),
  'GET /api/reports/{reportId}/versions/{version}': about('GET', '/versions/1'),
  'POST /api/reports/{reportId}/versions/{version}/restore': about('POST', '/versions/1/restore'),
  'GET /api/reports/{reportId}/changes': about('GET', '/changes?from=1'),
  'POST /api/reports/{reportId}/run': about('POST', '/run', { body: {} }),
  'POST /api/reports/preview': async (world) => {
    const { organizationId } = world;
    const { query } = content;
    const body = { organizationId, dataSourceId: await createSource(world), query };
    return { line: 'POST /api/reports/preview', body, ids: [organizationId] };
  },
  'GET /api/reports/{reportId}/parameters/{parameter}/values': async (world) => {
    const { server, owner, organizationId } = world;
    const parameters = [{ name: 'p', type: 'text' }];
    const body = { ...content, organizationId, parameters, dataSourceId: await createSource(world) };
    const { id } = (await expectSuccess(server, owner, 'POST /api/reports', body)).body;
    return { line: `GET /api/reports/${id}/parameters/p/values`, ids: [id] };
  },
  "GET /api/trash/reports the organization's": ({ organizationId: id }) => ({
    line: `GET /api/trash/reports?organizationId=${id}`,
    ids: [id],
  }),
  'GET /api/trash/reports all': () => ({ line: 'GET /api/trash/reports' }),
  'POST /api/trash/reports/{id}/restore': inTrash('POST', '/restore'),
  'DELETE /api/trash/reports/{id}': inTrash('DELETE'),
};
