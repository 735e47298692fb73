import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { bearer, createToken } from '../../../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
} from '../../../../../tests/support/server/test-server.ts';
import { minutesMs } from '../../../base/clock.ts';

describeOnUsualEngine('the authorization of a program', (engine) => {
  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine, { ATRIUM_LOG_REQUESTS: 'true' });
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const as = await server.createMember(organizationId, 'editor');
    const { body: metadata } = await server.call('GET /.well-known/oauth-authorization-server');
    const register = (body: unknown) => server.call('POST /api/oauth/register', { body });
    const verifier = randomBytes(32).toString('base64url');
    const asked = {
      clientId: 'atrium-cli',
      redirectUri: 'http://127.0.0.1:40123/callback',
      responseType: 'code',
      codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
      codeChallengeMethod: 'S256',
      scope: 'read dashboards:write',
      state: 's t&a=te',
    };
    const read = (more = {}) =>
      server.call('POST /api/auth/authorizations/read', { as, body: { ...asked, ...more } });
    const decide = (more = {}, person = as) =>
      server.call('POST /api/auth/authorizations', { as: person, body: { ...asked, ...more } });
    const approval = { organizationId, scopes: ['read'] };
    const getCode = async (more = {}) => {
      const response = await decide({ approval, ...more });
      assert.equal(response.status, 200, response.text);
      return new URL(response.body.redirectTo);
    };
    const send = (form: Record<string, string>) =>
      server.call('POST /api/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'atrium-cli',
          redirect_uri: asked.redirectUri,
          code_verifier: verifier,
          ...form,
        }).toString(),
      });
    const use = (url: URL, form = {}) => send({ code: url.searchParams.get('code') ?? '', ...form });
    const works = async ({ body }: TestResponse) =>
      (await server.call('GET /api/dashboards', bearer({ token: body.access_token }))).status === 200;
    return {
      server,
      as,
      owner,
      organizationId,
      metadata,
      register,
      asked,
      read,
      decide,
      approval,
      getCode,
      send,
      use,
      works,
    };
  }

  const errorOf = ({ status, body }: TestResponse) => ({ status, error: body.error });
  const invalidGrant = { status: 400, error: 'invalid_grant' };

  test('gives it tokens for the code and its verifier', async (context) => {
    const { metadata, asked, read, getCode, use, works, send } = await startOffice(context);
    const shown = (await read()).body;
    assert.deepEqual(shown.scopes, ['read', 'dashboards:write']);
    assert.equal(shown.clientName, 'Atrium command line');
    const url = await getCode();
    assert.ok(url.href.startsWith(asked.redirectUri));
    assert.equal(url.searchParams.get('state'), asked.state);
    assert.equal(url.searchParams.get('iss'), metadata.issuer);
    const response = await use(url);
    assert.equal(response.body.scope, 'read', response.text);
    assert.ok(await works(response));
    const renewed = await send({ grant_type: 'refresh_token', refresh_token: response.body.refresh_token });
    assert.ok(await works(renewed));
  });

  test('ends if its code is used twice, or by someone without the verifier', async (context) => {
    const { getCode, use, works, send } = await startOffice(context);
    const url = await getCode();
    const first = await use(url);
    assert.ok(await works(first));
    assert.deepEqual(errorOf(await use(url)), invalidGrant);
    assert.ok(!(await works(first)), 'what came of it is revoked');
    const again = await send({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
    assert.deepEqual(errorOf(again), invalidGrant);
    const wrongUses = [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { redirect_uri: 'http://127.0.0.1:40124/callback' },
      { redirect_uri: '' },
    ];
    for (const wrong of wrongUses) {
      const injected = await getCode();
      assert.deepEqual(errorOf(await use(injected, wrong)), invalidGrant, JSON.stringify(wrong));
      assert.deepEqual(errorOf(await use(injected)), invalidGrant, 'the code is spent');
    }
  });

  test('is given once for a code that is sent many times at once', async (context) => {
    const { getCode, use } = await startOffice(context);
    const url = await getCode();
    const responses = await Promise.all([use(url), use(url), use(url), use(url)]);
    assert.ok(responses.filter(({ status }) => status === 200).length <= 1);
  });

  test('expires with its code, and is for the client that asked', async (context) => {
    const { server, register, getCode, use } = await startOffice(context);
    const late = await getCode();
    server.advance(minutesMs(1));
    assert.deepEqual(errorOf(await use(late)), invalidGrant);
    const other = (await register({ redirect_uris: ['https://other.example/callback'] })).body.client_id;
    const url = await getCode();
    assert.deepEqual(errorOf(await use(url, { client_id: other })), invalidGrant);
    assert.deepEqual(errorOf(await use(url, { client_id: 'unknown' })), {
      status: 401,
      error: 'invalid_client',
    });
    assert.equal((await use(url)).status, 200);
  });

  test('sends nobody to a URI that is not the client’s', async (context) => {
    const { read, decide, approval } = await startOffice(context);
    const foreign = [
      'https://evil.example/callback',
      'http://127.0.0.1:1/callback/../evil',
      'http://127.0.0.1:1/callback?x=1',
      'http://127.0.0.1:1/callback#x',
      'http://127.0.0.1@evil.example/callback',
      'http://evil.example:127/callback',
      'http://user@127.0.0.1/callback',
      'http://127.0.0.1.evil.example/callback',
      'https://127.0.0.1/callback',
      'javascript:alert(1)',
      '//127.0.0.1/callback',
      '',
    ];
    for (const redirectUri of foreign) {
      assert.equal((await read({ redirectUri })).status, 404, redirectUri);
      assert.equal((await decide({ redirectUri, approval })).status, 404, redirectUri);
    }
    assert.equal((await read({ clientId: 'unknown' })).status, 404);
    assert.equal((await read({ redirectUri: 'http://[::1]:9/callback' })).status, 200);
  });

  test('is refused to a request without PKCE, for another server or for unknown scopes', async (context) => {
    const { read, decide, approval, metadata } = await startOffice(context);
    const refusals = [
      [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
      [{ codeChallenge: '' }, 'invalid_request'],
      [{ responseType: 'token' }, 'unsupported_response_type'],
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    ] as const;
    for (const [more, error] of refusals) {
      const { refusal } = (await read(more)).body;
      assert.equal(new URL(refusal).searchParams.get('error'), error);
      const { redirectTo } = (await decide({ ...more, approval })).body;
      assert.equal(new URL(redirectTo).searchParams.get('code'), null);
    }
    assert.equal((await read({ resource: `${metadata.issuer}/mcp` })).body.refusal, undefined);
    const refused = new URL((await decide()).body.redirectTo);
    assert.equal(refused.searchParams.get('error'), 'access_denied');
  });

  test('needs a person in a browser, their organization, and scopes that were asked for', async (context) => {
    const { server, as, organizationId, asked, decide, approval } = await startOffice(context);
    const stranger = await server.createPerson('Stranger');
    assert.equal((await decide({ approval }, stranger)).status, 404);
    const wide = { organizationId, scopes: ['administer'] };
    assert.equal((await decide({ approval: wide })).body.code, 'invalid_body');
    const token = await createToken(server, as, { organizationId });
    const byToken = await server.call('POST /api/auth/authorizations', { ...bearer(token), body: asked });
    assert.deepEqual(problemOf(byToken), { status: 403, code: 'insufficient_scope' });
    const crossSite = await server.call('POST /api/auth/authorizations', {
      as,
      headers: { origin: 'https://evil.example' },
      body: { ...asked, approval },
    });
    assert.deepEqual(problemOf(crossSite), { status: 403, code: 'cross_site_request' });
    server.advance(minutesMs(11));
    assert.equal((await decide({ approval })).body.code, 'confirmation_required');
  });

  test('can be asked for by a program that registers itself', async (context) => {
    const { register, read, getCode, use, works } = await startOffice(context);
    const uri = 'https://agent.example/callback?x=1';
    const registered = await register({ client_name: 'Agent', redirect_uris: [uri], scope: 'ignored' });
    assert.equal(registered.status, 201, registered.text);
    const { client_id: clientId } = registered.body;
    assert.equal((await read({ clientId, redirectUri: uri })).body.clientName, 'Agent');
    assert.equal((await read({ clientId, redirectUri: 'https://agent.example/callback' })).status, 404);
    assert.equal(
      (await read({ clientId, redirectUri: 'https://agent.example:444/callback?x=1' })).status,
      404,
    );
    const url = await getCode({ clientId, redirectUri: uri });
    assert.equal(url.searchParams.get('x'), '1');
    assert.ok(await works(await use(url, { client_id: clientId, redirect_uri: uri })));
    // As Cursor registers.
    const cursor = [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ];
    assert.equal((await register({ redirect_uris: cursor })).status, 201);
  });

  test('is not open to a program with a URI that could send a code elsewhere', async (context) => {
    const { register } = await startOffice(context);
    const refused: unknown[] = [
      'http://agent.example/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://user:password@agent.example/',
      'https://agent.example/#x',
      'https://agent.example/a b',
      `https://agent.example/${'x'.repeat(500)}`,
      'scheme:x',
      'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
      'cursor://evil/oauth/callback',
      'callback',
      7,
    ];
    for (const uri of refused) {
      const response = await register({ redirect_uris: [uri] });
      assert.deepEqual(errorOf(response), { status: 400, error: 'invalid_redirect_uri' }, String(uri));
    }
    for (const body of [
      {},
      { redirect_uris: [] },
      [],
      'x',
      { redirect_uris: Array(11).fill('https://a.example/') },
    ])
      assert.equal((await register(body)).status, 400);
    const secret = await register({
      redirect_uris: ['https://agent.example/'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    assert.deepEqual(errorOf(secret), { status: 400, error: 'invalid_client_metadata' });
    for (const uri of ['com.example.app:/callback', 'http://localhost:1234/x'])
      assert.equal((await register({ redirect_uris: [uri] })).status, 201, uri);
  });
});
