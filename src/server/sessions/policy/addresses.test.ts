import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { authorizeByCode, commandLine, sendForm } from '../../../../tests/support/credentials/oauth.ts';
import { createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import { callMessage, saveBoard, startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { setPassword } from '../../../../tests/support/organizations/passwords.ts';
import { readArchive } from '../../../../tests/support/archives.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Engine,
} from '../../../../tests/support/server/test-server.ts';

const inside = { 'x-forwarded-for': '203.0.113.7' };
const outside = { 'x-forwarded-for': '198.51.100.9' };
const refused = { status: 403, code: 'address_not_allowed' };

async function startOffice(context: TestContext, engine: Engine) {
  const office = await startMcpOffice(context, engine, { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' });
  const { server, organizationId, owner } = office;
  const close = async () => {
    const saved = await server.call(`PUT /api/organizations/${organizationId}/session-policy`, {
      as: owner,
      headers: inside,
      body: { addresses: ['203.0.113.0/24'] },
    });
    assert.equal(saved.status, 200, saved.text);
  };
  return { ...office, close };
}

describeOnUsualEngine('the addresses of an organization', (engine) => {
  test('apply to tools, displays, programs, provisioning, and streams', async (context) => {
    const office = await startOffice(context, engine);
    const { server, organizationId, owner } = office;
    const dashboardId = await saveBoard(office, []);
    const { token } = await createToken(server, owner, { organizationId });
    const program = await authorizeByCode(server, owner, { organizationId, scopes: ['read'] });
    const link = await server.call(`POST /api/dashboards/${dashboardId}/display-links`, {
      as: owner,
      body: { name: 'Lobby' },
    });
    const scim = await createServiceAccount(server, owner, { organizationId, scopes: ['scim'] });
    await office.close();

    const mcp = async (sent: string, from: object) => {
      const message = callMessage('read_dashboard', { dashboardId });
      return (await office.post(message, { authorization: `Bearer ${sent}`, ...from })).text();
    };
    const bearerFrom = (sent: string, from: object) => ({
      headers: { authorization: `Bearer ${sent}`, ...from },
    });
    for (const sent of [token, program.access_token]) {
      assert.match(await mcp(sent, inside), /Board/);
      assert.match(await mcp(sent, outside), /address_not_allowed/);
    }
    for (const path of ['', '/results']) {
      const line = `GET /api/display${path}`;
      assert.equal((await server.call(line, bearerFrom(link.body.token, inside))).status, 200);
      assert.notEqual((await server.call(line, bearerFrom(link.body.token, outside))).status, 200);
    }
    const users = `GET /scim/v2/${organizationId}/Users`;
    assert.equal((await server.call(users, bearerFrom(scim.token, inside))).status, 200);
    assert.equal((await server.call(users, bearerFrom(scim.token, outside))).status, 403);

    const form = {
      grant_type: 'refresh_token',
      client_id: commandLine.clientId,
      refresh_token: program.refresh_token,
    };
    const { access_token } = (await sendForm(server, 'token', form)).body;
    const read = `GET /api/organizations/${organizationId}`;
    assert.equal((await server.call(read, bearerFrom(access_token, inside))).status, 200);
    assert.deepEqual(problemOf(await server.call(read, bearerFrom(access_token, outside))), refused);
    const events = { accept: 'text/event-stream', ...outside };
    const stream = `GET /api/dashboards/${dashboardId}/events`;
    assert.deepEqual(problemOf(await server.call(stream, { as: owner, headers: events })), refused);
  });

  test('leave what is in it out of lists and of the export of an account', async (context) => {
    const office = await startOffice(context, engine);
    const { server, owner, organizationId } = office;
    await saveBoard(office, []);
    await office.close();
    await setPassword(server, owner, 'correct horse battery');
    const listed = await server.call('GET /api/dashboards', { as: owner, headers: outside });
    assert.deepEqual([listed.status, listed.body.items], [200, []]);
    for (const [from, has] of [
      [inside, true],
      [outside, false],
    ] as const) {
      const { bytes, status } = await server.call('GET /api/auth/account/export', {
        as: owner,
        headers: from,
      });
      assert.equal(status, 200);
      const text = [...(await readArchive(bytes)).values()].join('\n');
      assert.equal(text.includes(organizationId), has);
    }
  });

  test('are changed by owners only: an admin could lock them all out, and keep the role', async (context) => {
    const office = await startOffice(context, engine);
    const { server, organizationId, owner } = office;
    const admin = await server.createMember(organizationId, 'admin');
    const put = (body: object) =>
      server.call(`PUT /api/organizations/${organizationId}/session-policy`, {
        as: admin,
        headers: inside,
        body,
      });
    const forbidden = { status: 403, code: 'forbidden' };
    assert.deepEqual(problemOf(await put({ addresses: ['203.0.113.7'] })), forbidden);
    const read = `GET /api/organizations/${organizationId}`;
    assert.equal((await server.call(read, { as: owner, headers: outside })).status, 200);
    await office.close();
    assert.deepEqual(problemOf(await put({ idleMinutes: 30 })), forbidden, 'this would allow any address');
    assert.equal((await put({ idleMinutes: 30, addresses: ['203.0.113.0/24'] })).status, 200);
  });
});
