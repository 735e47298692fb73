import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('people whose domain is no longer verified', (world) => {
  const open = async (name: string) => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    const { id } = await scim.createUser(name);
    const person = await organization.enter(organization.addPerson(name));
    assert.equal(person.id, id);
    const isSignedIn = async () =>
      (await world.server.call('GET /api/auth/get-session', { as: person })).status === 200;
    const release = async () => {
      await organization.save({ emailDomains: [`other.${organization.domain}`] });
      assert.equal(await isSignedIn(), true);
    };
    return { organization, scim, person, path: `/Users/${id}`, isSignedIn, release };
  };

  test('can still be deactivated, which ends their sessions, but not activated or renamed', async () => {
    const { organization, scim, person, path, isSignedIn, release } = await open('Leaver');
    await release();
    const rename = { op: 'replace', path: 'displayName', value: 'Renamed' };
    assert.equal((await scim.patch(path, rename)).status, 400);
    await scim.setActive(person.id, false);
    assert.equal(await isSignedIn(), false);
    assert.equal(await organization.roleOf(person), undefined);
    const back = await scim.patch(path, { op: 'replace', path: 'active', value: true });
    assert.deepEqual([back.status, back.body.scimType], [400, 'invalidValue']);
  });

  test('are deactivated if the last owner of the organization is deleted', async () => {
    const { organization, person, path, isSignedIn, release } = await open('Boss');
    await organization.setRole(person, 'owner');
    const scim = await startProvisioning(world.server, organization, person);
    await release();
    await organization.setRole(organization.owner, 'admin');
    assert.equal((await scim.call(`DELETE ${path}`)).status, 403);
    assert.equal(await isSignedIn(), false);
    assert.equal((await scim.call(`GET ${path}`)).body.active, false);
  });
});
