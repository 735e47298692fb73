import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorizeByCode,
  authorizeClient,
  basic,
  commandLine,
  createClient,
  giveCode,
  sendForm,
  useCode,
} from '../../../../tests/support/credentials/oauth.ts';
import { bearer } from '../../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../base/clock.ts';

describeOnUsualEngine('OAuth', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const approval = { organizationId, scopes: ['read'] };
    const audit = async () =>
      (await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner })).body.items;
    const read = async (token: string, id = organizationId) =>
      (await server.call(`GET /api/organizations/${id}`, bearer({ token }))).status;
    const { clientId: client_id } = commandLine;
    return { server, owner, organizationId, approval, audit, read, client_id };
  }

  const errorOf = ({ status, body }: TestResponse) => ({ status, error: body.error });

  test('challenges every client that it refuses, and lets nobody store a response', async (context) => {
    const { server, owner, organizationId } = await startOffice(context);
    const { clientId, clientSecret } = await createClient(server, owner, { organizationId });
    const forms = [
      { grant_type: 'client_credentials' },
      { grant_type: 'client_credentials', client_secret: `${clientSecret}x`, client_id: clientId },
      { grant_type: 'refresh_token', client_id: 'unknown', refresh_token: 'x' },
      { grant_type: 'authorization_code', client_id: 'unknown', code: 'x' },
    ];
    for (const form of forms) {
      const response = await sendForm(server, 'token', form);
      assert.deepEqual(errorOf(response), { status: 401, error: 'invalid_client' });
      assert.equal(response.headers['www-authenticate'], 'Basic realm="Atrium"');
      assert.equal(response.headers['cache-control'], 'no-store');
    }
    const form = { grant_type: 'client_credentials' };
    const { status, headers } = await sendForm(server, 'token', form, basic(clientId, clientSecret));
    assert.deepEqual([status, headers['cache-control'], headers['pragma']], [200, 'no-store', 'no-cache']);
    assert.match(String(headers['content-type']), /^application\/json/);
  });

  test('gives no refresh token to a client that has a secret', async (context) => {
    const { server, owner, organizationId } = await startOffice(context);
    const { clientId, clientSecret } = await createClient(server, owner, { organizationId });
    const form = { grant_type: 'client_credentials' };
    const { body } = await sendForm(server, 'token', form, basic(clientId, clientSecret));
    assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'scope']);
  });

  test('accepts only verifiers of the length that the standard requires', async (context) => {
    const { server, owner, approval } = await startOffice(context);
    for (const verifier of ['', 'short', 'x'.repeat(129), `${'x'.repeat(42)} `]) {
      const { code } = await giveCode(server, owner, approval);
      const response = await useCode(server, { code, verifier });
      assert.deepEqual(errorOf(response), { status: 400, error: 'invalid_grant' }, verifier);
    }
  });

  test('doesn’t let a program that registered itself ask people for the code of a device', async (context) => {
    const { server } = await startOffice(context);
    const registered = await server.call('POST /api/oauth/register', {
      body: { client_name: 'Atrium command line', redirect_uris: ['https://evil.example/'] },
    });
    const form = { client_id: registered.body.client_id };
    const response = await sendForm(server, 'device_authorization', form);
    assert.deepEqual(errorOf(response), { status: 400, error: 'unauthorized_client' });
  });

  test('says that a program chose its own name, unless it belongs to the server', async (context) => {
    const { server, owner } = await startOffice(context);
    const redirectUri = 'https://evil.example/callback';
    const { body } = await server.call('POST /api/oauth/register', {
      body: { client_name: 'Atrium command line', redirect_uris: [redirectUri] },
    });
    const read = async (client: { clientId: string; redirectUri: string }) => {
      const more = { responseType: 'code', codeChallenge: 'x'.repeat(43), codeChallengeMethod: 'S256' };
      const line = 'POST /api/auth/authorizations/read';
      return (await server.call(line, { as: owner, body: { ...client, ...more } })).body;
    };
    const evil = await read({ clientId: body.client_id, redirectUri });
    assert.deepEqual([evil.clientName, evil.isVerified], ['Atrium command line', false]);
    const own = await read(commandLine);
    assert.deepEqual([own.clientName, own.isVerified], ['Atrium command line', true]);
  });

  test('records in the audit log what ends an authorization', async (context) => {
    const { server, owner, approval, audit, client_id } = await startOffice(context);
    const refresh = (token: string) =>
      sendForm(server, 'token', { grant_type: 'refresh_token', client_id, refresh_token: token });
    const lastReason = async () => {
      const [{ action, actorId, details }] = await audit();
      return [action, actorId, details.reason];
    };
    const byProgram = await authorizeByCode(server, owner, approval);
    assert.equal((await sendForm(server, 'revoke', { token: byProgram.refresh_token })).status, 200);
    assert.deepEqual(await lastReason(), ['token.revoked', undefined, 'by_program']);
    const reused = await authorizeByCode(server, owner, approval);
    await refresh(reused.refresh_token);
    server.advance(minutesMs(1));
    await refresh(reused.refresh_token);
    assert.deepEqual(await lastReason(), ['token.revoked', undefined, 'refresh_token_reused']);
    const twice = await giveCode(server, owner, approval);
    await useCode(server, twice);
    await useCode(server, twice);
    assert.deepEqual(await lastReason(), ['token.revoked', undefined, 'code_reused']);
    const stolen = await giveCode(server, owner, approval);
    await useCode(server, { ...stolen, verifier: 'x'.repeat(43) });
    assert.deepEqual(await lastReason(), ['token.revoked', undefined, 'code_stolen']);
    const before = (await audit()).length;
    assert.deepEqual(errorOf(await sendForm(server, 'revoke', {})), {
      status: 400,
      error: 'invalid_request',
    });
    assert.equal((await sendForm(server, 'revoke', { token: byProgram.refresh_token })).status, 200);
    assert.equal((await audit()).length, before);
  });

  test('ends access tokens together with what the policy of the organization ends', async (context) => {
    const { server, owner, organizationId, approval, read } = await startOffice(context);
    const client = await createClient(server, owner, { organizationId });
    const { refresh_token: refresh } = await authorizeByCode(server, owner, approval);
    const putPolicy = (personalTokens: boolean, maxDays: number) =>
      server.call(`PUT /api/organizations/${organizationId}/token-policy`, {
        as: owner,
        body: { personalTokens, maxDays },
      });
    for (let hour = 0; hour < 47; hour += 1) {
      server.advance(minutesMs(60));
      await server.call('GET /api/auth/get-session', { as: owner });
    }
    const byClient = await authorizeClient(server, client);
    const form = { grant_type: 'refresh_token', client_id: commandLine.clientId, refresh_token: refresh };
    const { access_token: byCode } = (await sendForm(server, 'token', form)).body;
    assert.deepEqual([await read(byClient), await read(byCode)], [200, 200]);
    assert.equal((await putPolicy(true, 2)).status, 200);
    assert.deepEqual([await read(byClient), await read(byCode)], [200, 200]);
    server.advance(minutesMs(30));
    const { body } = await sendForm(
      server,
      'token',
      { grant_type: 'client_credentials' },
      basic(client.clientId, client.clientSecret),
    );
    assert.equal(body.expires_in, 1_800, 'no longer than the policy');
    assert.equal((await putPolicy(true, 1)).status, 200);
    assert.deepEqual(
      [await read(byClient), await read(byCode), await read(body.access_token)],
      [401, 401, 401],
    );
  });

  test('shows the last use of an access token at what it was got by', async (context) => {
    const { server, owner, organizationId, approval, read } = await startOffice(context);
    const { access_token: token } = await authorizeByCode(server, owner, approval);
    const client = await createClient(server, owner, { organizationId });
    const byClient = await authorizeClient(server, client);
    server.advance(minutesMs(30));
    assert.deepEqual([await read(token), await read(byClient)], [200, 200]);
    const { items } = (await server.call(`GET /api/organizations/${organizationId}/tokens`, { as: owner }))
      .body;
    const used = items.map(({ type, lastUsedAt }: Record<string, string>) => [type, lastUsedAt]);
    assert.deepEqual(used, [
      ['client_secret', '2026-11-21T09:30:00.000Z'],
      ['bearer', undefined],
      ['authorization', '2026-11-21T09:30:00.000Z'],
    ]);
  });

  test('gives tokens for one organization, and not for another of the same person or client', async (context) => {
    const { server, owner, organizationId, approval, read, client_id } = await startOffice(context);
    const other = await server.createOrganization(owner);
    const { access_token: byCode } = await authorizeByCode(server, owner, approval);
    const client = await createClient(server, owner, { organizationId });
    const byClient = await authorizeClient(server, client);
    for (const token of [byCode, byClient])
      assert.deepEqual([await read(token), await read(token, other)], [200, 404]);
    const path = `/service-accounts/${client.clientId}/client-credentials`;
    const inOther = await server.call(`POST /api/organizations/${other}${path}`, {
      as: owner,
      body: { name: 'Client', scopes: ['read'], expiresAt: '2026-12-01' },
    });
    assert.equal(inOther.status, 404, 'a service account of another organization');
    assert.equal(
      (await server.call(`DELETE /api/organizations/${other}/tokens/${client.id}`, { as: owner })).status,
      404,
    );
    const limited = await server.createSsoSession(owner, other);
    const started = await sendForm(server, 'device_authorization', { client_id });
    const body = { userCode: started.body.user_code, ...approval };
    const refused = await server.call('POST /api/auth/device-requests/approve', { as: limited, body });
    assert.deepEqual(problemOf(refused), { status: 404, code: 'not_found' });
    const accepted = await server.call('POST /api/auth/device-requests/approve', { as: owner, body });
    assert.equal(accepted.status, 204, 'the same request of a session for every organization');
  });
});
