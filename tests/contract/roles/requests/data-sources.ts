import assert from 'node:assert/strict';
import { expectSuccess, type Request, type Requests, type World } from './world.ts';

const files = { name: 'Files', kind: 'files' };
const server = {
  name: 'Server',
  kind: 'postgresql',
  connection: { host: 'db.example', port: 5432, database: 'd', user: 'u', tls: 'verify' },
};

/** Creates a data source of the organization. Returns its path. */
async function create(world: World, body: object): Promise<{ path: string; id: string }> {
  const line = `POST /api/organizations/${world.organizationId}/data-sources`;
  const { id } = (await expectSuccess(world.server, world.owner, line, body)).body;
  return { path: `/api/data-sources/${id}`, id };
}

const creation =
  (body: object) =>
  ({ organizationId: id }: World): Request => ({
    line: `POST /api/organizations/${id}/data-sources`,
    body,
    ids: [id],
  });

/** Returns a request about a data source that was just made. */
const about =
  (source: object, method: string, rest = '', parts: Omit<Request, 'line'> = {}) =>
  async (world: World): Promise<Request> => {
    const { path, id } = await create(world, source);
    return { line: `${method} ${path}${rest}`, ids: [id], ...parts };
  };

const upload = { body: 'a\n1\n', headers: { 'content-type': 'text/csv' } };

/** As `about`, of a table that was just uploaded. */
const aboutTable =
  (method: string, rest = '') =>
  async (world: World): Promise<Request> => {
    const { path, id } = await create(world, files);
    const { status } = await world.server.call(`PUT ${path}/tables/t`, { as: world.owner, ...upload });
    assert.equal(status, 200);
    return { line: `${method} ${path}/tables/t${rest}`, ids: [id] };
  };

/** A valid request for each line of the table of roles that is about data sources. */
export const dataSourceRequests: Requests = {
  'POST /api/organizations/{orgId}/data-sources of files': creation(files),
  'POST /api/organizations/{orgId}/data-sources of a server': creation(server),
  'GET /api/organizations/{orgId}/data-sources': ({ organizationId: id }) => ({
    line: `GET /api/organizations/${id}/data-sources`,
    ids: [id],
  }),
  'GET /api/data-sources/{dataSourceId}': about(files, 'GET'),
  'PUT /api/data-sources/{dataSourceId} of files': about(files, 'PUT', '', { body: files }),
  'PUT /api/data-sources/{dataSourceId} of a server': about(server, 'PUT', '', { body: server }),
  'DELETE /api/data-sources/{dataSourceId} of files': about(files, 'DELETE'),
  'DELETE /api/data-sources/{dataSourceId} of a server': about(server, 'DELETE'),
  'POST /api/organizations/{orgId}/sample': ({ organizationId: id }) => ({
    line: `POST /api/organizations/${id}/sample`,
    ids: [id],
  }),
  'POST /api/data-sources/{dataSourceId}/test of files': about(files, 'POST', '/test'),
  'POST /api/data-sources/{dataSourceId}/test of a server': about(server, 'POST', '/test'),
  'GET /api/data-sources/{dataSourceId}/tables': about(files, 'GET', '/tables'),
  'GET /api/data-sources/{dataSourceId}/tables/{table}/preview': aboutTable('GET', '/preview'),
  'PUT /api/data-sources/{dataSourceId}/tables/{table}': about(files, 'PUT', '/tables/t', upload),
  'DELETE /api/data-sources/{dataSourceId}/tables/{table}': aboutTable('DELETE'),
};
