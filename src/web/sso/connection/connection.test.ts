import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SsoConfiguration } from '#contract/sso/configuration.ts';
import {
  bodyOf,
  connectionOf,
  discoveryAddress,
  secretWarning,
  tenantFault,
  isMoved,
  typedDomain,
} from './connection.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const entra: SsoConfiguration = {
  id: 'i',
  organizationId: 'o',
  provider: 'idp_ad',
  clientId: 'client',
  tenantId,
  discoveryUrl: `https://login.microsoftonline.com/${tenantId}/v2.0/.well-known/openid-configuration`,
  emailDomains: ['contoso.com'],
  enabled: true,
  hasSecret: true,
  createdAt: '',
  updatedAt: '',
};
const adfs: SsoConfiguration = (({ tenantId: _, ...rest }) => ({
  ...rest,
  discoveryUrl: 'https://adfs.contoso.com/adfs/.well-known/openid-configuration',
}))(entra);
const own = { ...entra, discoveryUrl: 'https://proxy.contoso.com/.well-known/openid-configuration' };

test('a configuration is saved unchanged, without the URL that the server derives', () => {
  const rest = { provider: 'idp_ad', clientId: 'client', emailDomains: ['contoso.com'] };
  assert.deepEqual(bodyOf(entra), { ...rest, tenantId, enabled: true });
  assert.deepEqual(bodyOf(adfs, { enabled: false }), {
    ...rest,
    discoveryUrl: adfs.discoveryUrl,
    enabled: false,
  });
  assert.deepEqual(bodyOf(own), { ...rest, tenantId, discoveryUrl: own.discoveryUrl, enabled: true });
  for (const stored of [entra, adfs, own]) assert.equal(isMoved(stored, connectionOf(stored)), false);
});

test('the kind of directory is recognized from the stored configuration', () => {
  assert.deepEqual(
    [undefined, entra, adfs, own].map((stored) => connectionOf(stored).kind),
    ['entra', 'entra', 'adfs', 'entra'],
  );
});

test('white space is not a change of where people sign in', () => {
  const connection = connectionOf(entra);
  assert.equal(isMoved(entra, { ...connection, clientId: ' client ', tenantId: ` ${tenantId}\n` }), false);
  for (const change of [
    { clientId: 'other' },
    { tenantId: '' },
    { discoveryUrl: own.discoveryUrl },
    { kind: 'adfs', discoveryUrl: adfs.discoveryUrl },
  ] as const)
    assert.equal(isMoved(entra, { ...connection, ...change }), true, JSON.stringify(change));
  assert.equal(isMoved(own, { ...connectionOf(own), discoveryUrl: '' }), true);
});

test('the host of an AD FS is enough to build its discovery URL', () => {
  const whole = 'https://adfs.contoso.com/adfs/.well-known/openid-configuration';
  for (const typed of ['adfs.contoso.com', ' https://adfs.contoso.com/ ', 'adfs.contoso.com/adfs/', whole])
    assert.equal(discoveryAddress(typed), whole);
  assert.equal(discoveryAddress(' '), '');
});

test('values that were probably copied from the wrong place get a warning', () => {
  assert.equal(tenantFault(` ${tenantId} `), undefined);
  assert.match(tenantFault('contoso.onmicrosoft.com') ?? '', /^The tenant ID must be a GUID/);
  assert.match(secretWarning('entra', tenantId) ?? '', /^This looks like the Secret ID/);
  assert.equal(secretWarning('adfs', tenantId), undefined);
  assert.equal(secretWarning('entra', 'abc8Q~secret'), undefined);
});

test('a domain is extracted from pasted addresses and URLs', () => {
  assert.deepEqual(
    ['Contoso.com ', 'ada@contoso.com', 'https://contoso.com/x'].map(typedDomain),
    Array.from({ length: 3 }, () => 'contoso.com'),
  );
});
