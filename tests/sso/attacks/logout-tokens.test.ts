import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ecKey, foreignKey, ownKey, raw, signBy } from '../../support/sso/hostile-provider.ts';
import { describeTenancies, expectControl, type Tenancy } from '../../support/sso/hostile-world.ts';

type Json = Record<string, unknown>;
const event = 'http://schemas.openid.net/event/backchannel-logout';

describeTenancies('a logout token', (world) => {
  const claimsFor = ({ provider }: Tenancy): Json => ({
    iss: provider.issuer,
    aud: provider.clientId,
    iat: Math.floor(Date.now() / 1_000),
    jti: crypto.randomUUID(),
    sub: 'pairwise-subject',
    events: { [event]: {} },
  });
  const sign = (claims: Json, header: Json = {}, key: CryptoKey | Uint8Array = ownKey.privateKey) =>
    signBy(key, { alg: 'RS256', kid: 'own', typ: 'logout+jwt', ...header }, JSON.stringify(claims));
  const send = async ({ server, configurationId }: Tenancy, token: string) =>
    server.call(`POST /api/sso/logout/${configurationId}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });
  const isSignedIn = async ({ server }: Tenancy, cookie: string) =>
    (await server.call('GET /api/auth/get-session', { headers: { cookie } })).status === 200;

  test('that is forged, or is another token, ends nothing', async () => {
    const tenancy = await world.createTenancy();
    const cookie = await expectControl(tenancy, 'sign-in');
    const { clientSecret, trace } = tenancy.provider;
    const honest = claimsFor(tenancy);
    const now = Math.floor(Date.now() / 1_000);
    const encode = (part: Json) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const forged: Readonly<Record<string, string>> = {
      'without a signature': `${encode({ alg: 'none' })}.${encode(honest)}.`,
      'signed with the client secret': await sign(honest, { alg: 'HS256' }, Buffer.from(clientSecret)),
      'signed with the public key as a secret': await sign(
        honest,
        { alg: 'HS256' },
        Buffer.from(JSON.stringify(ownKey.jwk)),
      ),
      'signed with a foreign key': await sign(honest, {}, foreignKey.privateKey),
      'signed with a key that it contains': await sign(
        honest,
        { jwk: foreignKey.jwk },
        foreignKey.privateKey,
      ),
      'signed with another algorithm': await sign(honest, { alg: 'ES256', kid: 'ec' }, ecKey.privateKey),
      'with an unknown critical header': await sign(honest, {
        crit: ['https://example.com/x'],
        'https://example.com/x': 1,
      }),
      'of another issuer': await sign({ ...honest, iss: 'https://other.example' }),
      'for another client': await sign({ ...honest, aud: 'other' }),
      'for several clients': await sign({ ...honest, aud: [honest['aud'], 'other'] }),
      'without an event': await sign({ ...honest, events: {} }),
      'with another event': await sign({ ...honest, events: { 'https://other.example': {} } }),
      'with an event that is not an object': await sign({ ...honest, events: { [event]: true } }),
      'with events in a list': await sign({ ...honest, events: [event] }),
      'with a nonce': await sign({ ...honest, nonce: 'n' }),
      'without an ID': await sign({ ...honest, jti: undefined }),
      'without its time': await sign({ ...honest, iat: undefined }),
      'that is old': await sign({ ...honest, iat: now - 1_000 }),
      'that is from the future': await sign({ ...honest, iat: now + 1_000 }),
      'that has expired': await sign({ ...honest, exp: now - 400 }),
      'about nobody': await sign({ ...honest, sub: undefined }),
      'about a number': await sign({ ...honest, sub: 7 }),
      'about a very long subject': await sign({ ...honest, sub: 'x'.repeat(2_000) }),
      'that is the ID token of the session': trace.idToken,
    };
    const responses = new Set<string>();
    for (const [name, token] of Object.entries(forged)) {
      const response = await send(tenancy, token);
      assert.equal(response.status, 400, `${name}: ${response.text}`);
      responses.add(response.text);
      assert.equal(await isSignedIn(tenancy, cookie), true, name);
    }
    assert.equal(responses.size, 1);
    assert.equal((await send(tenancy, await sign(honest))).status, 200);
    assert.equal(await isSignedIn(tenancy, cookie), false);
  });

  test('of one provider ends nobody’s session at another, whatever it says', async () => {
    const [tenancy, attacker] = [await world.createTenancy(), await world.createTenancy()];
    const cookie = await expectControl(tenancy, 'sign-in');
    // All providers of the tests sign with one key, so that only the issuer and the client distinguish them.
    for (const claims of [claimsFor(attacker), { ...claimsFor(tenancy), iss: attacker.provider.issuer }]) {
      assert.equal((await send(tenancy, await sign(claims))).status, 400);
    }
    for (const claims of [claimsFor(attacker)]) {
      assert.equal((await send(attacker, await sign(claims))).status, 200);
    }
    assert.equal(await isSignedIn(tenancy, cookie), true);
  });

  test('about a subject ends all of their sessions until then, and none that are newer', async () => {
    const tenancy = await world.createTenancy();
    const { server } = tenancy;
    const cookies = [await expectControl(tenancy, 'first'), await expectControl(tenancy, 'second')];
    // Longer than the provider's clock may be behind, but not so long that the token is refused.
    server.advance(400_000);
    const claims = claimsFor(tenancy);
    const token = await sign({ ...claims, iat: Number(claims['iat']) - 400 });
    const later = await expectControl(tenancy, 'later');
    for (const isFirst of [true, false]) {
      assert.equal((await send(tenancy, token)).status, 200);
      for (const cookie of cookies) assert.equal(await isSignedIn(tenancy, cookie), false);
      assert.equal(await isSignedIn(tenancy, later), true, isFirst ? 'first' : 'again');
    }
  });

  test('is refused only until the provider is available again', async () => {
    const tenancy = await world.createTenancy();
    const cookie = await expectControl(tenancy, 'sign-in');
    await tenancy.save();
    tenancy.provider.bend({ discovery: () => ({ issuer: 'https://nobody.example' }) });
    const response = await send(tenancy, await sign(claimsFor(tenancy)));
    assert.deepEqual([response.status, response.body.error], [503, 'temporarily_unavailable']);
    assert.equal(await isSignedIn(tenancy, cookie), true);
  });

  test('makes the server ask for keys that fail only now and then', async () => {
    const tenancy = await world.createTenancy();
    const cookie = await expectControl(tenancy, 'sign-in');
    await tenancy.save();
    let fetches = 0;
    tenancy.provider.bend({
      keys: () => {
        fetches += 1;
        return raw({ status: 500 });
      },
    });
    const statuses = new Set<number>();
    for (let count = 0; count < 20; count += 1) statuses.add((await send(tenancy, 'a.b.c')).status);
    assert.deepEqual([...statuses], [503]);
    assert.equal(fetches, 1);
    tenancy.provider.bend({});
    tenancy.server.advance(10_000);
    assert.equal((await send(tenancy, await sign(claimsFor(tenancy)))).status, 200);
    assert.equal(await isSignedIn(tenancy, cookie), false);
  });

  test('can’t be guessed without a limit, and guesses don’t stop a provider from ending sessions', async () => {
    const tenancy = await world.createTenancy();
    const cookie = await expectControl(tenancy, 'sign-in');
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) statuses.push((await send(tenancy, 'a.b.c')).status);
    assert.ok(statuses.includes(429));
    assert.equal((await send(tenancy, await sign(claimsFor(tenancy)))).status, 200);
    assert.equal(await isSignedIn(tenancy, cookie), false);
  });
});
