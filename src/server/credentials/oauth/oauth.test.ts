import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from 'jose';
import { bearer, createServiceAccount, createToken } from '../../../../tests/support/credentials/tokens.ts';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
} from '../../../../tests/support/server/test-server.ts';
import { kindOfToken } from '../../base/credentials/bearer-tokens.ts';
import { daysMs, hoursMs, minutesMs } from '../../base/clock.ts';
import { prepare } from '../../storage/prepared-query.ts';

const storedTokens = prepare((sql) => sql.selectFrom('tokens').selectAll());
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

describeOnUsualEngine('OAuth client credentials', (engine) => {
  type Input = { scopes?: string[]; expiresAt?: string; publicKey?: object };

  async function startOffice(context: Parameters<typeof startTestServer>[0]) {
    const server = await startTestServer(context, engine, { ATRIUM_LOG_REQUESTS: 'true' });
    const owner = await server.createPerson('Owner');
    const organizationId = await server.createOrganization(owner);
    const path = `/api/organizations/${organizationId}`;
    const { userId } = await createServiceAccount(server, owner, { organizationId, role: 'editor' });
    const createCredential = async (input: Input = {}) => {
      const response = await server.call(`POST ${path}/service-accounts/${userId}/client-credentials`, {
        as: owner,
        body: { name: 'Job', scopes: ['read', 'dashboards:write'], expiresAt: '2026-12-01', ...input },
      });
      assert.equal(response.status, 201, response.text);
      return response.body;
    };
    const ask = (form: Record<string, string> | string, authorization?: string) =>
      server.call('POST /api/oauth/token', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(authorization !== undefined && { authorization }),
        },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      });
    const grant = { grant_type: 'client_credentials' };
    const askWith = (credential: { clientId: string; clientSecret: string }, form = {}) =>
      ask({ ...grant, ...form }, basic(credential.clientId, credential.clientSecret));
    return { server, owner, organizationId, path, userId, createCredential, ask, askWith, grant };
  }

  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const errorOf = ({ status, body }: TestResponse) => ({ status, error: body.error });
  const invalidClient = { status: 401, error: 'invalid_client' };

  async function startSigning(context: Parameters<typeof startTestServer>[0], alg = 'ES256') {
    const office = await startOffice(context);
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(publicKey);
    await office.createCredential({ publicKey: jwk });
    const { body: metadata } = await office.server.call('GET /.well-known/oauth-authorization-server');
    const now = () => Date.UTC(2026, 10, 21, 9) / 1_000;
    let count = 0;
    interface Signing {
      readonly header?: object;
      readonly key?: CryptoKey | Uint8Array;
    }
    const sign = (claims: object = {}, { header = {}, key = privateKey }: Signing = {}) => {
      count += 1;
      const standard = { iss: office.userId, sub: office.userId, aud: metadata.token_endpoint };
      const payload = { ...standard, jti: `j${count}`, exp: now() + 300, ...claims };
      return new SignJWT(payload).setProtectedHeader({ alg, ...header }).sign(key);
    };
    const askBy = (assertion: string, form = {}) =>
      office.ask({
        ...office.grant,
        client_assertion_type: assertionType,
        client_assertion: assertion,
        ...form,
      });
    return { ...office, sign, askBy, jwk, metadata, now, privateKey };
  }

  test('give a client a token of one hour with its scopes, or fewer', async (context) => {
    const { server, organizationId, createCredential, askWith } = await startOffice(context);
    const credential = await createCredential();
    assert.equal(kindOfToken(credential.clientSecret), 'clientSecret');
    const response = await askWith(credential);
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers['cache-control'], 'no-store');
    const { access_token: token, ...rest } = response.body;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3_600, scope: 'read dashboards:write' });
    assert.equal(kindOfToken(token), 'access');
    const create = (text: string) =>
      server.call('POST /api/dashboards', {
        ...bearer({ token: text }),
        body: { name: 'D', organizationId },
      });
    assert.equal((await create(token)).status, 201);
    const fewer = await askWith(credential, { scope: 'read' });
    assert.equal(fewer.body.scope, 'read');
    assert.deepEqual(problemOf(await create(fewer.body.access_token)), {
      status: 403,
      code: 'insufficient_scope',
    });
    for (const scope of ['administer', 'read administer', 'read nonsense', ' '])
      assert.deepEqual(errorOf(await askWith(credential, { scope })), {
        status: 400,
        error: 'invalid_scope',
      });
    server.advance(hoursMs(1));
    assert.equal((await create(token)).status, 401);
  });

  test('work with two secrets at once, until one is revoked with its tokens, or expires', async (context) => {
    const { server, owner, path, createCredential, askWith } = await startOffice(context);
    const [first, second] = [await createCredential(), await createCredential()];
    const tokens = [await askWith(first), await askWith(second)].map(({ body }) => body.access_token);
    const statuses = () =>
      Promise.all(
        tokens.map(async (token) => (await server.call('GET /api/dashboards', bearer({ token }))).status),
      );
    assert.deepEqual(await statuses(), [200, 200]);
    const listed = await server.call(`GET ${path}/tokens`, { as: owner });
    const types = listed.body.items.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['client_secret', 'client_secret', 'bearer']);
    assert.equal((await server.call(`DELETE ${path}/tokens/${first.id}`, { as: owner })).status, 204);
    assert.deepEqual(await statuses(), [401, 200]);
    assert.deepEqual(errorOf(await askWith(first)), invalidClient);
    server.advance(daysMs(9) + hoursMs(15) - minutesMs(20));
    assert.equal((await askWith(second)).body.expires_in, 1_200, 'no longer than the secret');
    server.advance(minutesMs(20));
    assert.deepEqual(errorOf(await askWith(second)), invalidClient);
  });

  test('end with the membership of the service account', async (context) => {
    const { server, owner, path, userId, createCredential, askWith } = await startOffice(context);
    const credential = await createCredential();
    const token = bearer({ token: (await askWith(credential)).body.access_token });
    assert.equal((await server.call(`DELETE ${path}/members/${userId}`, { as: owner })).status, 204);
    assert.equal((await server.call('GET /api/dashboards', token)).status, 401);
    assert.deepEqual(errorOf(await askWith(credential)), invalidClient);
  });

  test('are not bearer tokens, and bearer tokens are not secrets', async (context) => {
    const { server, owner, organizationId, createCredential, ask, askWith, grant } =
      await startOffice(context);
    const { clientId, clientSecret } = await createCredential();
    const asBearer = await server.call('GET /api/dashboards', bearer({ token: clientSecret }));
    assert.equal(asBearer.status, 401);
    const personal = await createToken(server, owner, { organizationId });
    const access = (await askWith({ clientId, clientSecret })).body.access_token;
    const others = [personal.token, access, `${clientSecret}x`, '', clientSecret.replace('ocs', 'sat')];
    for (const secret of others)
      assert.deepEqual(errorOf(await ask(grant, basic(clientId, secret))), invalidClient, secret);
    for (const id of [owner.id, personal.id, '', `${clientId} `])
      assert.deepEqual(errorOf(await ask(grant, basic(id, clientSecret))), invalidClient, id);
    assert.deepEqual(errorOf(await ask(grant)), invalidClient);
    assert.deepEqual(errorOf(await ask(grant, `Bearer ${access}`)), invalidClient);
    for (const secret of others)
      assert.deepEqual(
        errorOf(await ask({ ...grant, client_id: clientId, client_secret: secret })),
        invalidClient,
        secret,
      );
    for (const form of [{ client_id: owner.id }, {}])
      assert.deepEqual(errorOf(await ask({ ...grant, ...form, client_secret: clientSecret })), invalidClient);
    const confused = await ask({ ...grant, client_id: owner.id }, basic(clientId, clientSecret));
    assert.deepEqual(errorOf(confused), invalidClient);
  });

  test('can send their secret in the body', async (context) => {
    const { createCredential, ask, grant } = await startOffice(context);
    const { clientId, clientSecret } = await createCredential();
    const inBody = { ...grant, client_id: clientId, client_secret: clientSecret };
    const { status, body } = await ask({ ...inBody, scope: 'read' });
    assert.deepEqual([status, body.scope], [200, 'read']);
    const twice = await ask(inBody, basic(clientId, clientSecret));
    assert.deepEqual(errorOf(twice), { status: 400, error: 'invalid_request' });
  });

  test('are stored as hashes, and in no log', async (context) => {
    const { server, owner, path, createCredential, ask, askWith, grant } = await startOffice(context);
    const credential = await createCredential();
    await ask({ ...grant, client_id: credential.clientId, client_secret: credential.clientSecret });
    const { access_token: token } = (await askWith(credential)).body;
    await server.call('GET /api/dashboards', bearer({ token }));
    const texts = [
      JSON.stringify(await server.database.all(storedTokens, {})),
      (await server.call(`GET ${path}/tokens`, { as: owner })).text,
      (await server.call(`GET ${path}/audit`, { as: owner })).text,
      server.log.join(''),
    ];
    const encoded = basic(credential.clientId, credential.clientSecret).slice(6);
    for (const secret of [credential.clientSecret.slice(11), token.slice(11), encoded])
      for (const text of texts) assert.ok(!text.includes(secret));
  });

  test('are refused with a clear error for a request that is malformed', async (context) => {
    const { server, createCredential, ask } = await startOffice(context);
    const { clientId, clientSecret } = await createCredential();
    const authorization = basic(clientId, clientSecret);
    const refusals = [
      ['', 'invalid_request'],
      ['grant_type=', 'invalid_request'],
      ['grant_type=client_credentials&grant_type=client_credentials', 'invalid_request'],
      ['grant_type=client_credentials&scope=read&scope=administer', 'invalid_request'],
      ['grant_type=password&username=a&password=b', 'unsupported_grant_type'],
      ['grant_type=client_credentials&client_assertion=x', 'invalid_request'],
    ] as const;
    for (const [form, error] of refusals)
      assert.deepEqual(errorOf(await ask(form, authorization)), { status: 400, error }, form);
    const asJson = await server.call('POST /api/oauth/token', {
      headers: { authorization },
      body: { grant_type: 'client_credentials' },
    });
    assert.deepEqual(errorOf(asJson), { status: 400, error: 'invalid_request' });
    assert.equal((await ask(`grant_type=${'x'.repeat(20_000)}`, authorization)).status, 413);
  });

  test('limit failures of an address, but not its valid clients', async (context) => {
    const { createCredential, ask, askWith, grant } = await startOffice(context);
    const credential = await createCredential();
    const wrong = () => ask(grant, basic(credential.clientId, 'atrium_ocs_x'));
    for (let attempt = 0; attempt < 100; attempt += 1) await wrong();
    const limited = await wrong();
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers['retry-after']) > 0);
    assert.equal((await askWith(credential)).status, 200);
  });

  test('limit how many tokens a client has at once', async (context) => {
    const { server, createCredential, askWith } = await startOffice(context);
    const credential = await createCredential();
    for (let count = 0; count < 100; count += 1) assert.equal((await askWith(credential)).status, 200);
    assert.deepEqual(errorOf(await askWith(credential)), { status: 400, error: 'invalid_request' });
    server.advance(hoursMs(1));
    assert.equal((await askWith(credential)).status, 200);
  });

  for (const alg of ['ES256', 'RS256', 'EdDSA']) {
    test(`are given for an assertion signed with ${alg}, once`, async (context) => {
      const { server, sign, askBy, metadata } = await startSigning(context, alg);
      const assertion = await sign();
      const response = await askBy(assertion);
      assert.equal(response.status, 200, response.text);
      const token = bearer({ token: response.body.access_token });
      assert.equal((await server.call('GET /api/dashboards', token)).status, 200);
      assert.deepEqual(errorOf(await askBy(assertion)), invalidClient, 'replayed');
      assert.equal((await askBy(await sign({ aud: metadata.issuer }))).status, 200);
    });
  }

  test('are given once for an assertion that is sent many times at once', async (context) => {
    const { sign, askBy } = await startSigning(context);
    const assertion = await sign();
    const responses = await Promise.all(Array.from({ length: 8 }, () => askBy(assertion)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  });

  test('are refused for an assertion that is not the client’s, not for this server, or not short', async (context) => {
    const { owner, sign, askBy, jwk, metadata, now, userId, privateKey } = await startSigning(context);
    const other = await generateKeyPair('ES256');
    const publicBytes = new TextEncoder().encode(JSON.stringify(jwk));
    const standard = { iss: userId, sub: userId, aud: metadata.token_endpoint, jti: 'u', exp: now() + 60 };
    const refused = {
      'another key': await sign({}, { key: other.privateKey }),
      'the public key as a secret': await sign({}, { header: { alg: 'HS256' }, key: publicBytes }),
      'no signature': new UnsecuredJWT(standard).encode(),
      'a key in its header': await sign(
        {},
        { key: other.privateKey, header: { jwk: await exportJWK(other.publicKey) } },
      ),
      'another audience': await sign({ aud: 'https://other.example/token' }),
      'several audiences': await sign({ aud: [metadata.token_endpoint, 'https://other.example/token'] }),
      'another issuer': await sign({ iss: owner.id }),
      'another subject': await sign({ sub: owner.id }),
      'another client': await sign({ iss: owner.id, sub: owner.id }),
      'no expiry': await sign({ exp: undefined }),
      'a long life': await sign({ exp: now() + 3_600 }),
      'an expiry in the past': await sign({ exp: now() - 120 }),
      'a start in the future': await sign({ nbf: now() + 120 }),
      'no ID': await sign({ jti: undefined }),
      'an empty ID': await sign({ jti: '' }),
      'a changed part': (await sign()).replace(
        /\.[^.]+\./,
        `.${Buffer.from(JSON.stringify(standard)).toString('base64url')}.`,
      ),
      'no JWT': 'x.y.z',
    };
    for (const [what, assertion] of Object.entries(refused))
      assert.deepEqual(errorOf(await askBy(assertion)), invalidClient, what);
    assert.deepEqual(errorOf(await askBy(await sign(), { client_assertion_type: 'x' })), invalidClient);
    assert.equal((await askBy(await sign({}, { key: privateKey }))).status, 200);
  });

  test('need a public key that is strong and has no private part', async (context) => {
    const { server, owner, path, userId } = await startOffice(context);
    const register = async (publicKey: JWK) =>
      server.call(`POST ${path}/service-accounts/${userId}/client-credentials`, {
        as: owner,
        body: { name: 'Key', scopes: ['read'], expiresAt: '2026-12-01', publicKey },
      });
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    const ec = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
    const { d, ...publicEc } = ec;
    assert.ok(d);
    const refused: JWK[] = [
      ec,
      { ...publicEc, x: 'AAAA' },
      { ...publicEc, crv: 'P-384' },
      { ...rsa, n: rsa.n!.slice(0, 100) },
      { ...rsa, e: 'Aw' },
      { kty: 'oct', k: 'AAAA' },
      { kty: 'RSA' },
    ];
    for (const key of refused) {
      const response = await register(key);
      assert.equal(response.body.code, 'invalid_body', JSON.stringify(key));
    }
    const stored = await register({ ...publicEc, kid: 'k1' });
    assert.equal(stored.status, 201, stored.text);
    assert.equal(stored.body.clientSecret, undefined);
  });

  test('are described by the metadata of the server', async (context) => {
    const { server, createCredential } = await startOffice(context);
    const { body: metadata } = await server.call('GET /.well-known/oauth-authorization-server');
    const { body: resource } = await server.call('GET /.well-known/oauth-protected-resource/mcp');
    assert.equal(resource.resource, `${metadata.issuer}/mcp`);
    assert.deepEqual(resource.authorization_servers, [metadata.issuer]);
    assert.deepEqual(resource.scopes_supported, ['read', 'propose'], 'clients ask for all of them');
    assert.equal(metadata.token_endpoint, `${metadata.issuer}/api/oauth/token`);
    assert.ok((await createCredential()).clientId);
  });
});
