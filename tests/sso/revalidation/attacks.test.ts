import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesMs } from '../../../src/server/base/clock.ts';
import type { Person } from '../../support/server/test-server.ts';
import { createChecks } from '../../support/sso/checks.ts';
import { ownKey, raw, signBy } from '../../support/sso/hostile-provider.ts';
import { describeTenancies, type Tenancy } from '../../support/sso/hostile-world.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { isSignedIn, tokensOf } from './sessions.ts';

const canary = 'canary-refresh-token-2b8f61d0c3';

describeTenancies('a refresh token', (world) => {
  /** Signs Bob in with a refresh token. */
  async function openSession(): Promise<{ tenancy: Tenancy; bob: Person }> {
    const tenancy = await world.createTenancy();
    tenancy.provider.bend({ token: (response) => ({ ...response, refresh_token: canary }) });
    const { response } = await tenancy.signIn();
    assert.equal(response.status, 302, response.text);
    return { tenancy, bob: await toPerson(world.server, response) };
  }
  const check = async ({ provider }: Tenancy, afterMinutes = 5) => {
    world.server.advance(minutesMs(afterMinutes));
    await createChecks(world.server, [provider.host]).checkDue();
  };
  const idTokenOf = ({ provider }: Tenancy, claims: Record<string, unknown> = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      iss: provider.issuer,
      aud: provider.clientId,
      tid: provider.tenantId,
      sub: 'pairwise-subject',
      oid: 'oid-of-bob',
      ver: '2.0',
      iat: now,
      exp: now + 3600,
    };
    const header = { alg: 'RS256', kid: 'own', typ: 'JWT' };
    return signBy(ownKey.privateKey, header, JSON.stringify({ ...honest, ...claims }));
  };
  const tokens = (more: Record<string, unknown>) => ({
    token_type: 'Bearer',
    access_token: 'access',
    expires_in: 3600,
    ...more,
  });
  const lastEnded = async ({ owner, organizationId }: Tenancy) => {
    const line = `GET /api/organizations/${organizationId}/audit?action=sso.sessions.ended&limit=1`;
    return (await world.server.call(line, { as: owner })).body.items[0]?.details.refusal;
  };

  test('whose response is about another person ends the session, and gives nothing', async () => {
    for (const claims of [
      { sub: 'subject-of-eve' },
      { oid: 'oid-of-eve' },
      { oid: 'oid-of-eve', roles: ['admin'], groups: ['managers'] },
    ]) {
      const { tenancy, bob } = await openSession();
      const id_token = await idTokenOf(tenancy, claims);
      tenancy.provider.bend({ refresh: () => tokens({ id_token, refresh_token: 'of-eve' }) });
      await check(tenancy);
      assert.equal(await isSignedIn(world.server, bob), false, JSON.stringify(claims));
      assert.equal(await lastEnded(tenancy), 'another_person');
      assert.deepEqual(await tokensOf(world.server, tenancy.configurationId), []);
    }
  });

  test('whose response is forged changes nothing', async () => {
    const { tenancy, bob } = await openSession();
    const { server } = world;
    const policy = { defaultRole: 'viewer', roleMappings: [{ claim: 'roles', value: 'x', role: 'admin' }] };
    await server.call(`PUT /api/sso/orgs/${tenancy.organizationId}/policy`, {
      as: tenancy.owner,
      body: { requireSso: false, ...policy },
    });
    const roleOf = async () =>
      (
        await server.call(`GET /api/organizations/${tenancy.organizationId}/members`, { as: tenancy.owner })
      ).body.items.find(({ userId }: { userId: string }) => userId === bob.id).role;
    const [other] = [await world.createTenancy()];
    for (const id_token of [
      await idTokenOf(tenancy, { roles: ['x'], aud: 'another client' }),
      await idTokenOf(tenancy, { roles: ['x'], aud: [tenancy.provider.clientId, 'another'] }),
      await idTokenOf(tenancy, { roles: ['x'], azp: 'another' }),
      await idTokenOf(tenancy, { roles: ['x'], exp: 1 }),
      await idTokenOf(tenancy, { roles: ['x'], iss: other.provider.issuer }),
      `${(await idTokenOf(tenancy, { roles: ['x'] })).slice(0, -8)}AAAAAAAA`,
      'eyJhbGciOiJub25lIn0.e30.',
    ]) {
      tenancy.provider.bend({ refresh: () => tokens({ id_token }) });
      await check(tenancy);
      assert.equal(await roleOf(), 'viewer');
      assert.equal(await isSignedIn(server, bob), true);
      assert.ok((await tenancy.status()).body.revalidation.unavailableSince);
    }
    const id_token = await idTokenOf(tenancy, { roles: ['x'], preferred_username: `bob@${tenancy.domain}` });
    tenancy.provider.bend({ refresh: () => tokens({ id_token }) });
    await check(tenancy);
    assert.equal(await roleOf(), 'admin', 'the control');
  });

  test('is sent once, then only the one that replaced it', async () => {
    const { tenancy, bob } = await openSession();
    const sent: string[] = [];
    tenancy.provider.bend({
      refresh: (token) => {
        sent.push(token);
        return tokens({ refresh_token: `${canary}-${sent.length}` });
      },
    });
    for (let count = 0; count < 3; count += 1) await check(tenancy);
    assert.deepEqual(sent, [canary, `${canary}-1`, `${canary}-2`]);
    // A provider that finds that a token was used twice refuses it (RFC 9700, section 4.14.2).
    tenancy.provider.bend({});
    await check(tenancy);
    assert.equal(await isSignedIn(world.server, bob), false);
    assert.equal(await lastEnded(tenancy), 'invalid_grant');
  });

  test('that replaces one must not be longer than one of a sign-in', async () => {
    const { tenancy, bob } = await openSession();
    const sent: string[] = [];
    tenancy.provider.bend({
      refresh: (token) => {
        sent.push(token);
        return tokens({ refresh_token: 'x'.repeat(sent.length === 1 ? 20_001 : 20_000) });
      },
    });
    for (let count = 0; count < 3; count += 1) await check(tenancy);
    assert.deepEqual(sent, [canary, canary, 'x'.repeat(20_000)]);
    assert.equal(await isSignedIn(world.server, bob), true);
  });

  test('is never sent to a provider or a client that has changed since', async () => {
    const { tenancy, bob } = await openSession();
    const other = await world.createTenancy();
    const elsewhere = {
      tenantId: other.provider.tenantId,
      discoveryUrl: other.provider.discoveryUrl,
      clientSecret: other.provider.clientSecret,
    };
    const received: string[] = [];
    for (const { provider } of [tenancy, other])
      provider.bend({ refresh: (token) => received.push(token) && tokens({}) });
    assert.equal((await tenancy.save(elsewhere)).status, 200);
    await check(other);
    await check(tenancy);
    assert.equal(await isSignedIn(world.server, bob), false);
    assert.deepEqual([received, await tokensOf(world.server, tenancy.configurationId)], [[], []]);
  });

  test('outlives neither its session nor a configuration that is turned off', async () => {
    const first = await openSession();
    assert.deepEqual(await tokensOf(world.server, first.tenancy.configurationId), [canary]);
    await world.server.call('POST /api/auth/sign-out', { as: first.bob });
    assert.deepEqual(await tokensOf(world.server, first.tenancy.configurationId), []);
    const second = await openSession();
    await second.tenancy.save({ enabled: false });
    assert.deepEqual(await tokensOf(world.server, second.tenancy.configurationId), []);
  });

  test('is in no log, status or audit entry, even if the provider repeats it', async () => {
    const { tenancy } = await openSession();
    const { server } = world;
    const body = JSON.stringify({ error: 'invalid_request', error_description: `${canary} is wrong` });
    const headers = { 'content-type': 'application/json' };
    for (const refresh of [
      () => raw({ status: 400, headers, body }),
      () => raw({ status: 500, body: canary }),
      () => tokens({ id_token: canary }),
      () => raw({ status: 400, headers, body: body.replace('invalid_request', 'invalid_grant') }),
    ]) {
      tenancy.provider.bend({ refresh });
      await check(tenancy);
    }
    assert.equal(await lastEnded(tenancy), 'invalid_grant');
    const audit = await server.call(`GET /api/organizations/${tenancy.organizationId}/audit`, {
      as: tenancy.owner,
    });
    for (const text of [server.log.join(''), audit.text, (await tenancy.status()).text])
      assert.ok(!text.includes(canary));
  });
});
