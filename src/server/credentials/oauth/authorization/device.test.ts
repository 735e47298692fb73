import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, createToken } from '../../../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
} from '../../../../../tests/support/server/test-server.ts';
import { kindOfToken } from '../../../base/credentials/bearer-tokens.ts';
import { daysMs, hoursMs, minutesMs } from '../../../base/clock.ts';
import { setSsoRequirement } from '../../../organizations/organizations.ts';
import { prepare } from '../../../storage/prepared-query.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const clientId = 'atrium-cli';
const everything = [
  prepare((sql) => sql.selectFrom('tokens').selectAll()),
  prepare((sql) => sql.selectFrom('authorization_requests').selectAll()),
  prepare((sql) => sql.selectFrom('refresh_tokens').selectAll()),
];

describeOnUsualEngine('the authorization of a device', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine, { ATRIUM_LOG_REQUESTS: 'true' });
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const as = await server.createMember(organizationId, 'editor');
    const path = `/api/organizations/${organizationId}`;
    const send = (operation: string, form: Record<string, string>) =>
      server.call(`POST /api/oauth/${operation}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: clientId, ...form }).toString(),
      });
    const start = async (scope = 'read dashboards:write') =>
      (await send('device_authorization', { scope })).body;
    const poll = (code: string, more = {}) =>
      send('token', { grant_type: deviceGrant, device_code: code, ...more });
    const refresh = (token: string, more = {}) =>
      send('token', { grant_type: 'refresh_token', refresh_token: token, ...more });
    const decide = (what: string, userCode: string, more = {}) =>
      server.call(`POST /api/auth/device-requests/${what}`, { as, body: { userCode, ...more } });
    const approve = (userCode: string, scopes = ['read', 'dashboards:write']) =>
      decide('approve', userCode, { organizationId, scopes });
    const authorize = async () => {
      const { device_code: code, user_code: userCode } = await start();
      assert.equal((await approve(userCode)).status, 204);
      return (await poll(code)).body;
    };
    const read = async (token: string) =>
      (await server.call('GET /api/dashboards', bearer({ token }))).status;
    return {
      server,
      owner,
      as,
      organizationId,
      path,
      send,
      start,
      poll,
      refresh,
      decide,
      approve,
      authorize,
      read,
    };
  }

  const errorOf = ({ status, body }: TestResponse) => ({ status, error: body.error });
  const invalidGrant = { status: 400, error: 'invalid_grant' };

  test('gives it tokens once a person has approved, with the scopes that they chose', async (context) => {
    const { server, organizationId, start, poll, decide, approve } = await startOffice(context);
    const request = await start();
    assert.match(request.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.match(request.verification_uri, /\/device$/);
    const pending = { status: 400, error: 'authorization_pending' };
    assert.deepEqual(errorOf(await poll(request.device_code)), pending);
    const code = request.user_code.toLowerCase().replace('-', ' ');
    const shown = await decide('read', code);
    assert.equal(shown.body.clientName, 'Atrium command line');
    assert.deepEqual(shown.body.scopes, ['read', 'dashboards:write']);
    assert.equal((await approve(code, ['read', 'administer'])).body.code, 'invalid_body');
    assert.equal((await approve(code, ['dashboards:write'])).status, 204);
    assert.equal((await approve(code)).status, 404, 'decided once');
    server.advance(5_000);
    const { body } = await poll(request.device_code);
    assert.equal(body.scope, 'dashboards:write');
    assert.equal(kindOfToken(body.refresh_token), 'refresh');
    const token = bearer({ token: body.access_token });
    const created = await server.call('POST /api/dashboards', {
      ...token,
      body: { name: 'D', organizationId },
    });
    assert.equal(created.status, 201);
    assert.deepEqual(errorOf(await poll(request.device_code)), invalidGrant, 'used once');
  });

  test('is refused when the person denies it, when it expires, and to another client', async (context) => {
    const { server, start, poll, decide, approve, send } = await startOffice(context);
    const denied = await start();
    assert.equal((await decide('deny', denied.user_code)).status, 204);
    assert.deepEqual(errorOf(await poll(denied.device_code)), { status: 400, error: 'access_denied' });
    const late = await start();
    assert.deepEqual(errorOf(await poll(late.device_code, { client_id: 'other' })), {
      status: 401,
      error: 'invalid_client',
    });
    server.advance(minutesMs(10));
    assert.deepEqual(errorOf(await poll(late.device_code)), { status: 400, error: 'expired_token' });
    assert.equal((await approve(late.user_code)).status, 404);
    assert.deepEqual(errorOf(await poll('atrium_odc_x')), invalidGrant);
    const unknown = await send('device_authorization', { client_id: 'evil' });
    assert.deepEqual(errorOf(unknown), { status: 401, error: 'invalid_client' });
    const scope = await send('device_authorization', { scope: 'everything' });
    assert.deepEqual(errorOf(scope), { status: 400, error: 'invalid_scope' });
  });

  test('slows a device down that asks too often, also one that was approved', async (context) => {
    const { server, start, poll, approve } = await startOffice(context);
    const { device_code: code, user_code: userCode } = await start();
    const slowDown = { status: 400, error: 'slow_down' };
    await poll(code);
    assert.deepEqual(errorOf(await poll(code)), slowDown);
    await approve(userCode);
    server.advance(5_000);
    assert.deepEqual(errorOf(await poll(code)), slowDown);
    server.advance(15_000);
    assert.equal((await poll(code)).status, 200);
  });

  test('is given once for a device code that is sent many times at once', async (context) => {
    const { start, poll, approve } = await startOffice(context);
    const { device_code: code, user_code: userCode } = await start();
    await approve(userCode);
    const responses = await Promise.all(Array.from({ length: 8 }, () => poll(code)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  test('limits how many codes a person can try', async (context) => {
    const { start, decide } = await startOffice(context);
    const { user_code: userCode } = await start();
    for (let count = 0; count < 30; count += 1) assert.equal((await decide('read', 'BBBB-BBBB')).status, 404);
    assert.equal((await decide('read', userCode)).status, 429);
  });

  test('is given to one of two people who approve at once', async (context) => {
    const { start, approve, server, path, owner } = await startOffice(context);
    const { user_code: userCode } = await start();
    const responses = await Promise.all([approve(userCode), approve(userCode), approve(userCode)]);
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [204, 404, 404],
    );
    const { body } = await server.call(`GET ${path}/tokens`, { as: owner });
    assert.equal(body.items.length, 1);
  });

  test('needs a person who has confirmed their identity, in an organization that permits it', async (context) => {
    const { server, owner, path, as, start, approve, organizationId } = await startOffice(context);
    await server.call(`PUT ${path}/token-policy`, {
      as: owner,
      body: { personalTokens: false, maxDays: 30 },
    });
    assert.deepEqual(problemOf(await approve((await start()).user_code)), { status: 403, code: 'forbidden' });
    await server.call(`PUT ${path}/token-policy`, { as: owner, body: { personalTokens: true, maxDays: 30 } });
    const token = await createToken(server, as, { organizationId });
    const byToken = await server.call('POST /api/auth/device-requests/approve', {
      ...bearer(token),
      body: { userCode: (await start()).user_code, organizationId, scopes: ['read'] },
    });
    assert.deepEqual(problemOf(byToken), { status: 403, code: 'insufficient_scope' });
    server.advance(minutesMs(11));
    assert.equal((await approve((await start()).user_code)).body.code, 'confirmation_required');
  });

  test('lasts 90 days, or less if the organization says so', async (context) => {
    const { server, as, authorize } = await startOffice(context);
    await authorize();
    const { body } = await server.call('GET /api/auth/tokens', { as });
    const [authorization] = body.items;
    assert.equal(authorization.type, 'authorization');
    assert.equal(Date.parse(authorization.expiresAt) - Date.parse(authorization.createdAt), daysMs(90));
  });

  test('continues by refresh tokens, each of which is used once', async (context) => {
    const { server, authorize, refresh, read } = await startOffice(context);
    const first = await authorize();
    server.advance(hoursMs(1));
    assert.equal(await read(first.access_token), 401);
    const second = (await refresh(first.refresh_token)).body;
    assert.equal(await read(second.access_token), 200);
    const fewer = (await refresh(second.refresh_token, { scope: 'read' })).body;
    assert.equal(fewer.scope, 'read');
    const all = await refresh(fewer.refresh_token);
    assert.equal(all.body.scope, 'read dashboards:write');
    const more = await refresh(all.body.refresh_token, { scope: 'administer' });
    assert.deepEqual(errorOf(more), { status: 400, error: 'invalid_scope' });
    assert.equal((await refresh(all.body.refresh_token)).status, 200, 'a refused request uses nothing');
  });

  test('ends at once when a refresh token is used twice', async (context) => {
    const { server, owner, path, authorize, refresh, read } = await startOffice(context);
    const first = await authorize();
    const second = (await refresh(first.refresh_token)).body;
    assert.deepEqual(errorOf(await refresh(first.refresh_token)), invalidGrant);
    assert.deepEqual(errorOf(await refresh(second.refresh_token)), invalidGrant);
    assert.deepEqual(await Promise.all([read(first.access_token), read(second.access_token)]), [401, 401]);
    const { body } = await server.call(`GET ${path}/audit`, { as: owner });
    assert.equal(body.items[0].details.reason, 'refresh_token_reused');
  });

  test('ends when a refresh token is used twice at the same time', async (context) => {
    const { server, as, authorize, refresh } = await startOffice(context);
    const { refresh_token: token } = await authorize();
    const responses = await Promise.all([refresh(token), refresh(token)]);
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
    );
    assert.deepEqual((await server.call('GET /api/auth/tokens', { as })).body.items, []);
  });

  test('ends when a refresh token is used again after its successor', async (context) => {
    const { authorize, refresh, read } = await startOffice(context);
    const first = await authorize();
    const second = (await refresh(first.refresh_token)).body;
    const third = (await refresh(second.refresh_token)).body;
    assert.equal(await read(third.access_token), 200);
    assert.deepEqual(errorOf(await refresh(first.refresh_token)), invalidGrant);
    assert.deepEqual(errorOf(await refresh(third.refresh_token)), invalidGrant);
    assert.equal(await read(third.access_token), 401);
  });

  test('is refreshed only by its own client, with a refresh token', async (context) => {
    const { authorize, refresh } = await startOffice(context);
    const tokens = await authorize();
    const other = await refresh(tokens.refresh_token, { client_id: 'other' });
    assert.deepEqual(errorOf(other), { status: 401, error: 'invalid_client' });
    assert.deepEqual(errorOf(await refresh(tokens.access_token)), invalidGrant);
    assert.deepEqual(errorOf(await refresh('')), invalidGrant);
    assert.equal((await refresh(tokens.refresh_token)).status, 200);
  });

  test('ends with the membership, and when the person or the device revokes it', async (context) => {
    const { server, owner, as, path, authorize, refresh, read, send } = await startOffice(context);
    const byPerson = await authorize();
    const { body } = await server.call('GET /api/auth/tokens', { as });
    assert.equal((await server.call(`DELETE /api/auth/tokens/${body.items[0].id}`, { as })).status, 204);
    assert.equal(await read(byPerson.access_token), 401);
    assert.deepEqual(errorOf(await refresh(byPerson.refresh_token)), invalidGrant);
    const byDevice = await authorize();
    assert.equal((await send('revoke', { token: byDevice.access_token })).status, 200);
    assert.equal(await read(byDevice.access_token), 401);
    const renewed = (await refresh(byDevice.refresh_token)).body;
    assert.equal((await send('revoke', { token: renewed.refresh_token })).status, 200);
    assert.equal(await read(renewed.access_token), 401);
    assert.equal((await send('revoke', { token: 'nonsense' })).status, 200);
    const last = await authorize();
    await server.call(`DELETE ${path}/members/${as.id}`, { as: owner });
    assert.equal(await read(last.access_token), 401);
    assert.deepEqual(errorOf(await refresh(last.refresh_token)), invalidGrant);
  });

  test('works in an organization that requires SSO while the directory vouches for the person', async (context) => {
    const { server, organizationId, authorize } = await startOffice(context);
    const { access_token: token } = await authorize();
    const read = async () =>
      (await server.call(`GET /api/organizations/${organizationId}`, bearer({ token }))).status;
    assert.equal(await read(), 200);
    await server.database.write((transaction) => setSsoRequirement(transaction, organizationId, true));
    assert.equal(await read(), 403);
  });

  test('is stored as hashes, and in no log', async (context) => {
    const { server, path, owner, start, approve, poll, refresh } = await startOffice(context);
    const request = await start();
    await approve(request.user_code);
    const { body } = await poll(request.device_code);
    await refresh(body.refresh_token);
    await start();
    const stored = await Promise.all(everything.map((query) => server.database.all(query, {})));
    const audit = (await server.call(`GET ${path}/audit`, { as: owner })).text;
    const texts = [JSON.stringify(stored), audit, server.log.join('')];
    const secrets = [request.device_code, body.access_token, body.refresh_token].map((text) =>
      text.slice(11),
    );
    for (const text of texts)
      for (const secret of [...secrets, request.user_code]) assert.ok(!text.includes(secret), secret);
  });
});
