import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readSettings } from '../../settings/settings.ts';
import { SignInRefusal } from '../protocol/sign-in-refusal.ts';
import { createWorkloadIdentity } from './workload-identity.ts';

const now = Date.UTC(2026, 10, 21, 9);
const directory = mkdtempSync(join(tmpdir(), 'atrium-workload-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = [
  encode({ alg: 'RS256' }),
  encode({ iss: 'i', sub: 's', aud: 'api://AzureADTokenExchange', exp: now / 1_000 + 60 }),
  'signature',
].join('.');
const tokenFile = join(directory, 'token');
writeFileSync(tokenFile, token);

const organizationId = '01a21a2b-6c17-7000-9797-5d7dc933fab8';
const other = '01a21a2b-6c17-7000-9797-5d7dc933fab9';
const tenantId = '3d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f';
const authority = 'https://login.microsoftonline.com';
const discoveryUrl = `${authority}/${tenantId}/v2.0/.well-known/openid-configuration`;
const tokenEndpoint = `${authority}/${tenantId}/oauth2/v2.0/token`;
const own = { organizationId, tenantId, discoveryUrl };

const identity = createWorkloadIdentity(
  readSettings({
    ATRIUM_WORKLOAD_TOKEN_FILE: tokenFile,
    ATRIUM_WORKLOAD_ORGANIZATIONS: `${organizationId}, ${organizationId}`,
  }),
  () => now,
);

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => assert.fail('the token was returned'),
    (reason: unknown) => reason,
  );
  return error instanceof SignInRefusal ? error.code : String(error);
}

describe('the workload identity', () => {
  test('reads the file once for a list of directories, and still only for those that may use it', async () => {
    const read = identity.readOnce();
    assert.equal((await read(own)).text, token);
    writeFileSync(tokenFile, 'something else');
    assert.equal((await read(own)).text, token);
    assert.equal(await codeOf(read({ ...own, organizationId: other })), 'workload_identity_not_offered');
    assert.equal(
      await codeOf(read({ ...own, discoveryUrl: 'https://evil.example' })),
      'workload_identity_not_entra',
    );
    assert.equal(await codeOf(identity.readOnce()(own)), 'workload_token_unusable');
    writeFileSync(tokenFile, token);
  });

  test('is for the token endpoint of the tenant at the authority of Entra', async () => {
    assert.equal(await identity.assertionFor(own, tokenEndpoint), token);
    const inCapitals = tenantId.toUpperCase();
    const typed = {
      ...own,
      tenantId: inCapitals,
      discoveryUrl: discoveryUrl.replace(tenantId, inCapitals),
    };
    assert.equal(await identity.assertionFor(typed, tokenEndpoint), token);
  });

  test('is for no other endpoint', async () => {
    for (const endpoint of [
      undefined,
      '',
      'not a URL',
      `https://login.microsoftonline.com.evil.example/${tenantId}/oauth2/v2.0/token`,
      `https://login.microsoftonline.com@evil.example/${tenantId}/oauth2/v2.0/token`,
      `https://login.microsoftonline.com:8443/${tenantId}/oauth2/v2.0/token`,
      `http://login.microsoftonline.com/${tenantId}/oauth2/v2.0/token`,
      `https://evil.example/${tenantId}/oauth2/v2.0/token`,
      `https://login.microsoftonline.us/${tenantId}/oauth2/v2.0/token`,
      'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      `https://login.microsoftonline.com/${organizationId}/oauth2/v2.0/token`,
      `https://login.microsoftonline.com/${tenantId}/../common/oauth2/v2.0/token`,
      `https://login.microsoftonline.com/${tenantId}/%2e%2e/common/oauth2/v2.0/token`,
      `https://login.microsoftonline.com/${tenantId}.evil/token`,
    ])
      assert.equal(
        await codeOf(identity.assertionFor(own, endpoint)),
        'workload_identity_not_entra',
        endpoint ?? 'none',
      );
  });

  test('is for no directory whose address an organization has chosen', async () => {
    for (const changes of [
      { tenantId: undefined },
      { tenantId: 'contoso.onmicrosoft.com' },
      { tenantId: 'organizations', discoveryUrl: discoveryUrl.replace(tenantId, 'organizations') },
      { discoveryUrl: `https://evil.example/${tenantId}/v2.0/.well-known/openid-configuration` },
      { discoveryUrl: discoveryUrl.replace('.com', '.us') },
      { discoveryUrl: `${discoveryUrl}?p=b2c` },
      { discoveryUrl: '' },
    ])
      assert.equal(
        await codeOf(identity.assertionFor({ ...own, ...changes }, tokenEndpoint)),
        'workload_identity_not_entra',
        JSON.stringify(changes),
      );
  });

  test('is for the organizations that the operator has named', async () => {
    assert.deepEqual([organizationId, other].map(identity.isOffered), [true, false]);
    const foreign = { ...own, organizationId: other };
    for (const promise of [identity.read(foreign), identity.assertionFor(foreign, tokenEndpoint)])
      assert.equal(await codeOf(promise), 'workload_identity_not_offered');
    const without = createWorkloadIdentity(readSettings({}), () => now);
    assert.equal(without.isOffered(organizationId), false);
    assert.equal(await codeOf(without.read(own)), 'workload_identity_not_offered');
  });
});
