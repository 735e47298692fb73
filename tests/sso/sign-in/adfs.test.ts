import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import { cookieOf, pathOf, toPerson } from '../../support/sso/responses.ts';

describeSignIns('connecting AD FS', (world) => {
  test('signs in people from a tile, with a discovery URL and only the claims sub and upn', async () => {
    const { server, adfs } = world;
    const organization = await world.createOrganization({ directory: adfs });
    const { id, domain } = organization;
    const { body: stored } = await organization.call('GET /config');
    assert.deepEqual(
      [stored.discoveryUrl, Object.hasOwn(stored, 'tenantId')],
      [`http://${adfs.host}/adfs/.well-known/openid-configuration`, false],
    );
    assert.equal((await organization.status()).state, 'ready');

    const carol = organization.addPerson('Carol');
    const tested = await organization.test(carol);
    assert.deepEqual(
      tested.checks.map(({ code, passed }: { code: string; passed: boolean }) => [code, passed]),
      [
        ['discovery', true],
        ['token', true],
        ['identity', true],
        ['email', true],
        ['domain', true],
      ],
    );
    assert.deepEqual(tested.identity, { issuer: adfs.issuer, subject: carol });

    const tile = await server.call(`GET /api/sso/start/${id}`);
    assert.deepEqual([tile.status, tile.text], [302, '']);
    assert.ok(String(tile.headers.location).startsWith(`${adfs.issuer}/auth?`));
    const done = await organization.complete(
      { url: String(tile.headers.location), cookie: cookieOf(tile) },
      carol,
    );
    assert.equal(done.headers.location, '/');
    const person = await toPerson(server, done);
    assert.equal(person.email, `carol@${domain}`);
    const { body: who } = await server.call('GET /api/auth/get-session', { as: person });
    assert.equal(who.user.name, `carol@${domain}`);
    assert.equal((await organization.enter(carol)).id, person.id);

    const asked = await server.call('POST /api/sso/sign-in', { body: { email: `carol@${domain}` } });
    const start = await server.call(`GET ${pathOf(asked.body.url)}`);
    assert.equal(start.status, 302);
  });

  test('links a password account by the address that AD FS sends', async () => {
    const organization = await world.createOrganization({ directory: world.adfs });
    const account = await organization.addAccount('Ada', 'editor');
    assert.equal((await organization.enterAndLink(organization.addPerson('Ada'))).id, account.id);
  });
});
