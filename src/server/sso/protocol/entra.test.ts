import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEntraUrl, isSharedTenant, isTenantGuid } from './entra.ts';

const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';

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

test('a tenant where people from any organization can sign in is recognized', () => {
  const shared = ['common', 'organizations', 'Consumers', '9188040D-6C67-4C5B-B112-36A304B66DAD'];
  assert.deepEqual(
    shared.filter((tenant) => !isSharedTenant(tenant)),
    [],
  );
  assert.deepEqual([tenantId, 'contoso.onmicrosoft.com', ''].filter(isSharedTenant), []);
});

test('a URL of Entra is recognized by its host or its form', () => {
  const suffix = '.well-known/openid-configuration';
  const entra = [
    `https://login.microsoftonline.com/${tenantId}/v2.0/${suffix}`,
    `https://LOGIN.microsoftonline.com./${tenantId}/${suffix}`,
    `https://login.microsoftonline.com/common/v2.0/${suffix}`,
    `https://login.microsoftonline.us/${tenantId}/v2.0/${suffix}`,
    `https://login.partner.microsoftonline.cn/${tenantId}/${suffix}`,
    `https://login.chinacloudapi.cn/${tenantId}/${suffix}`,
    `https://login.microsoftonline.de/${tenantId}/${suffix}`,
    `https://login.windows.net/contoso.onmicrosoft.com/${suffix}`,
    `https://sts.windows.net/${tenantId}/${suffix}`,
    `https://login.microsoft.com/consumers/v2.0/${suffix}`,
    `https://login.live.com/${suffix}`,
    `https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_sign_in/v2.0/${suffix}`,
    `https://contoso.ciamlogin.com/${tenantId}/v2.0/${suffix}`,
    // A custom domain, or the authority of the settings.
    `https://login.contoso.example/${tenantId}/v2.0/${suffix}`,
    `http://127.0.0.1:8400/organizations/v2.0/${suffix}`,
  ];
  const others = [
    `https://adfs.contoso.example/adfs/${suffix}`,
    `https://login.contoso.example/realms/contoso/${suffix}`,
    `https://accounts.google.com/${suffix}`,
    `https://microsoftonline.com.evil.example/${suffix}`,
    `https://notmicrosoftonline.com/${suffix}`,
    `https://login.contoso.example/v2.0/${suffix}`,
    'not a URL',
  ];
  assert.deepEqual(
    entra.filter((url) => !isEntraUrl(url)),
    [],
  );
  assert.deepEqual(others.filter(isEntraUrl), []);
});
