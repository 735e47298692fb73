import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectControl, startTenancies } from '../support/sso/hostile-world.ts';
import { startRecorder } from '../support/network/recorder.ts';

describe('a stored discovery URL', () => {
  test('is never requested unless it has the form of a single provider', async (context) => {
    const recorder = await startRecorder(context);
    const [tenancy] = await startTenancies(context, 'SQLite');
    const { provider } = tenancy;
    const inside = `${recorder.url}/.well-known/openid-configuration`;
    const atAdfs = `http://${provider.host}/adfs/.well-known/openid-configuration`;
    const before = provider.requests.length;
    const unusable: [changes: Record<string, unknown>, reason: string][] = [
      [{ discoveryUrl: 'file:///etc/.well-known/openid-configuration' }, 'discovery_url_invalid'],
      [{ discoveryUrl: 'ftp://example.com/.well-known/openid-configuration' }, 'discovery_url_invalid'],
      [
        { discoveryUrl: 'data:application/json,{}/.well-known/openid-configuration' },
        'discovery_url_invalid',
      ],
      [{ discoveryUrl: provider.issuer }, 'discovery_url_invalid'],
      [{ discoveryUrl: `${provider.discoveryUrl}?x` }, 'discovery_url_invalid'],
      [
        {
          tenantId: undefined,
          discoveryUrl: `http://${provider.host}/reset?x=/.well-known/openid-configuration`,
        },
        'discovery_url_invalid',
      ],
      [
        {
          tenantId: undefined,
          discoveryUrl: `http://${provider.host}/reset#/.well-known/openid-configuration`,
        },
        'discovery_url_invalid',
      ],
      [{ discoveryUrl: ` ${provider.discoveryUrl}` }, 'discovery_url_invalid'],
      [{ discoveryUrl: '' }, 'discovery_url_invalid'],
      [{ tenantId: 'common' }, 'tenant_required'],
      [{ tenantId: 'organizations' }, 'tenant_required'],
      [{ tenantId: 'consumers', discoveryUrl: undefined }, 'tenant_required'],
      [{ tenantId: 'contoso.onmicrosoft.com' }, 'tenant_not_guid'],
      [{ tenantId: `${provider.tenantId}/../x` }, 'tenant_not_guid'],
      [{ tenantId: undefined, discoveryUrl: undefined }, 'tenant_required'],
      [{ clientSecret: '' }, 'secret_missing'],
    ];
    for (const [changes, reason] of unusable) {
      assert.equal((await tenancy.save(changes)).status, 200);
      const { answer } = await tenancy.signIn();
      assert.equal(answer.status, 403, JSON.stringify(changes));
      const { state, reasons } = (await tenancy.status()).body;
      assert.equal(state, 'blocked');
      assert.equal(reasons[0].code, reason, JSON.stringify(changes));
    }
    const refused = [
      inside,
      inside.replace('127.0.0.1', 'localhost'),
      inside.replace('http:', 'https:'),
      inside.replace('http:', 'https:').replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      inside.replace('http:', 'https:').replace('127.0.0.1', '[::1]'),
      inside.replace('http:', 'https:').replace('127.0.0.1', '2130706433'),
      inside.replace('http:', 'https:').replace('127.0.0.1', '0x7f.1'),
      inside.replace('http:', 'https:').replace('127.0.0.1', 'localhost'),
      inside.replace('http:', 'https:').replace('127.0.0.1', '0.0.0.0'),
      'https://169.254.169.254/.well-known/openid-configuration',
      'https://[fe80::1]/.well-known/openid-configuration',
      'https://10.0.0.1/.well-known/openid-configuration',
      'https://100.64.0.1/.well-known/openid-configuration',
      atAdfs.replace('127.0.0.1', 'localhost'),
      atAdfs.replace('://', '://user:password@'),
    ];
    for (const discoveryUrl of refused) {
      assert.equal((await tenancy.save({ tenantId: undefined, discoveryUrl })).status, 200);
      const { answer } = await tenancy.signIn();
      assert.equal(answer.status, 403, discoveryUrl);
      assert.equal((await tenancy.lastRefusal())?.code, 'address_refused', discoveryUrl);
    }
    assert.deepEqual(recorder.requests, []);
    assert.equal(provider.requests.length, before);
    await expectControl(tenancy, 'at last');
  });

  test('in another case than the document, or of another tenant than the stored one, is refused', async (context) => {
    const [tenancy] = await startTenancies(context, 'SQLite');
    await tenancy.save({ tenantId: '00000000-0000-4000-8000-000000000000' });
    assert.equal((await tenancy.signIn()).answer.status, 403);
    assert.equal((await tenancy.lastRefusal())?.code, 'issuer_mismatch');
    await expectControl(tenancy, 'at last');
  });
});

describe('a stored secret', () => {
  test('is never sent to a URL, tenant or client that changed without a new secret', async (context) => {
    const [old, fresh] = await startTenancies(context, 'SQLite', 2);
    assert.ok(fresh);
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
      assert.equal((await old.signIn()).answer.status, 403);
      const begun = await server.call(`POST /api/sso/orgs/${organizationId}/config/test`, { as: owner });
      assert.equal(begun.status, 409, begun.text);
      // It does not return with the previous URL either.
      const back = await old.save({ clientSecret: undefined });
      assert.equal(back.body.hasSecret, false);
      assert.equal((await old.signIn()).answer.status, 403);
    }
    assert.deepEqual([old.provider.requests.length, fresh.provider.requests.length], seen);
    await expectControl(old, 'at last');
  });

  test('and a code are only sent to the configured provider', async (context) => {
    const [one, other] = await startTenancies(context, 'SQLite', 2);
    assert.ok(other);
    await expectControl(one, 'at first');
    const holders = [one, other].map(({ provider }) =>
      provider.requests
        .filter(({ body }) => body.includes(one.provider.clientSecret))
        .map(({ path }) => path),
    );
    assert.deepEqual(holders, [[`/${one.provider.tenantId}/v2.0/token`], []]);
    assert.ok(one.provider.requests.every(({ path }) => !path.includes(one.provider.clientSecret)));
  });
});
