import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { cookieOf, pathOf, toPerson } from '../../support/sso/responses.ts';

describeSignIns('a configuration that is deleted and created again', (world) => {
  const remove = async ({ call }: SsoOrganization) =>
    assert.equal((await call('DELETE /config')).status, 204);
  const verify = ({ id: organizationId, domain }: SsoOrganization) =>
    verifyDomainAsOperator(world.server.database, Date.now, { organizationId, domain });

  test('recognizes its people, at the registered redirect URI', async () => {
    const organization = await world.createOrganization();
    const bob = organization.addPerson('Bob');
    const before = await organization.enter(bob);
    const { redirectUri } = await organization.status();
    await remove(organization);
    await organization.save();
    assert.equal((await organization.status()).redirectUri, redirectUri);
    await verify(organization);
    assert.equal((await organization.enter(bob)).id, before.id);
  });

  test('does not recognize people of another issuer, whatever the subject is', async () => {
    const { server, adfs } = world;
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const before = await organization.enter(subject);
    const { redirectUri } = await organization.status();
    await remove(organization);
    const { clientId, clientSecret, discoveryUrl } = adfs;
    await organization.save({ clientId, clientSecret, discoveryUrl, tenantId: undefined });
    await verify(organization);
    adfs.allowRedirect(redirectUri);
    adfs.addPerson({ subject, claims: { upn: before.email } });
    const started = await server.call(`GET /api/sso/start/${organization.id}`);
    const headers = { cookie: cookieOf(started) };
    const callback = pathOf(await adfs.signIn(String(started.headers.location), subject));
    const other = await toPerson(server, await server.call(`GET ${callback}`, { headers }));
    assert.equal(other.email, before.email);
    assert.notEqual(other.id, before.id);
  });

  test('by an admin needs the approval of an owner before owners can sign in', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    await organization.addAccount('Ada', 'owner');
    const ada = organization.addPerson('Ada');
    await organization.enterAndLink(ada);
    const admin = await server.createMember(organization.id, 'admin');
    const { clientId, clientSecret, tenantId } = organization.directory;
    const body = {
      provider: 'idp_ad',
      clientId,
      clientSecret,
      tenantId,
      emailDomains: [organization.domain],
      enabled: true,
    };
    assert.equal((await organization.call('DELETE /config', { as: admin })).status, 204);
    assert.equal((await organization.call('POST /config', { as: admin, body })).status, 200);
    await verify(organization);
    assert.equal((await organization.refusal(ada)).code, 'sign_in_refused');
    const codes = (await organization.status()).reasons.map(({ code }) => code);
    assert.ok(codes.includes('owner_not_approved'), codes.join());
    await organization.save();
    await organization.enter(ada);
  });
});
