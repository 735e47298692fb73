import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';

/** Operations that create something and can be repeated without a key, and why. */
const repeatable: Readonly<Record<string, string>> = {
  createInvitation:
    'an invitation to the same address replaces the one before, and its link is stored nowhere',
  signUpByInvitation: 'the link works once',
  setUp: 'the link works once',
  createSampleSource: 'the second one is refused with sample_exists',
  createDisplayLink: 'its token is stored nowhere, and unused links are listed and can be revoked',
  createToken: 'its text is stored nowhere, and unused tokens are listed and can be revoked',
  createServiceAccountToken: 'like createToken',
  createClientCredential: 'like createToken',
  createImage: 'the same file is the same image',
  createUpload: 'it creates no table, and expires after a day',
  createSsoConnectionTest: 'a test lasts minutes, and changes nothing',
  createSsoCertificate: 'it replaces one that was not used yet',
  createSsoTest: 'a test lasts minutes, and changes nothing',
  createRecoveryCodes: 'new codes replace those before, which are stored nowhere',
};

test('each operation that creates something accepts an idempotency key, unless repeating it creates no duplicate', () => {
  const creates = routes.filter(({ status }) => status === 201);
  const withKey = creates.filter(({ headers }) => headers?.properties['idempotency-key'] !== undefined);
  assert.deepEqual(
    creates
      .filter((route) => !withKey.includes(route))
      .map(({ id }) => id)
      .toSorted(),
    Object.keys(repeatable).toSorted(),
  );
  for (const { problems } of withKey) {
    assert.ok(problems?.includes('idempotency_key_in_use') && problems.includes('idempotency_key_reused'));
  }
});
