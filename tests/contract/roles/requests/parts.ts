import { createPasswordReset } from '../../../../src/server/accounts/password-reset/password-reset.ts';
import { makeOperator } from '../../../support/organizations/operators.ts';
import { addPasskey, challengeCookieOf, TestPasskey } from '../../../support/credentials/authenticator.ts';
import { setPassword } from '../../../support/organizations/passwords.ts';
import { codeOf, enterPassword, setUpApp } from '../../../support/organizations/second-factors.ts';
import {
  content,
  create,
  createSource,
  files,
  image,
  invite,
  logo,
  asked,
  newToken,
  proposal,
  sourceOfReports,
  startDevice,
  server,
  table,
  webhook,
} from './fixtures.ts';
import { comeBack, configuration, connection, configure, connect, domainOf, waitForPassword } from './sso.ts';
import { expectSuccess, password, type World } from './world.ts';

/** What a request has besides its method and path. */
export interface Parts {
  /** The query, with its question mark. */
  readonly query?: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids of things of the organization that are not in the path. */
  readonly ids?: readonly string[];
  /** A cookie in addition to that of the session. */
  readonly cookie?: string;
  /** The method and path, where they aren't made from the line of the table. */
  readonly line?: string;
}

type ToParts = (world: World) => Promise<Parts>;

const ifMatch = { 'if-match': '"1"' };
const newPassword = 'another horse battery';
const newEmail = 'new@example.com';

/** A request to the organization's list of something. */
const ofOrganization = async ({ organizationId }: World): Promise<Parts> => ({
  query: `?organizationId=${organizationId}`,
});

/** A transfer to a new editor. */
const toNewMember = async ({ server, organizationId }: World): Promise<Parts> => ({
  body: { userId: (await server.createMember(organizationId, 'editor')).id },
});

/** A built query that counts the rows of a table. */
const countedRows = {
  query: 'SELECT count(*) AS n\nFROM t',
  structure: {
    table: { schema: 'main', name: 't', columns: [{ name: 'a', type: 'integer' }] },
    measures: [{ name: 'n', aggregate: 'count' }],
  },
};

/** A request about a table. */
const exploreTable = async (world: World) => {
  const dataSourceId = await create['dataSourceId']?.(world, '{table}');
  return { body: { target: { dataSourceId, table: 't' } } };
};

/** A request about a comment of the owner. */
async function toComment(world: World, method: string): Promise<Parts> {
  const id = await create.dashboardId(world);
  const path = `/api/dashboards/${id}/comments`;
  const { body } = await expectSuccess(world.server, world.owner, `POST ${path}`, { text: 'Why?' });
  return { line: `${method} ${path}/${body.id}`, ids: [id, body.id] };
}

/** A request about a link for a wall display of the owner. */
async function toDisplayLink(world: World): Promise<Parts> {
  const id = await create.dashboardId(world);
  const path = `/api/dashboards/${id}/display-links`;
  const { body } = await expectSuccess(world.server, world.owner, `POST ${path}`, { name: 'Lobby' });
  return { line: `DELETE ${path}/${body.id}`, ids: [id, body.id] };
}

/** A request to send a test event again. */
async function toDelivery(world: World): Promise<Parts> {
  const id = (await create['webhookId']?.(world, '')) ?? '';
  const path = `/api/organizations/${world.organizationId}/webhooks/${id}`;
  const { body } = await expectSuccess(world.server, world.owner, `POST ${path}/test`);
  return { line: `POST ${path}/deliveries/${body.id}/retry`, ids: [id, body.id] };
}

/** Deletes another organization of the owner. Returns its ID, and the token of the link that restores it. */
async function deleteAnother({ server, owner }: World): Promise<{ id: string; token: string }> {
  const id = await server.createOrganization(owner);
  const path = `/api/organizations/${id}`;
  const { name } = (await expectSuccess(server, owner, `GET ${path}`)).body;
  const { body } = await expectSuccess(server, owner, `POST ${path}/delete`, { name });
  return { id, token: String(body.restoreLink).split('#')[1] ?? '' };
}

/** A request of the person who operates the server. */
async function createServiceAccount({ server, owner, organizationId }: World) {
  const path = `/api/organizations/${organizationId}/service-accounts`;
  const account = { name: 'Program', role: 'viewer' };
  const { body } = await expectSuccess(server, owner, `POST ${path}`, account);
  return { path, id: String(body.id) };
}

const asOperator =
  (parts: Parts): ToParts =>
  async ({ server, owner }) => {
    await makeOperator(server, owner);
    return parts;
  };

/** A request of a person with a password. */
const withPassword =
  (body?: object): ToParts =>
  async ({ server, as }) => {
    if (as !== undefined) await setPassword(server, as, password);
    return body === undefined ? {} : { body };
  };

/** A request of a person with a second factor, as far as the session can set one up. */
const withApp: ToParts = async ({ server, as }) => {
  if (as === undefined) return {};
  await setPassword(server, as, password);
  const { status } = await server.call('POST /api/auth/authenticator-app', { as });
  if (status === 200) await setUpApp(server, as);
  return {};
};

/** A request to an organization whose configuration is ready. */
const connected =
  (parts: Parts = {}): ToParts =>
  async (world) => {
    await connect(world);
    return parts;
  };

const configured: ToParts = async (world) => {
  await configure(world);
  return {};
};

/** The parts of each line of the table of roles whose request is more than its path. */
export const partsOf: Readonly<Record<string, Parts | ToParts>> = {
  'POST /api/set-up': {
    body: { token: 'x'.repeat(43), email: 'eve@example.com', name: 'Eve', password, organization: 'Eve' },
  },
  'GET /api/server': asOperator({}),
  'PATCH /api/server': asOperator({ body: { logLevel: 'debug' } }),
  'POST /api/auth/sign-in/email': async ({ accountEmail: email }) => ({ body: { email, password } }),
  'POST /api/auth/sign-in/recovery': async ({ server, owner, organizationId: id }) => {
    const { body } = await expectSuccess(server, owner, `POST /api/sso/orgs/${id}/recovery-codes`);
    return { body: { email: owner.email, code: body.items[0] } };
  },
  'POST /api/auth/revoke-session': async ({ server, owner }) => {
    const { id } = (await expectSuccess(server, owner, 'GET /api/auth/get-session')).body.session;
    return { body: { id }, ids: [id] };
  },
  'POST /api/auth/confirm': withPassword({ password }),
  'POST /api/auth/sign-in/second-factor': async ({ server }) => {
    const person = await server.createPerson();
    await setPassword(server, person, password);
    const { recoveryCodes } = await setUpApp(server, person);
    const { cookie } = await enterPassword(server, person, password);
    return { body: { method: 'recovery_code', code: recoveryCodes[0] }, cookie };
  },
  'POST /api/auth/sign-in/second-factor/options': async ({ server }) => {
    const person = await server.createPerson();
    await setPassword(server, person, password);
    await addPasskey(server, person);
    return { cookie: (await enterPassword(server, person, password)).cookie };
  },
  'POST /api/auth/sign-in/passkey': async ({ server }) => {
    const person = await server.createPerson();
    await setPassword(server, person, password);
    const { passkey } = await addPasskey(server, person);
    const started = await server.call('POST /api/auth/sign-in/passkey/options');
    return { body: { assertion: passkey.sign(started.body) }, cookie: challengeCookieOf(started) };
  },
  'POST /api/auth/passkeys/options': withPassword(),
  'POST /api/auth/passkeys': async ({ server, as }) => {
    const credential = new TestPasskey().make({ challenge: 'x' });
    if (as === undefined) return { body: { name: 'Laptop', credential } };
    await setPassword(server, as, password);
    const started = await server.call('POST /api/auth/passkeys/options', { as });
    if (started.status !== 200) return { body: { name: 'Laptop', credential } };
    const made = new TestPasskey().make(started.body);
    return { body: { name: 'Laptop', credential: made }, cookie: challengeCookieOf(started) };
  },
  'PATCH /api/auth/passkeys/{passkeyId}': withPassword({ name: 'Phone' }),
  'DELETE /api/auth/passkeys/{passkeyId}': withPassword(),
  'POST /api/auth/authenticator-app': withPassword(),
  'POST /api/auth/authenticator-app/confirm': async ({ server, as }) => {
    if (as === undefined) return { body: { code: '000000' } };
    await setPassword(server, as, password);
    const { status, body } = await server.call('POST /api/auth/authenticator-app', { as });
    return { body: { code: status === 200 ? codeOf(server, body.secret) : '000000' } };
  },
  'DELETE /api/auth/authenticator-app': withApp,
  'POST /api/auth/recovery-codes': withApp,
  'POST /api/auth/delete-account': async ({ as }) => ({
    body: { email: as?.email ?? '', organizations: [] },
  }),
  'POST /api/auth/update-user': { body: { name: 'Renamed' } },
  'POST /api/auth/change-password': withPassword({ currentPassword: password, newPassword }),
  'POST /api/auth/request-password-reset': async ({ accountEmail: email }) => ({ body: { email } }),
  'POST /api/auth/reset-password': async ({ server }) => {
    const person = await server.createPerson();
    const token = await server.database.write((transaction) =>
      createPasswordReset(transaction, server.clock, person.id),
    );
    return { body: { token, newPassword } };
  },

  'POST /api/organizations': asOperator({ body: { name: 'New' } }),
  'PATCH /api/organizations/{orgId}': { body: { name: 'Renamed' } },
  'POST /api/organizations/{orgId}/delete': async ({ server, owner, organizationId }) => {
    const path = `/api/organizations/${organizationId}`;
    const { body } = await expectSuccess(server, owner, `GET ${path}`);
    return { body: { name: body.name } };
  },
  'POST /api/organizations/restore': async (world) => ({
    body: { token: (await deleteAnother(world)).token },
  }),
  'POST /api/deleted-organizations/{orgId}/restore': async (world) => {
    const { id } = await deleteAnother(world);
    return { line: `POST /api/deleted-organizations/${id}/restore`, ids: [id] };
  },
  'PATCH /api/organizations/{orgId}/members/{userId}': { body: { role: 'editor' } },
  'POST /api/auth/tokens': async ({ organizationId }) => ({
    body: { organizationId, ...newToken },
    ids: [organizationId],
  }),
  'POST /api/auth/authorizations/read': { body: asked },
  'POST /api/auth/authorizations to authorize': async ({ organizationId }) => ({
    body: { ...asked, approval: { organizationId, scopes: ['read'] } },
    ids: [organizationId],
  }),
  'POST /api/auth/authorizations to refuse': { body: asked },
  'POST /api/auth/device-requests/read': async (world) => ({ body: await startDevice(world) }),
  'POST /api/auth/device-requests/approve': async (world) => {
    const { organizationId } = world;
    return {
      body: { ...(await startDevice(world)), organizationId, scopes: ['read'] },
      ids: [organizationId],
    };
  },
  'POST /api/auth/device-requests/deny': async (world) => ({ body: await startDevice(world) }),
  'PUT /api/organizations/{orgId}/session-policy': { body: { idleMinutes: 60 } },
  'PUT /api/organizations/{orgId}/authentication-policy': {
    body: { secondFactor: 'owners', confirmSsoChanges: false },
  },
  'PUT /api/organizations/{orgId}/token-policy': { body: { personalTokens: true, maxDays: 90 } },
  'POST /api/organizations/{orgId}/service-accounts': { body: { name: 'Program', role: 'viewer' } },
  'PATCH /api/organizations/{orgId}/service-accounts/{userId}': async (world) => {
    const { path, id } = await createServiceAccount(world);
    return { line: `PATCH ${path}/${id}`, body: { name: 'Renamed' }, ids: [world.organizationId, id] };
  },
  'POST /api/organizations/{orgId}/service-accounts/{userId}/tokens': async (world) => {
    const { path, id } = await createServiceAccount(world);
    return { line: `POST ${path}/${id}/tokens`, body: newToken, ids: [world.organizationId, id] };
  },
  'POST /api/organizations/{orgId}/service-accounts/{userId}/client-credentials': async (world) => {
    const { path, id } = await createServiceAccount(world);
    return {
      line: `POST ${path}/${id}/client-credentials`,
      body: newToken,
      ids: [world.organizationId, id],
    };
  },
  'POST /api/organizations/{orgId}/invitations': { body: { email: newEmail, role: 'viewer' } },
  'GET /api/organizations/{orgId}/audit/export': async (world) => {
    await configure(world);
    return { query: '?action=sso.configuration.saved' };
  },
  'GET /api/organizations/{orgId}/log-stream': { query: '?log=audit' },
  'PUT /api/organizations/{orgId}/access-log/retention': { body: { days: 30 } },
  'POST /api/invitations/read': async (world) => ({
    body: { token: (await invite(world, newEmail)).token },
  }),
  // To a third organization, since the members of this one have nothing to accept here.
  'POST /api/invitations/accept': async ({ as, ...world }) => {
    const owner = await world.server.createPerson();
    const organizationId = await world.server.createOrganization(owner);
    const { token } = await invite({ ...world, as, owner, organizationId }, as?.email ?? newEmail);
    return { body: { token } };
  },
  'POST /api/invitations/sign-up': async (world) => {
    const { token } = await invite(world, `${crypto.randomUUID()}@example.com`);
    return { body: { token, name: 'New', password } };
  },

  'POST /api/sso/orgs/{orgId}/config': { body: configuration },
  'GET /api/sso/orgs/{orgId}/config': configured,
  'DELETE /api/sso/orgs/{orgId}/config': configured,
  'POST /api/sso/orgs/{orgId}/config/test': connected(),
  'GET /api/sso/orgs/{orgId}/config/test/{testId}': connected(),
  'GET /api/sso/orgs/{orgId}/status': connected(),
  'GET /api/sso/orgs/{orgId}/domains': connected(),
  'POST /api/sso/orgs/{orgId}/domains/{domain}/verify': connected(),
  'PUT /api/sso/orgs/{orgId}/policy': {
    body: { requireSso: false, defaultRole: 'editor', roleMappings: [] },
  },
  'POST /api/sso/orgs/{orgId}/connections': { body: connection },
  'PUT /api/sso/orgs/{orgId}/connections/{connectionId}': { body: connection },
  'PUT /api/sso/orgs/{orgId}/connections/{connectionId}/policy': {
    body: { defaultRole: 'editor', roleMappings: [] },
  },
  'GET /api/sso/orgs/{orgId}/migration': configured,
  'PUT /api/sso/orgs/{orgId}/migration': async (world) => {
    await configure(world);
    return { body: { byAddress: true, people: [] } };
  },
  'GET /api/sso/orgs/{orgId}/migration/people': configured,
  'POST /api/sso/sign-in': async (world) => {
    await connect(world);
    return { body: { email: `someone@${domainOf(world.organizationId)}` } };
  },
  'GET /api/sso/start/{orgId}': connected(),
  'GET /api/sso/callback/{configId}': async (world) => {
    await connect(world);
    return comeBack(world, `someone@${domainOf(world.organizationId)}`);
  },
  'POST /api/sso/sign-in/link/options': async (world) => {
    const { token, cookie } = await waitForPassword(world);
    return { body: { token }, cookie };
  },
  'POST /api/sso/sign-in/link/read': async (world) => {
    const { token, cookie } = await waitForPassword(world);
    return { body: { token }, cookie };
  },
  'POST /api/sso/sign-in/link': async (world) => {
    const { token, cookie } = await waitForPassword(world);
    return { body: { token, password }, cookie };
  },

  'POST /api/dashboards in the organization': async ({ organizationId }) => ({
    body: { name: 'D', organizationId },
  }),
  "POST /api/dashboards one's own": { body: { name: 'D' } },
  "GET /api/dashboards the organization's": ofOrganization,
  'PUT /api/dashboards/{dashboardId}': { body: { name: 'E', widgets: [] }, headers: ifMatch },
  'PATCH /api/dashboards/{dashboardId}': { body: { name: 'E' }, headers: ifMatch },
  'POST /api/dashboards/{dashboardId}/duplicate': { body: {} },
  'GET /api/dashboards/{dashboardId}/events': { headers: { accept: 'text/event-stream' } },
  'GET /api/dashboards/{dashboardId}/changes': { query: '?from=1' },
  'PUT /api/dashboards/{dashboardId}/access': { body: { restricted: true, members: [] } },
  'POST /api/dashboards/{dashboardId}/transfer': toNewMember,
  "GET /api/trash/dashboards the organization's": ofOrganization,
  'GET /api/organizations/{orgId}/dashboards/export': async (world) => {
    await create.dashboardId(world);
    return {};
  },
  'POST /api/organizations/{orgId}/dashboards/import': async (world) => {
    const id = await create.dashboardId(world);
    return { body: { documents: [{ format: 'atrium.dashboard/1', id, name: 'E', widgets: [] }] } };
  },

  'POST /api/organizations/{orgId}/data-sources of files': { body: files },
  'POST /api/organizations/{orgId}/data-sources of a server': { body: server },
  'PUT /api/data-sources/{dataSourceId} of files': { body: files },
  'PUT /api/data-sources/{dataSourceId} of a server': { body: server },
  'PUT /api/data-sources/{dataSourceId}/tables/{table}': table,
  'PUT /api/data-sources/{dataSourceId}/models': {
    body: { schema: 'main', name: 't', columns: [{ name: 'a', displayName: 'A' }] },
    headers: ifMatch,
  },
  'DELETE /api/data-sources/{dataSourceId}/models': { query: '?schema=main&table=t' },
  'POST /api/organizations/{orgId}/uploads': table,
  'POST /api/organizations/{orgId}/images': image,
  'PUT /api/organizations/{orgId}/logo': logo,
  'POST /api/organizations/{orgId}/folders': { body: { name: 'F' } },
  'PATCH /api/folders/{folderId}': { body: { name: 'G' } },
  'PUT /api/folders/{folderId}/access': { body: { restricted: true, members: [] } },
  'POST /api/folders/{folderId}/dashboards': { body: { name: 'D' } },
  'POST /api/folders/{folderId}/reports': async (world) => ({
    body: { ...content, dataSourceId: await sourceOfReports(world) },
  }),
  'POST /api/organizations/{orgId}/items': {
    body: { action: 'move', folderId: null, items: [{ kind: 'dashboard', id: 'd' }] },
  },
  'POST /api/uploads/{uploadId}/preview': { body: {} },
  'POST /api/uploads/{uploadId}/import': { body: { newSourceName: 'New', table: 't' } },

  'POST /api/reports': async (world) => ({
    body: { ...content, organizationId: world.organizationId, dataSourceId: await createSource(world) },
  }),
  'GET /api/reports': ofOrganization,
  'PUT /api/reports/{reportId}': async (world) => ({
    body: { ...content, name: 'S', dataSourceId: await createSource(world) },
    headers: ifMatch,
  }),
  'PUT /api/data-sources/{dataSourceId}/access': { body: { restricted: true, members: [] } },
  'PUT /api/reports/{reportId}/access': { body: { restricted: true, members: [] } },
  'POST /api/reports/{reportId}/transfer': toNewMember,
  'GET /api/reports/{reportId}/changes': { query: '?from=1' },
  'POST /api/reports/{reportId}/run': { body: {} },
  'POST /api/reports/preview': async (world) => ({
    body: {
      organizationId: world.organizationId,
      dataSourceId: await sourceOfReports(world),
      query: content.query,
    },
  }),
  'POST /api/reports/{reportId}/drill the rows': async (world) => {
    const dataSourceId = await create['dataSourceId']?.(world, '{table}');
    const body = { ...countedRows, organizationId: world.organizationId, dataSourceId, name: 'Rows' };
    const created = await expectSuccess(world.server, world.owner, 'POST /api/reports', body);
    const { id } = created.body;
    return { line: `POST /api/reports/${id}/drill`, body: { marks: [{}] }, ids: [id] };
  },
  'GET /api/dashboards/{dashboardId}/widgets/{widgetId}/export': async ({
    server,
    owner,
    organizationId,
  }) => {
    const body = { name: 'D', organizationId, widgets: [{ reportId: 'r' }] };
    const created = await expectSuccess(server, owner, 'POST /api/dashboards', body);
    const { id, widgets } = created.body;
    return { line: `GET /api/dashboards/${id}/widgets/${widgets[0].id}/export?file-format=svg`, ids: [id] };
  },
  'POST /api/organizations/{orgId}/webhooks': { body: webhook },
  'PATCH /api/organizations/{orgId}/webhooks/{webhookId}': { body: { enabled: false } },
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry': toDelivery,
  'POST /api/dashboards/{dashboardId}/display-links': { body: { name: 'Lobby' } },
  'DELETE /api/dashboards/{dashboardId}/display-links/{linkId}': toDisplayLink,
  'POST /api/organizations/{orgId}/proposals': { body: proposal },
  'POST /api/dashboards/{dashboardId}/comments': { body: { text: 'Why?' } },
  'PATCH /api/dashboards/{dashboardId}/comments/{commentId}': async (world) => ({
    ...(await toComment(world, 'PATCH')),
    body: { resolved: true },
  }),
  'DELETE /api/dashboards/{dashboardId}/comments/{commentId}': (world) => toComment(world, 'DELETE'),
  'GET /api/dashboards/{dashboardId}/export': { query: '?file-format=xlsx' },
  'POST /api/explore/profile': exploreTable,
  'POST /api/explore/cube': async (world) => {
    const active = { kind: 'number', column: 'a', times: 1, per: 1, first: 0, count: 1, perBin: 1 };
    const { body, ...parts } = await exploreTable(world);
    return { ...parts, body: { ...body, active, charts: [], selections: [] } };
  },
  "POST /api/explore/rows a report's result": async (world) => {
    const reportId = (await create['reportId']?.(world, '')) ?? '';
    return { body: { target: { reportId }, selections: [] }, ids: [reportId] };
  },
  "GET /api/trash/reports the organization's": ofOrganization,
};
