import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecorder } from '../../support/network/recorder.ts';
import { describeTenancies, expectControl, type HostileWorld } from '../../support/sso/hostile-world.ts';

const path = '/.well-known/openid-configuration';

const tests = (world: HostileWorld): void => {
  test('a stored discovery URL is never requested unless it has the form of a single provider', async (context) => {
    const recorder = await startRecorder(context);
    const tenancy = await world.createTenancy();
    const { provider } = tenancy;
    const { host, issuer, tenantId, requests } = provider;
    const before = requests.length;
    const invalidUrls = [
      { discoveryUrl: `file:///etc${path}` },
      { discoveryUrl: `ftp://example.com${path}` },
      { discoveryUrl: `data:application/json,{}${path}` },
      { discoveryUrl: issuer },
      { discoveryUrl: `${provider.discoveryUrl}?x` },
      { tenantId: undefined, discoveryUrl: `http://${host}/reset?x=${path}` },
      { tenantId: undefined, discoveryUrl: `http://${host}/reset#${path}` },
      { discoveryUrl: ` ${provider.discoveryUrl}` },
      { discoveryUrl: '' },
    ];
    const unusable: [changes: Record<string, unknown>, reason: string][] = [
      ...invalidUrls.map((changes): [Record<string, unknown>, string] => [changes, 'discovery_url_invalid']),
      [{ tenantId: 'common' }, 'tenant_required'],
      [{ tenantId: 'organizations' }, 'tenant_required'],
      [{ tenantId: 'consumers', discoveryUrl: undefined }, 'tenant_required'],
      [{ tenantId: 'contoso.onmicrosoft.com' }, 'tenant_not_guid'],
      [{ tenantId: `${tenantId}/../x` }, 'tenant_not_guid'],
      [{ tenantId: undefined, discoveryUrl: undefined }, 'tenant_required'],
      [{ clientSecret: '' }, 'secret_missing'],
    ];
    for (const [changes, reason] of unusable) {
      assert.equal((await tenancy.save(changes)).status, 200);
      const { response } = await tenancy.signIn();
      assert.equal(response.status, 403, JSON.stringify(changes));
      const { state, reasons } = (await tenancy.status()).body;
      assert.equal(state, 'blocked');
      assert.equal(reasons[0].code, reason, JSON.stringify(changes));
    }
    const { port } = new URL(recorder.url);
    const loopback = [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '2130706433',
      '0x7f.1',
      'localhost',
      '0.0.0.0',
    ];
    const internal = ['169.254.169.254', '[fe80::1]', '10.0.0.1', '100.64.0.1'];
    const refused = [
      `http://127.0.0.1:${port}${path}`,
      `http://localhost:${port}${path}`,
      ...loopback.map((name) => `https://${name}:${port}${path}`),
      ...internal.map((name) => `https://${name}${path}`),
      `http://${host.replace('127.0.0.1', 'localhost')}/adfs${path}`,
      `http://user:password@${host}/adfs${path}`,
    ];
    for (const discoveryUrl of refused) {
      assert.equal((await tenancy.save({ tenantId: undefined, discoveryUrl })).status, 200);
      const { response } = await tenancy.signIn();
      assert.equal(response.status, 403, discoveryUrl);
      assert.equal((await tenancy.lastRefusal())?.code, 'address_refused', discoveryUrl);
    }
    assert.deepEqual(recorder.requests, []);
    assert.equal(requests.length, before);
    await expectControl(tenancy, 'at last');
  });

  test('a document of another tenant than the stored one is refused', async () => {
    const tenancy = await world.createTenancy();
    await tenancy.save({ tenantId: '00000000-0000-4000-8000-000000000000' });
    assert.equal((await tenancy.signIn()).response.status, 403);
    assert.equal((await tenancy.lastRefusal())?.code, 'issuer_mismatch');
    await expectControl(tenancy, 'at last');
  });

  test('a stored secret is never sent to a URL, tenant or client that changed without a new secret', async () => {
    const [old, fresh] = [await world.createTenancy(), await world.createTenancy()];
    await expectControl(old, 'at first');
    const { owner, organizationId, server, provider } = old;
    const seen = [old.provider.requests.length, fresh.provider.requests.length];
    const changes: Record<string, unknown>[] = [
      { discoveryUrl: fresh.provider.discoveryUrl, tenantId: fresh.provider.tenantId },
      { discoveryUrl: fresh.provider.discoveryUrl, tenantId: undefined },
      { discoveryUrl: provider.discoveryUrl.replace('127.0.0.1', 'localhost') },
      { discoveryUrl: provider.discoveryUrl.toUpperCase() },
      { tenantId: fresh.provider.tenantId },
      { tenantId: provider.tenantId.toUpperCase() },
      { clientId: 'another' },
    ];
    for (const change of changes) {
      await old.save();
      const saved = await old.save({ clientSecret: undefined, ...change });
      assert.equal(saved.body.hasSecret, false, JSON.stringify(change));
      assert.equal((await old.signIn()).response.status, 403);
      const started = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
      assert.equal(started.status, 409, started.text);
      // It does not return with the previous URL either.
      const back = await old.save({ clientSecret: undefined });
      assert.equal(back.body.hasSecret, false);
      assert.equal((await old.signIn()).response.status, 403);
    }
    assert.deepEqual([old.provider.requests.length, fresh.provider.requests.length], seen);
    await expectControl(old, 'at last');
  });

  test('a stored secret and a code are only sent to the configured provider', async () => {
    const [one, other] = [await world.createTenancy(), await world.createTenancy()];
    await expectControl(one, 'at first');
    const holders = [one, other].map(({ provider }) =>
      provider.requests
        .filter(({ body }) => body.includes(one.provider.clientSecret))
        .map((request) => request.path),
    );
    assert.deepEqual(holders, [[`/${one.provider.tenantId}/v2.0/token`], []]);
    assert.ok(one.provider.requests.every((request) => !request.path.includes(one.provider.clientSecret)));
  });
};

describeTenancies('the address of a provider', tests, ['SQLite']);
