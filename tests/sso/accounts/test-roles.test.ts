import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { toPerson } from '../../support/sso/responses.ts';

describeSignIns('a test sign-in shows the same role as a sign-in', (world) => {
  const runTest = async (organization: SsoOrganization, subject: string) => {
    const { role, failed } = await organization.test(subject);
    return { role, failed };
  };

  /** An admin points the configuration elsewhere and back, so that no owner has approved it. */
  async function saveAsAdmin(organization: SsoOrganization): Promise<void> {
    const admin = await world.server.createMember(organization.id, 'admin');
    const { body: stored } = await organization.call('GET /config');
    const { provider, clientId, tenantId, emailDomains, enabled } = stored;
    const clientSecret = organization.directory.clientSecret;
    for (const client of ['another', clientId]) {
      const body = { provider, clientId: client, clientSecret, tenantId, emailDomains, enabled };
      assert.equal((await organization.call('POST /config', { as: admin, body })).status, 200);
    }
  }

  test('of a person mapped to owner, although no owner approved the provider', async () => {
    const organization = await world.createOrganization();
    const roleMappings = [{ claim: 'roles', value: 'Owner', role: 'owner' }];
    assert.equal((await organization.putPolicy({ roleMappings })).status, 200);
    const subject = organization.addPerson('Bob', { roles: ['Owner'] });
    assert.deepEqual(await runTest(organization, subject), { role: 'owner', failed: [] });
    await saveAsAdmin(organization);
    assert.deepEqual(await runTest(organization, subject), { role: 'admin', failed: [] });
    const bob = await toPerson(world.server, await organization.signIn(subject));
    assert.equal(await organization.roleOf(bob), 'admin');
  });

  test('of the last owner, whom mappings do not demote', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Ada');
    const ada = await organization.addAccount('Ada', 'owner');
    const roleMappings = [{ claim: 'roles', value: 'Owner', role: 'owner' }];
    assert.equal((await organization.putPolicy({ roleMappings })).status, 200);
    assert.deepEqual(await runTest(organization, subject), { role: 'viewer', failed: [] });
    await organization.setRole(organization.owner, 'admin', ada);
    assert.deepEqual(await runTest(organization, subject), { role: 'owner', failed: [] });
    assert.equal(await organization.roleOf(await organization.enterAndLink(subject)), 'owner');
  });

  test('of a known owner, who is refused while no owner has approved the provider', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Ada');
    await organization.setRole(await organization.enter(subject), 'owner');
    await saveAsAdmin(organization);
    assert.deepEqual((await runTest(organization, subject)).failed, ['owner_not_approved']);
    assert.equal((await organization.signIn(subject)).status, 403);
    assert.equal((await organization.refusals())[0]?.['code'], 'owner_not_approved');
  });
});
