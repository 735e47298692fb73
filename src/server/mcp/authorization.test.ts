import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { bearer } from '../../../tests/support/credentials/tokens.ts';
import { startMcpOffice, type McpOffice } from '../../../tests/support/mcp/office.ts';
import { findFreePort } from '../../../tests/support/network/free-port.ts';
import { describeOnUsualEngine, problemOf } from '../../../tests/support/server/test-server.ts';
import { minutesMs } from '../base/clock.ts';

type Saved<Key extends 'tokens' | 'clientInformation'> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[Key]>>
>;

/** A program that stores what the SDK's client gives it, and records where it would send the person. */
function createProvider() {
  const state: {
    tokens?: Saved<'tokens'>;
    client?: Saved<'clientInformation'>;
    discovery?: OAuthDiscoveryState;
    verifier: string;
    url?: URL;
  } = { verifier: '' };
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:41234/callback',
    clientMetadata: { client_name: 'Assistant', redirect_uris: ['http://127.0.0.1:41234/callback'] },
    clientInformation: () => state.client,
    saveClientInformation: (client) => void (state.client = client),
    tokens: () => state.tokens,
    saveTokens: (tokens) => void (state.tokens = tokens),
    redirectToAuthorization: (url) => void (state.url = url),
    saveCodeVerifier: (verifier) => void (state.verifier = verifier),
    codeVerifier: () => state.verifier,
    discoveryState: () => state.discovery,
    saveDiscoveryState: (discovery) => void (state.discovery = discovery),
  };
  return { state, provider };
}

/** Starts an office at its public URL, so that its metadata leads back to it. */
async function start(...[context, engine]: Parameters<typeof startMcpOffice>) {
  const office = await startMcpOffice(context, engine, {
    ATRIUM_PUBLIC_URL: `http://127.0.0.1:${await findFreePort()}`,
  });
  const { state, provider } = createProvider();
  const open = () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${office.origin}/mcp`), {
      authProvider: provider,
    });
    const client = new Client({ name: 'assistant', version: '1' });
    context.after(() => client.close());
    return { client, transport };
  };
  return { office, state, open };
}

/** Authorizes as the consent page does, and returns the parameters of the response. */
async function consent({ server, owner, organizationId }: McpOffice, url: URL, scopes = ['read']) {
  const names = {
    client_id: 'clientId',
    redirect_uri: 'redirectUri',
    response_type: 'responseType',
    code_challenge: 'codeChallenge',
    code_challenge_method: 'codeChallengeMethod',
    scope: 'scope',
    state: 'state',
    resource: 'resource',
  };
  const body = Object.fromEntries(
    Object.entries(names).flatMap(([name, member]) => {
      const value = url.searchParams.get(name);
      return value === null ? [] : [[member, value]];
    }),
  );
  const read = await server.call('POST /api/auth/authorizations/read', { as: owner, body });
  const decided = await server.call('POST /api/auth/authorizations', {
    as: owner,
    body: { ...body, approval: { organizationId, scopes } },
  });
  assert.equal(decided.status, 200, decided.text);
  return { asked: read.body, response: new URL(decided.body.redirectTo).searchParams };
}

describeOnUsualEngine('a client of MCP', (engine) => {
  test('finds the authorization server, registers, and calls tools once a person agrees', async (context) => {
    const { office, state, open } = await start(context, engine);
    const first = open();
    await assert.rejects(first.client.connect(first.transport), UnauthorizedError);
    assert.equal(state.url?.origin, office.origin);
    assert.equal(state.url.searchParams.get('resource'), `${office.origin}/mcp`);
    assert.equal(state.url.searchParams.get('scope'), 'read propose', 'no more than the tools need');
    const { asked, response } = await consent(office, state.url);
    assert.deepEqual(
      [asked.clientName, asked.scopes, asked.isForMcp],
      ['Assistant', ['read', 'propose'], true],
    );
    await first.transport.finishAuth(response);
    const { client, transport } = open();
    await client.connect(transport);
    const result = await client.callTool({ name: 'list_data_sources', arguments: {} });
    assert.notEqual(result.isError, true);

    // An hour later, the SDK renews the token by itself.
    const { access_token: before } = state.tokens ?? {};
    office.server.advance(minutesMs(61));
    assert.notEqual((await client.callTool({ name: 'search', arguments: {} })).isError, true);
    assert.notEqual(state.tokens?.access_token, before);
  });

  test('gets tokens for MCP only, which the API does not accept, even after a refresh', async (context) => {
    const { office, state, open } = await start(context, engine);
    const { server } = office;
    const { client, transport } = open();
    await assert.rejects(client.connect(transport), UnauthorizedError);
    assert.ok(state.url);
    await transport.finishAuth((await consent(office, state.url)).response);
    const refused = async (token: string) => {
      const response = await server.call('GET /api/dashboards', bearer({ token }));
      assert.deepEqual(problemOf(response), { status: 401, code: 'unauthenticated' });
      assert.match(String(response.headers['www-authenticate']), /error="invalid_token"/);
    };
    await refused(state.tokens?.access_token ?? '');
    const renew = (more: object) =>
      server.call('POST /api/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: state.tokens?.refresh_token ?? '',
          client_id: state.client?.client_id ?? '',
          ...more,
        }).toString(),
      });
    const wider = await renew({ resource: office.origin });
    assert.deepEqual([wider.status, wider.body.error], [400, 'invalid_target']);
    // Without a resource, the token is still for what the person has agreed to.
    const renewed = await renew({});
    assert.equal(renewed.status, 200, renewed.text);
    await refused(renewed.body.access_token);
    const [list] = (await server.call('GET /api/auth/tokens', { as: office.owner })).body.items;
    assert.equal(list.name, 'Assistant');
    await server.call(`DELETE /api/auth/tokens/${list.id}`, { as: office.owner });
    const gone = await office.post('{}', { authorization: `Bearer ${renewed.body.access_token}` });
    assert.equal(gone.status, 401, 'revoked with the authorization');
  });

  test('can use a token for the whole server, and one that was asked for MCP by a client for all of it', async (context) => {
    const { office } = await start(context, engine);
    const { server, owner, organizationId, origin } = office;
    const path = `/api/organizations/${organizationId}/service-accounts`;
    const { body: account } = await server.call(`POST ${path}`, {
      as: owner,
      body: { name: 'Agent', role: 'viewer' },
    });
    const { body: credential } = await server.call(`POST ${path}/${account.id}/client-credentials`, {
      as: owner,
      body: { name: 'Secret', scopes: ['read'], expiresAt: '2026-12-01T00:00:00Z' },
    });
    const get = async (more: object) => {
      const response = await server.call('POST /api/oauth/token', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${btoa(`${credential.clientId}:${credential.clientSecret}`)}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...more }).toString(),
      });
      assert.equal(response.status, 200, response.text);
      return response.body.access_token as string;
    };
    const statuses = async (token: string) => [
      (await server.call('GET /api/dashboards', bearer({ token }))).status,
      (
        await office.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), {
          authorization: `Bearer ${token}`,
        })
      ).status,
    ];
    assert.deepEqual(await statuses(await get({})), [200, 200]);
    assert.deepEqual(await statuses(await get({ resource: origin })), [200, 200]);
    assert.deepEqual(await statuses(await get({ resource: `${origin}/mcp` })), [401, 200]);
  });
});
