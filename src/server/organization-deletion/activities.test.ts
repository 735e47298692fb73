import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { authorizeByCode, commandLine, sendForm } from '../../../tests/support/credentials/oauth.ts';
import { createToken } from '../../../tests/support/credentials/tokens.ts';
import { callMessage, startMcpOffice } from '../../../tests/support/mcp/office.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnBothEngines,
  errorsIn,
  problemOf,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { startProvisioning, entraUser } from '../../../tests/support/sso/provisioning.ts';
import { describeSignIns } from '../../../tests/support/sso/world.ts';
import { openWebhooks } from '../../../tests/support/webhooks.ts';
import { sourcesDirectory } from '../storage/data-directory.ts';
import { prepare } from '../storage/prepared-query.ts';
import { deleteByOperator, listDeletedByOperator } from './deletion.ts';
import { eraseOrganizations, purgeOrganizations } from './purge.ts';

const never = new AbortController().signal;

/** Deletes an organization without the 30 days, as the operator can, while requests are running. */
const deleteNow = (server: TestServer, organizationId: string) =>
  deleteByOperator(server, { organizationId, graceMs: 0 });

/** Deletes the data of deleted organizations, and fails if something of one is left that refers to it. */
async function purge({ database, clock, dataDirectory }: TestServer): Promise<void> {
  const dependencies = {
    database,
    clock,
    mailer: { isConfigured: false, send: async () => ({ isSent: false as const, reason: 'none' }) },
    publicUrl: '',
    directory: sourcesDirectory(dataDirectory),
    removeRemote: undefined,
    onPurged: () => {},
  };
  await purgeOrganizations(dependencies, never);
  await eraseOrganizations(dependencies, never);
  assert.deepEqual(await listDeletedByOperator(database), []);
}

async function originOf({ app }: TestServer): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

describeOnBothEngines('the deletion of an organization', (engine) => {
  test('stops displays, programs with access, and MCP at the next request', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId, post } = office;
    const { body: dashboard } = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId },
    });
    const { body: link } = await server.call(`POST /api/dashboards/${dashboard.id}/display-links`, {
      as: owner,
      body: { name: 'Lobby' },
    });
    const program = await authorizeByCode(server, owner, { organizationId, scopes: ['read'] });
    const { token } = await createToken(server, owner, { organizationId, scopes: ['read'] });
    const get = (path: string, bearer: string) =>
      server.call(`GET ${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    const attempts = async () => [
      (await get('/api/display', link.token)).status,
      (await get(`/api/organizations/${organizationId}`, program.access_token)).status,
      (await post(callMessage('list_dashboards'), { authorization: `Bearer ${token}` })).status,
    ];
    assert.deepEqual(await attempts(), [200, 200, 200]);
    await deleteNow(server, organizationId);
    assert.deepEqual(await attempts(), [404, 401, 401]);
    const refreshed = await sendForm(server, 'token', {
      grant_type: 'refresh_token',
      client_id: commandLine.clientId,
      refresh_token: program.refresh_token,
    });
    assert.equal(refreshed.status, 400, refreshed.text);
  });

  test('stops webhooks that wait', async (context) => {
    const { server, organizationId, create, save, sender, receiver } = await openWebhooks(context, engine);
    await create();
    await save('First');
    await sender.sendDue();
    const before = receiver.received.length;
    assert.ok(before > 0);
    await save('Second');
    await deleteNow(server, organizationId);
    await sender.sendDue();
    assert.equal(receiver.received.length, before);
  });

  test('ends a running report, and leaves nothing of it', async (context) => {
    const { server, organizationId, run, save } = await startNewsroom(context, engine);
    const report = await save({
      query: 'SELECT sum(a.range * b.range) AS total FROM range(5000) a, range(5000) b',
    });
    server.expectErrors();
    const running = run(report);
    await deleteNow(server, organizationId);
    const purged = purge(server);
    const { status, text } = await running;
    assert.ok([200, 404, 422].includes(status), text);
    await purged;
    // Without its files, the process that runs the query ends.
    for (const line of errorsIn(server.log)) assert.equal(JSON.parse(line).msg, 'A query process died');
    assert.deepEqual(problemOf(await run(report)), { status: 404, code: 'not_found' });
  });

  test('ends a running upload, and leaves nothing of it', async (context) => {
    const { server, owner, organizationId, path } = await startNewsroom(context, engine);
    const origin = await originOf(server);
    const directory = join(sourcesDirectory(server.dataDirectory), organizationId);
    const filesIn = () =>
      readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const before = filesIn().length;
    const chunks = new PassThrough();
    chunks.write(`a,b\n${'1,2\n'.repeat(100_000)}`);
    const uploading = fetch(`${origin}${path}/tables/late`, {
      method: 'PUT',
      headers: {
        cookie: `auth.session_token=${owner.token}`,
        'content-type': 'text/csv',
        origin: 'http://localhost:3000',
      },
      body: Readable.toWeb(chunks) as ReadableStream,
      duplex: 'half',
    });
    for (let tries = 0; filesIn().length === before && tries < 500; tries += 1) await delay(10);
    assert.ok(filesIn().length > before, 'the upload has begun');
    await deleteNow(server, organizationId);
    chunks.end('3,4\n');
    assert.equal((await uploading).status, 404);
    await purge(server);
    assert.ok(!existsSync(directory));
  });
});

describeSignIns('the deletion of an organization with a directory', (world) => {
  test('stops SCIM, also requests that are running', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const { id, domain } = organization;
    const { call } = await startProvisioning(server, organization);
    const create = async (name: string) =>
      (await call('POST /Users', entraUser(`${name}@${domain}`, name, { externalId: `object-${name}` })))
        .status;
    assert.equal(await create('first'), 201);
    const [one, two] = await Promise.all([create('one'), create('two'), deleteNow(server, id)]);
    // Authenticated before the deletion, and without a directory after it.
    for (const status of [one, two]) assert.ok([201, 400, 401, 404].includes(status), String(status));
    assert.equal(await create('last'), 401);
    const members = prepare((db) =>
      db.selectFrom('members').select('user_id').where('organization_id', '=', id),
    );
    assert.deepEqual(await server.database.all(members, {}), []);
    await purge(server);
  });
});
