import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import {
  authorizeByCode,
  commandLine,
  giveCode,
  sendForm,
  useCode,
} from '../../../../tests/support/credentials/oauth.ts';
import { createServiceAccount } from '../../../../tests/support/credentials/tokens.ts';
import { startTestServer, type TestResponse } from '../../../../tests/support/server/test-server.ts';
import { openDatabase } from '../../storage/open-database.ts';

describe('two replicas of a server', () => {
  async function startReplicas(context: Parameters<typeof startTestServer>[0]) {
    const first = await startTestServer(context, 'PostgreSQL');
    const { databaseUrl, dataDirectory } = first;
    const database = await openDatabase({ databaseUrl, dataDirectory });
    const place = { database, databaseUrl, dataDirectory, drop: async () => undefined };
    const second = await startTestServer(context, 'PostgreSQL', {}, place);
    const owner = await first.createPerson('Owner');
    const organizationId = await first.createOrganization(owner);
    return { first, second, servers: [first, second, first, second], owner, organizationId };
  }

  const statusesOf = (responses: readonly TestResponse[]) =>
    responses.map(({ status }) => status).toSorted((a, b) => a - b);

  test('accept an assertion once', async (context) => {
    const { first, second, servers, owner, organizationId } = await startReplicas(context);
    const { userId } = await createServiceAccount(first, owner, { organizationId });
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const path = `/api/organizations/${organizationId}/service-accounts/${userId}/client-credentials`;
    const body = { name: 'Key', scopes: ['read'], expiresAt: '2026-12-01' };
    await first.call(`POST ${path}`, { as: owner, body: { ...body, publicKey: await exportJWK(publicKey) } });
    const { body: metadata } = await first.call('GET /.well-known/oauth-authorization-server');
    const exp = first.clock() / 1_000 + 60;
    const assertion = await new SignJWT({ iss: userId, sub: userId, aud: metadata.issuer, jti: 'j', exp })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const form = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    const responses = await Promise.all(servers.map((server) => sendForm(server, 'token', form)));
    assert.deepEqual(statusesOf(responses), [200, 401, 401, 401]);
    assert.equal((await sendForm(second, 'token', form)).status, 401);
  });

  test('accept a code at most once, and end the authorization otherwise', async (context) => {
    const { first, second, servers, owner, organizationId } = await startReplicas(context);
    const given = await giveCode(first, owner, { organizationId, scopes: ['read'] });
    const responses = await Promise.all(servers.map((server) => useCode(server, given)));
    assert.ok(responses.filter(({ status }) => status === 200).length <= 1);
    const { body } = await second.call('GET /api/auth/tokens', { as: owner });
    assert.deepEqual(body.items, [], 'a client that has a used code may have stolen it');
  });

  test('accept a refresh token at most once, and end the authorization otherwise', async (context) => {
    const { first, second, servers, owner, organizationId } = await startReplicas(context);
    const { refresh_token } = await authorizeByCode(first, owner, { organizationId, scopes: ['read'] });
    const form = { grant_type: 'refresh_token', client_id: commandLine.clientId, refresh_token };
    const responses = await Promise.all(servers.map((server) => sendForm(server, 'token', form)));
    assert.deepEqual(statusesOf(responses), [200, 400, 400, 400]);
    const { body } = await second.call('GET /api/auth/tokens', { as: owner });
    assert.deepEqual(body.items, []);
  });
});
