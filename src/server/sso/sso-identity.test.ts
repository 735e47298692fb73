import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredSsoConfiguration } from './sso-configuration-store.ts';
import { checkIdentity, isTenantGuid, readIdentity, shownClaims } from './sso-identity.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const oid = '6f0c2f0e-6a51-4c8c-9d0e-1d2c3b4a5968';
const entra: StoredSsoConfiguration = {
  organizationId: 'organization',
  id: 'configuration',
  provider: 'idp_ad',
  clientId: 'client',
  tenantId,
  discoveryUrl: `https://login.example/${tenantId}/v2.0/.well-known/openid-configuration`,
  isDiscoveryUrlDerived: true,
  emailDomains: ['contoso.example', 'unproven.example'],
  enabled: true,
  clientSecret: 'sealed',
  ownerApproved: true,
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};
const adfs: StoredSsoConfiguration = { ...entra, tenantId: undefined };
const issuer = `https://login.example/${tenantId}/v2.0`;
const claims = {
  iss: issuer,
  tid: tenantId,
  oid,
  sub: 'pairwise',
  name: 'Bob',
  preferred_username: 'Bob@Contoso.example',
};

const failedChecks = (configuration: StoredSsoConfiguration, changed: Record<string, unknown>): string[] =>
  checkIdentity(configuration, ['contoso.example'], { ...claims, ...changed })
    .filter(({ passed }) => !passed)
    .map(({ code }) => code);

describe('who somebody is', () => {
  test('is the oid at Entra and the sub at AD FS, of the issuer, in the configuration', () => {
    assert.deepEqual(readIdentity(entra, claims), {
      key: { configurationId: 'configuration', issuer, subject: oid },
      email: 'bob@contoso.example',
      ownEmail: 'bob@contoso.example',
      name: 'Bob',
    });
    assert.deepEqual(readIdentity(adfs, claims).key, {
      configurationId: 'configuration',
      issuer,
      subject: 'pairwise',
    });
  });

  test('is never the e-mail: the same oid with another address has the same key', () => {
    const renamed = { ...claims, email: 'eve@contoso.example', preferred_username: 'eve@contoso.example' };
    assert.deepEqual(readIdentity(entra, renamed).key, readIdentity(entra, claims).key);
    assert.notDeepEqual(
      readIdentity(entra, { ...claims, oid: 'other' }).key,
      readIdentity(entra, claims).key,
    );
  });

  test('is unknown without a usable oid or sub; neither stands for the other', () => {
    const unusable = [undefined, null, '', 1, true, {}, [oid], 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(256)];
    for (const value of unusable) {
      assert.equal(readIdentity(entra, { ...claims, oid: value }).key, undefined, JSON.stringify(value));
      assert.equal(readIdentity(adfs, { ...claims, sub: value }).key, undefined, JSON.stringify(value));
      assert.equal(
        readIdentity(entra, { ...claims, iss: value === 'x'.repeat(256) ? 1 : value }).key,
        undefined,
      );
    }
    assert.equal(readIdentity(adfs, { ...claims, sub: 'x'.repeat(255) }).key?.subject.length, 255);
  });
});

describe('the address of somebody', () => {
  const emailOf = (configuration: StoredSsoConfiguration, changed: Record<string, unknown>) => {
    const { email, ownEmail } = readIdentity(configuration, { iss: issuer, oid, sub: 's', ...changed });
    return { email, ownEmail };
  };
  const [profile, principal] = ['profile@contoso.example', 'principal@contoso.example'];

  test('is the e-mail claim before the principal name, and of that the preferred one before the upn', () => {
    assert.equal(emailOf(entra, { email: profile, preferred_username: principal }).email, profile);
    assert.equal(emailOf(entra, { preferred_username: principal, upn: profile }).email, principal);
    assert.equal(emailOf(adfs, { upn: principal }).email, principal);
    assert.equal(emailOf(adfs, {}).email, undefined);
  });

  test('is one that Entra vouches for when it is the principal name, or verified by the domain’s owner', () => {
    const both = { email: profile, preferred_username: principal };
    assert.deepEqual(emailOf(entra, both), { email: profile, ownEmail: principal });
    assert.deepEqual(emailOf(entra, { email: profile }), { email: profile, ownEmail: undefined });
    for (const verified of [true, 1]) {
      assert.deepEqual(emailOf(entra, { ...both, xms_edov: verified }), {
        email: profile,
        ownEmail: profile,
      });
    }
    for (const not of [false, 0, null, 'false', '0', [], {}]) {
      assert.equal(emailOf(entra, { ...both, xms_edov: not }).ownEmail, principal, JSON.stringify(not));
    }
    assert.equal(emailOf(entra, { ...both, email_verified: true }).ownEmail, principal);
  });

  test('is one that AD FS vouches for, since it is the only directory behind it', () => {
    assert.equal(emailOf(adfs, { email: profile, upn: principal }).ownEmail, profile);
  });

  test('is none that two readers would read two ways', () => {
    const twoWays = [
      'bob@contoso.example@evil.example',
      'bob@evil.example, bob@contoso.example',
      'bob＠contoso.example',
      'bob@ｃontoso.example',
      'bob@contoso.example\u0000',
      'bob@contoso.example\r\nbcc: eve@evil.example',
      '<bob@contoso.example>',
      'bob',
      '@contoso.example',
      'bob@',
      'bob@contoso.example/x',
      ['bob@contoso.example'],
      { toString: () => 'bob@contoso.example' },
    ];
    for (const email of twoWays) {
      assert.deepEqual(emailOf(adfs, { email }), { email: undefined, ownEmail: undefined }, String(email));
    }
  });

  test('without a name that can be shown leaves the name out', () => {
    for (const name of [undefined, '', 1, 'a\u0000', 'x'.repeat(256)]) {
      assert.equal(readIdentity(entra, { ...claims, name }).name, undefined);
    }
    assert.equal(readIdentity(entra, { ...claims, name: 'علی‌رضا 👩‍💻' }).name, 'علی‌رضا 👩‍💻');
  });
});

describe('the checks of an identity', () => {
  test('all pass for a person of the tenant with an address of a proven domain', () => {
    assert.deepEqual(checkIdentity(entra, ['contoso.example'], claims), [
      { code: 'tenant', passed: true, message: `The token is of the tenant ${tenantId}.` },
      { code: 'identity', passed: true, message: `The person is ${oid}.` },
      { code: 'email', passed: true, message: 'The address is bob@contoso.example.' },
      { code: 'domain', passed: true, message: 'The domain is contoso.example.' },
    ]);
    assert.deepEqual(failedChecks(entra, { tid: tenantId.toUpperCase() }), []);
    assert.deepEqual(failedChecks(adfs, { tid: undefined, oid: undefined }), []);
  });

  test('tell what is not so, each with its remedy', () => {
    assert.deepEqual(failedChecks(entra, { tid: oid }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { tid: undefined }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { tid: [tenantId] }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { oid: undefined }), ['identity']);
    assert.deepEqual(failedChecks(adfs, { sub: '' }), ['identity']);
    assert.deepEqual(failedChecks(entra, { preferred_username: 'bob' }), ['email', 'domain']);
    const foreign = [
      'evil.example',
      'unproven.example',
      'sub.contoso.example',
      'contoso.example.evil',
      'xcontoso.example',
    ];
    for (const domain of foreign) {
      assert.deepEqual(failedChecks(entra, { preferred_username: `bob@${domain}` }), ['domain'], domain);
    }
    assert.deepEqual(
      failedChecks(entra, { email: 'bob@evil.example' }),
      ['domain'],
      'the principal name is right',
    );
    for (const check of checkIdentity(entra, [], {})) {
      assert.deepEqual([check.passed, (check.remedy ?? '').length > 20], [false, true], check.code);
    }
  });
});

test('a tenant is a GUID in either case, and nothing else', () => {
  assert.deepEqual([tenantId, tenantId.toUpperCase()].map(isTenantGuid), [true, true]);
  const others = [
    '',
    'common',
    'organizations',
    'contoso.onmicrosoft.com',
    `{${tenantId}}`,
    `${tenantId}\n`,
    ` ${tenantId}`,
  ];
  assert.deepEqual(others.filter(isTenantGuid), []);
});

test('what is shown of claims leaves out what could be used again', () => {
  const secret = {
    nonce: 'n',
    at_hash: 'h',
    c_hash: 'h',
    s_hash: 'h',
    aio: 'a',
    rh: 'r',
    uti: 'u',
    sid: 's',
    jti: 'j',
  };
  assert.deepEqual(shownClaims({ ...claims, ...secret, login_hint: 'l', groups: ['g'] }), {
    ...claims,
    groups: ['g'],
  });
});
