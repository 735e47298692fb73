import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOn } from '../../tests/support/server/commands.ts';
import { startTestServer, describeOnUsualEngine } from '../../tests/support/server/test-server.ts';
import { StartError } from './base/errors.ts';
import { createSecretBox } from './base/credentials/secret-box.ts';
import { updateSealedPassword } from './data-sources/store.ts';
import { passwordPurpose } from './data-sources/passwords.ts';
import { requireCorrectKey } from './root-keys.ts';
import { findFirstConfiguration, updateClientSecret } from './sso/configuration/store.ts';
import { secretPurpose } from './sso/configuration/client-secrets.ts';

const [oldKey, newKey] = [
  'the old root key of this server and more',
  'the new root key of this server and more',
];

describeOnUsualEngine('stored secrets', (engine) => {
  test('prevent the start if no key decrypts any, and are rotated and discarded one by one', async (context) => {
    const { database, ...server } = await startTestServer(context, engine);
    const owner = await server.createPerson();
    const organizationId = await server.createOrganization(owner);
    const call = (path: string, body: object) => server.call(`POST /api/${path}`, { as: owner, body });
    await call(`sso/orgs/${organizationId}/config`, {
      provider: 'idp_ad',
      clientId: 'client',
      emailDomains: ['example.com'],
      enabled: false,
    });
    const connection = {
      host: 'db.example.com',
      port: 5432,
      database: 'shop',
      user: 'reader',
      tls: 'verify',
    };
    const source = await call(`organizations/${organizationId}/data-sources`, {
      name: 'Shop',
      kind: 'postgresql',
      connection,
    });
    const store = (clientSecretKey: string, passwordKey: string) =>
      database.write(async (transaction) => {
        const secret = createSecretBox([clientSecretKey]).seal(organizationId, secretPurpose, 's');
        const configuration = await findFirstConfiguration(transaction, organizationId);
        await updateClientSecret(transaction, configuration?.id ?? assert.fail(), secret);
        const password = createSecretBox([passwordKey]).seal(organizationId, passwordPurpose, 'p');
        await updateSealedPassword(transaction, source.body.id, password);
      });
    const check = (...keys: [string, ...string[]]) => requireCorrectKey(database, createSecretBox(keys));
    const run = async (name: string, ...keys: [string, ...string[]]) =>
      (await runOn({ database, secretBox: createSecretBox(keys) }, ['secrets', name])).output;

    assert.deepEqual(await check(newKey), { unreadableCount: 0 });
    await store(oldKey, oldKey);
    await assert.rejects(check(newKey), StartError);
    assert.deepEqual(await check(newKey, oldKey), { unreadableCount: 0 });
    // Rotated in part, as if a rotation was interrupted and the old key was removed too early.
    await store(newKey, oldKey);
    assert.deepEqual(await check(newKey), { unreadableCount: 1 });
    assert.equal(await run('rotate', newKey, oldKey), 'secrets re-encrypted: 1');
    assert.deepEqual(await check(newKey), { unreadableCount: 0 });

    await store(newKey, oldKey);
    const discarded =
      'client secrets deleted: 0\ncertificates of single sign-on deleted: 0\npasswords of data sources deleted: 1\n' +
      'secrets of webhooks deleted: 0\nauthenticator apps deleted: 0';
    assert.equal(await run('discard', newKey), discarded);
    assert.deepEqual(await check(newKey), { unreadableCount: 0 });
    await assert.rejects(check(oldKey), StartError);
  });
});
