import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox } from '../../../src/server/base/credentials/secret-box.ts';
import { updateClientSecret } from '../../../src/server/sso/configuration/store.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { cookieOf } from '../../support/sso/responses.ts';
import { problemOf } from '../../support/server/test-server.ts';

const goneKey = createSecretBox(['a root key that the server does not have any more']);

const setNonces = prepare((sql, p: { organizationId: string; nonce: string }) =>
  sql.updateTable('sso_attempts').set({ nonce: p.nonce }).where('organization_id', '=', p.organizationId),
);

describeSignIns('a stored secret whose root key is unknown', (world) => {
  /** As after a start with another ATRIUM_SECRET_KEY, or with a row that was copied from another server. */
  async function loseKey({ id, configurationId }: SsoOrganization): Promise<void> {
    const sealed = goneKey.seal(id, 'sso-client-secret', 'secret-of-the-directory-canary');
    await world.server.database.write((transaction) =>
      updateClientSecret(transaction, configurationId, sealed),
    );
  }

  test('refuses the start with a remedy, which the status shows as well', async () => {
    const organization = await world.createOrganization();
    await loseKey(organization);
    const start = await world.server.call(`GET /api/sso/start/${organization.id}`);
    assert.deepEqual(problemOf(start), { status: 403, code: 'sign_in_refused' });
    assert.match(start.body.detail, /cannot be read.* Enter the client secret again\./);
    const { state, reasons } = await organization.status();
    assert.deepEqual([state, reasons.map(({ code }) => code)], ['blocked', ['secret_unreadable']]);
    assert.equal((await organization.refusals())[0]?.['code'], 'secret_unreadable');
    await organization.save();
    assert.equal((await organization.signIn(organization.addPerson('Bob'))).status, 302);
    assert.equal((await organization.status()).state, 'ready');
  });

  test('refuses the callback', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const started = await organization.start();
    await loseKey(organization);
    const response = await organization.complete(started, subject);
    assert.deepEqual(problemOf(response), { status: 403, code: 'sign_in_refused' });
  });

  test('ends a sign-in in progress that was sealed with it', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const started = await organization.start();
    const organizationId = organization.id;
    const nonce = goneKey.seal(organizationId, 'sso-attempt-nonce', 'x');
    await server.database.write((transaction) => transaction.run(setNonces, { organizationId, nonce }));
    const response = await organization.complete(started, subject);
    assert.deepEqual(problemOf(response), { status: 400, code: 'sign_in_expired' });
  });

  test('fails a test sign-in with the reason', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const started = await organization.call('POST /config/test');
    await loseKey(organization);
    await organization.complete({ url: started.body.url, cookie: cookieOf(started) }, subject);
    const { body } = await organization.call(`GET /config/test/${started.body.id}`);
    assert.deepEqual(
      body.checks.map(({ code, passed }: { code: string; passed: boolean }) => [code, passed]),
      [['secret_unreadable', false]],
    );
    const next = await organization.call('POST /config/test');
    assert.deepEqual(problemOf(next), { status: 409, code: 'sso_not_ready' });
    assert.match(next.body.detail, /Enter the client secret again\./);
  });

  test('does not prevent signing out of the directory, which requires no secret', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const signOut = async () =>
      server.call('POST /api/auth/sign-out', {
        as: await server.createSsoSession(organization.owner, organization.id),
      });
    await loseKey(organization);
    const out = await signOut();
    assert.equal(out.status, 200);
    assert.match(out.body.logoutUrl, /\/session\/end\?/);
    // Sign-ins can use the discovery document that signing out has read.
    await organization.save();
    assert.equal((await signOut()).status, 200);
    assert.equal((await organization.signIn(organization.addPerson('Bob'))).status, 302);
  });
});
