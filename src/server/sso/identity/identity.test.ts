import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredSsoConfiguration } from '../configuration/store.ts';
import { checkIdentity, readIdentity as readWith, shownClaims } from './identity.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const oid = '6f0c2f0e-6a51-4c8c-9d0e-1d2c3b4a5968';
const entra: StoredSsoConfiguration = {
  organizationId: 'organization',
  id: 'configuration',
  isFirst: true,
  name: '',
  provider: 'idp_ad',
  clientId: 'client',
  tenantId,
  discoveryUrl: `https://login.example/${tenantId}/v2.0/.well-known/openid-configuration`,
  isDiscoveryUrlDerived: true,
  emailDomains: ['contoso.example', 'unproven.example'],
  enabled: true,
  clientSecret: 'sealed',
  clientCertificate: undefined,
  workloadIdentitySince: undefined,
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

const proven = ['contoso.example'];
const readIdentity = (configuration: StoredSsoConfiguration, changed: Record<string, unknown>) =>
  readWith(configuration, proven, changed);

const failedChecks = (configuration: StoredSsoConfiguration, changed: Record<string, unknown>): string[] =>
  checkIdentity(configuration, ['contoso.example'], { ...claims, ...changed })
    .filter(({ passed }) => !passed)
    .map(({ code }) => code);

describe('the identity of a person', () => {
  test('is the oid of Entra or the sub of AD FS, for this issuer and configuration', () => {
    assert.deepEqual(readIdentity(entra, claims), {
      key: { configurationId: 'configuration', issuer, subject: oid },
      email: 'bob@contoso.example',
      isEmailVerified: true,
      name: 'Bob',
    });
    assert.deepEqual(readIdentity(adfs, claims).key, {
      configurationId: 'configuration',
      issuer,
      subject: 'pairwise',
    });
  });

  test('is never the email: the same oid with another address has the same key', () => {
    const renamed = { ...claims, email: 'eve@contoso.example', preferred_username: 'eve@contoso.example' };
    assert.deepEqual(readIdentity(entra, renamed).key, readIdentity(entra, claims).key);
    assert.notDeepEqual(
      readIdentity(entra, { ...claims, oid: 'other' }).key,
      readIdentity(entra, claims).key,
    );
  });

  test('is unknown without a usable oid or sub; neither replaces the other', () => {
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

describe('the address of a person', () => {
  const emailOf = (configuration: StoredSsoConfiguration, changed: Record<string, unknown>) => {
    const { email, isEmailVerified } = readIdentity(configuration, {
      iss: issuer,
      oid,
      sub: 's',
      ...changed,
    });
    return [email, isEmailVerified];
  };
  const [profile, principal] = ['profile@contoso.example', 'principal@contoso.example'];
  const both = { email: profile, preferred_username: principal };

  test('is one that the directory confirms, if there is one', () => {
    for (const [name, configuration, changed, expected] of [
      ['the principal name of Entra', entra, both, [principal, true]],
      [
        'the preferred one before the upn',
        entra,
        { preferred_username: principal, upn: profile },
        [principal, true],
      ],
      ['the upn of Entra', entra, { upn: principal }, [principal, true]],
      ['the profile of Entra', entra, { email: profile }, [profile, false]],
      ['the profile of Entra, verified', entra, { ...both, xms_edov: true }, [profile, true]],
      ['the profile of Entra, verified as a number', entra, { ...both, xms_edov: 1 }, [profile, true]],
      ['email_verified at Entra', entra, { ...both, email_verified: true }, [principal, true]],
      [
        'a guest of Entra',
        entra,
        { preferred_username: principal, idp: 'https://sts.example/' },
        [principal, false],
      ],
      ['a guest of Entra, by acct', entra, { preferred_username: principal, acct: 1 }, [principal, false]],
      [
        'a member of Entra',
        entra,
        { preferred_username: principal, acct: 0, idp: issuer },
        [principal, true],
      ],
      ['the mail of AD FS', adfs, { email: profile, upn: principal }, [profile, true]],
      ['the upn of AD FS', adfs, { upn: principal }, [principal, true]],
      ['a name that people choose themselves', adfs, { preferred_username: principal }, [principal, false]],
      ['nothing', adfs, {}, [undefined, false]],
    ] as const) {
      assert.deepEqual(emailOf(configuration, changed), expected, name);
    }
    for (const not of [false, 0, null, 'false', '0', [], {}]) {
      assert.deepEqual(
        emailOf(entra, { email: profile, xms_edov: not }),
        [profile, false],
        JSON.stringify(not),
      );
    }
  });

  test('is never one that email_verified denies', () => {
    for (const email_verified of [false, 'false', 'False', 0, null, '', 'no', [], {}]) {
      const denied = { ...both, upn: principal, email_verified };
      const name = JSON.stringify(email_verified);
      assert.deepEqual(emailOf(adfs, denied), [undefined, false], name);
      assert.deepEqual(emailOf(entra, { ...denied, xms_edov: true }), [principal, true], name);
      assert.deepEqual(
        emailOf(entra, { email: profile, email_verified, xms_edov: true }),
        [undefined, false],
        name,
      );
    }
    for (const email_verified of [true, 'true']) {
      assert.deepEqual(emailOf(adfs, { email: profile, email_verified }), [profile, true]);
    }
  });

  test('is the one in a verified domain, if there is one', () => {
    const elsewhere = 'bob@contoso.onmicrosoft.example';
    assert.deepEqual(emailOf(entra, { email: profile, preferred_username: elsewhere }), [profile, false]);
    assert.deepEqual(emailOf(entra, { email: elsewhere, preferred_username: principal, xms_edov: true }), [
      principal,
      true,
    ]);
    assert.deepEqual(emailOf(adfs, { email: elsewhere, upn: principal }), [principal, true]);
    assert.deepEqual(emailOf(adfs, { email: elsewhere }), [elsewhere, true]);
  });

  test('is never one that two parsers would read differently', () => {
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
      assert.deepEqual(emailOf(adfs, { email }), [undefined, false], String(email));
    }
  });

  test('has no name if the name cannot be shown', () => {
    for (const name of [undefined, '', 1, 'a\u0000', 'x'.repeat(256)]) {
      assert.equal(readIdentity(entra, { ...claims, name }).name, undefined);
    }
    assert.equal(readIdentity(entra, { ...claims, name: 'علی‌رضا 👩‍💻' }).name, 'علی‌رضا 👩‍💻');
  });
});

describe('the checks of an identity', () => {
  test('all pass for a person of the tenant with an address in a verified domain', () => {
    assert.deepEqual(checkIdentity(entra, ['contoso.example'], claims), [
      { code: 'tenant', passed: true, message: `The token is from the tenant ${tenantId}.` },
      { code: 'identity', passed: true, message: `The person’s ID is ${oid}.` },
      { code: 'email', passed: true, message: 'The email address is bob@contoso.example.' },
      { code: 'domain', passed: true, message: 'The domain is contoso.example.' },
    ]);
    assert.deepEqual(failedChecks(entra, { tid: tenantId.toUpperCase() }), []);
    assert.deepEqual(failedChecks(adfs, { tid: undefined, oid: undefined }), []);
  });

  test('report what failed, each with its remedy', () => {
    assert.deepEqual(failedChecks(entra, { tid: oid }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { tid: undefined }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { tid: [tenantId] }), ['tenant']);
    assert.deepEqual(failedChecks(entra, { oid: undefined }), ['identity']);
    assert.deepEqual(failedChecks(adfs, { tid: undefined, sub: '' }), ['identity']);
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
    assert.deepEqual(failedChecks(entra, { email: 'bob@evil.example' }), [], 'the principal name counts');
    assert.deepEqual(failedChecks(entra, { email: 'bob@evil.example', preferred_username: 'bob' }), [
      'domain',
    ]);
    for (const tid of [tenantId, oid, '', null, 0, [tenantId]]) {
      assert.deepEqual(failedChecks(adfs, { tid }), ['tenant_required'], JSON.stringify(tid));
    }
    for (const check of checkIdentity(entra, [], {})) {
      assert.deepEqual([check.passed, (check.remedy ?? '').length > 20], [false, true], check.code);
    }
  });
});

test('claims that could be replayed are not shown', () => {
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

describe('an account of Google', () => {
  const google = { ...adfs, isFirst: false, provider: 'google' };
  const ofGoogle = {
    iss: 'https://accounts.google.com',
    tid: undefined,
    email: 'bob@contoso.example',
    email_verified: true,
  };

  test('that no Google Workspace manages is refused, although anyone can give theirs an address of the domain', () => {
    // Also for a first configuration, which has the rules of AD FS.
    for (const configuration of [google, adfs]) {
      assert.deepEqual(failedChecks(configuration, ofGoogle), ['hosted_domain']);
      assert.deepEqual(failedChecks(configuration, { ...ofGoogle, hd: 'evil.example' }), ['hosted_domain']);
      assert.deepEqual(failedChecks(configuration, { ...ofGoogle, hd: 'Contoso.example' }), []);
    }
    assert.deepEqual(failedChecks(google, { ...ofGoogle, iss: 'accounts.google.com' }), ['hosted_domain']);
  });
});
