import assert from 'node:assert/strict';
import { domainRecord } from '../../../../src/server/sso/domains/record.ts';
import { storePasskey } from '../../../support/credentials/authenticator.ts';
import { connectionOf, createMovedPerson, createSuspended, domainOf } from './sso.ts';
import { expectSuccess, type World } from './world.ts';

/** A report's name and query. */
export const content = { name: 'R', query: 'select 1 as one' };
/** A data source of each kind. */
export const files = { name: 'Files', kind: 'files' };
export const server = {
  name: 'Server',
  kind: 'postgresql',
  connection: { host: 'db.example', port: 5432, database: 'd', user: 'u', tls: 'verify' },
};
/** The content of a table. */
export const table = { body: 'a\n1\n', headers: { 'content-type': 'text/csv' } };

/** What a token is created with. */
export const newToken = { name: 'Script', scopes: ['read'], expiresAt: '2026-12-01' };

/** With what the command line asks for an authorization. */
export const asked = {
  clientId: 'atrium-cli',
  redirectUri: 'http://127.0.0.1:40000/callback',
  responseType: 'code',
  codeChallenge: 'x'.repeat(43),
  codeChallengeMethod: 'S256',
};

/** Starts a request of a device, and returns the code that it shows. */
export async function startDevice({ server }: World): Promise<{ userCode: string }> {
  const response = await server.call('POST /api/oauth/device_authorization', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=atrium-cli',
  });
  return { userCode: response.body.user_code };
}

/** A picture of one pixel, whose bytes are ASCII. */
export const image = {
  body: 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000,\u0000\u0000\u0000\u0000\u0001\u0000\u0001\u0000\u0000;',
  headers: { 'content-type': 'image/gif' },
};

/** A WebP of one pixel, whose bytes are ASCII. */
export const logo = {
  body: `RIFF${'\0'.repeat(4)}WEBPVP8X${'\0'.repeat(34)}`,
  headers: { 'content-type': 'image/webp' },
};

/** Returns the id of what a request of the owner has created. */
const createdBy = async (world: World, line: string, body?: object): Promise<string> =>
  (await expectSuccess(world.server, world.owner, line, body)).body.id;

export const createSource = (world: World, body: object = files): Promise<string> =>
  createdBy(world, `POST /api/organizations/${world.organizationId}/data-sources`, body);

export async function invite(world: World, email: string): Promise<{ id: string; token: string }> {
  const line = `POST /api/organizations/${world.organizationId}/invitations`;
  const { body } = await expectSuccess(world.server, world.owner, line, { email, role: 'viewer' });
  return { id: body.id, token: body.link.split('#')[1] };
}

async function createDashboard(world: World, line = ''): Promise<string> {
  const { organizationId } = world;
  const shared = line.endsWith("the owner's own") ? {} : { organizationId, widgets: [{ reportId: 'r' }] };
  return createdBy(world, 'POST /api/dashboards', { name: 'D', ...shared });
}

/** Returns a function that creates something once for each world: what starts a process for its queries is slow. */
function oncePerWorld(createIn: (world: World) => Promise<string>): (world: World) => Promise<string> {
  const created = new WeakMap<World, Promise<string>>();
  return (world) => {
    const id = created.get(world) ?? createIn(world);
    created.set(world, id);
    return id;
  };
}

/** Returns the data source of a world's reports. */
export const sourceOfReports = oncePerWorld((world) => createSource(world));

/** Returns a data source with the table `t`. */
const sourceWithTable = oncePerWorld(uploadTable);

async function uploadTable(world: World): Promise<string> {
  const id = await createSource(world);
  const upload = `PUT /api/data-sources/${id}/tables/t`;
  assert.equal((await world.server.call(upload, { as: world.owner, ...table })).status, 200);
  return id;
}

const deletedTable = oncePerWorld(async (world) => {
  const id = await uploadTable(world);
  await expectSuccess(world.server, world.owner, `DELETE /api/data-sources/${id}/tables/t`);
  const list = `GET /api/organizations/${world.organizationId}/trash/tables`;
  return (await expectSuccess(world.server, world.owner, list)).body.items[0].id;
});

async function createReport(world: World, line = ''): Promise<string> {
  const { organizationId } = world;
  const parameters = line.includes('{parameter}') ? { parameters: [{ name: 'p', type: 'text' }] } : {};
  const body = { ...content, organizationId, dataSourceId: await sourceOfReports(world), ...parameters };
  return createdBy(world, 'POST /api/reports', body);
}

async function createTrash(world: World, line: string): Promise<string> {
  if (line.includes('/folders')) return createFolder(world, line);
  if (line.includes('/tables')) return deletedTable(world);
  if (line.includes('/data-sources')) {
    const id = await createSourceFor(world, line);
    await expectSuccess(world.server, world.owner, `DELETE /api/data-sources/${id}`);
    return id;
  }
  const [kind, create] = line.includes('/dashboards')
    ? ['dashboards', createDashboard]
    : (['reports', createReport] as const);
  const id = await create(world);
  await expectSuccess(world.server, world.owner, `DELETE /api/${kind}/${id}`);
  return id;
}

async function createSourceFor(world: World, line: string): Promise<string> {
  if (line.includes('{table}') && !line.startsWith('PUT')) return sourceWithTable(world);
  return createSource(world, line.endsWith('of a server') ? server : files);
}

async function createUpload({ server, owner, organizationId }: World): Promise<string> {
  const { body } = await server.call(`POST /api/organizations/${organizationId}/uploads`, {
    as: owner,
    ...table,
  });
  return body.id;
}

async function createImage({ server, owner, organizationId }: World): Promise<string> {
  const { body } = await server.call(`POST /api/organizations/${organizationId}/images`, {
    as: owner,
    ...image,
  });
  return body.id;
}

async function uploadLogo({ server, owner, organizationId }: World): Promise<string> {
  const line = `PUT /api/organizations/${organizationId}/logo`;
  return (await server.call(line, { as: owner, ...logo })).body.logoId;
}

async function createFolder(world: World, line: string): Promise<string> {
  const id = await createdBy(world, `POST /api/organizations/${world.organizationId}/folders`, { name: 'F' });
  if (line.endsWith('/restore') || line.includes('/trash/'))
    await expectSuccess(world.server, world.owner, `DELETE /api/folders/${id}`);
  return id;
}

async function publishRecord({ dns, organizationId }: World): Promise<string> {
  const { name, value } = domainRecord(organizationId, domainOf(organizationId));
  dns.publish(name, value);
  return domainOf(organizationId);
}

export const webhook = { url: 'https://hooks.example/', events: ['dashboard.changed'] };

/** A new dashboard that is proposed. */
export const proposal = { summary: 'Why', dashboard: { name: 'Proposed', widgets: [] } };

/** Creates what each placeholder of a path stands for, in the world's organization. Returns its id. */
export const create: Readonly<Record<string, (world: World, line: string) => Promise<string>>> & {
  readonly dashboardId: (world: World) => Promise<string>;
} = {
  orgId: async ({ organizationId }) => organizationId,
  userId: async (world, line) => {
    if (line.includes('/migration/')) return createMovedPerson(world);
    if (line.includes('/suspended-members/')) return createSuspended(world);
    return (await world.server.createMember(world.organizationId, 'viewer')).id;
  },
  invitationId: async (world) => (await invite(world, 'new@example.com')).id,
  testId: async (world, line) => {
    const path = `POST /api/sso/orgs/${world.organizationId}`;
    if (!line.includes('/connections')) return createdBy(world, `${path}/config/test`);
    return createdBy(world, `${path}/connections/${await connectionOf(world)}/test`);
  },
  connectionId: connectionOf,
  certificateId: async (world) => {
    const connection = `/api/sso/orgs/${world.organizationId}/connections/${await connectionOf(world)}`;
    return createdBy(world, `POST ${connection}/certificates`);
  },
  domain: publishRecord,
  dashboardId: createDashboard,
  reportId: createReport,
  dataSourceId: createSourceFor,
  id: createTrash,
  uploadId: createUpload,
  imageId: createImage,
  logoId: uploadLogo,
  tokenId: (world) =>
    createdBy(world, 'POST /api/auth/tokens', { organizationId: world.organizationId, ...newToken }),
  passkeyId: ({ server, owner }) => storePasskey(server, owner),
  folderId: createFolder,
  webhookId: (world) => createdBy(world, `POST /api/organizations/${world.organizationId}/webhooks`, webhook),
  proposalId: (world) =>
    createdBy(world, `POST /api/organizations/${world.organizationId}/proposals`, proposal),
  version: async () => '1',
  table: async () => 't',
  parameter: async () => 'p',
};
