import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import type { TestResponse } from '../../support/server/test-server.ts';

/** Returns a response without the parts that differ for each request. */
const withoutIds = ({ status, headers, text }: TestResponse) => [
  status,
  Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text.replace(/"requestId":"[^"]*"/, ''),
];

describeSignIns('what a response reveals about people and organizations', (world) => {
  test('a sign-in by email returns the same whether or not the person exists', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const { domain } = organization;
    await organization.enter(organization.addPerson('Known'));
    await organization.addAccount('Account', 'viewer');
    const ask = async (email: string) => {
      const { status, body } = await server.call('POST /api/sso/sign-in', {
        body: { email, returnTo: '/x' },
      });
      return [status, Object.keys(body), body.method, body.url.replace(encodeURIComponent(email), '…')];
    };
    const bySso = [
      200,
      ['method', 'url'],
      'sso',
      `http://localhost:3000/api/sso/start/${organization.id}?returnTo=%2Fx&loginHint=…`,
    ];
    for (const name of ['known', 'account', 'unknown']) {
      assert.deepEqual(await ask(`${name}@${domain}`), bySso, name);
    }
    const byPassword = [
      200,
      ['method', 'url'],
      'password',
      'http://localhost:3000/sign-in?returnTo=%2Fx&loginHint=…',
    ];
    for (const email of [organization.owner.email, 'nobody@nowhere.example', `a@sub.${domain}`]) {
      assert.deepEqual(await ask(email), byPassword, email);
    }
    const none = await server.call('POST /api/sso/sign-in', { body: { email: 'no address' } });
    assert.deepEqual(none.body, { method: 'password', url: 'http://localhost:3000/sign-in?returnTo=%2F' });
  });

  test('nobody is sent to a configuration that is off, not verified or incomplete', async () => {
    const organization = await world.createOrganization();
    const method = () => world.methodOf(`a@${organization.domain}`);
    const seen: string[] = [await method()];
    for (const changes of [
      { enabled: false },
      {},
      { clientSecret: '' },
      {},
      { tenantId: 'contoso' },
      { tenantId: undefined },
      { discoveryUrl: 'https://login.example/' },
      {},
    ]) {
      await organization.save(changes);
      seen.push(await method());
    }
    const [on, off] = ['sso', 'password'];
    assert.deepEqual(seen, [on, off, on, off, on, off, off, off, on]);
  });

  test('the same bytes are returned if it does not exist, is not configured, is off, or belongs to others', async () => {
    const { server } = world;
    const off = await world.createOrganization({ configuration: { enabled: false } });
    const bare = await server.createOrganization(off.owner);
    const ids = ['01997a1f-0000-7000-8000-000000000000', 'no-id', bare, off.id];
    const nothing = await server.call('GET /api/sso/start/01997a1f-0000-7000-8000-000000000000');
    assert.equal(nothing.status, 404);
    for (const id of ids) {
      assert.deepEqual(withoutIds(await server.call(`GET /api/sso/start/${id}`)), withoutIds(nothing), id);
    }

    const stranger = await server.createPerson();
    for (const [method, path] of [
      ['GET', 'config'],
      ['DELETE', 'config'],
      ['GET', 'status'],
      ['GET', 'domains'],
      ['GET', 'policy'],
      ['POST', 'config/test'],
      ['GET', 'config/test/x'],
      ['POST', 'recovery-codes'],
      ['POST', `domains/${off.domain}/verify`],
    ]) {
      const responses = await Promise.all(
        ids.map((id) => server.call(`${method} /api/sso/orgs/${id}/${path}`, { as: stranger })),
      );
      for (const response of responses) {
        assert.deepEqual(withoutIds(response), withoutIds(nothing), `${method} ${path}`);
      }
    }
  });

  test('a callback without a sign-in returns the same for every configuration', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const responses = await Promise.all(
      [organization.configurationId, 'unknown'].flatMap((id) =>
        ['', '?state=x&code=y', '?error=access_denied&state=x'].map((query) =>
          server.call(`GET /api/sso/callback/${id}${query}`),
        ),
      ),
    );
    const [first, ...others] = responses.map(withoutIds);
    assert.equal(responses[0]?.status, 400);
    for (const other of others) assert.deepEqual(other, first);
    assert.equal((await organization.status()).lastFailure, undefined);
  });
});
