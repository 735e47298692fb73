import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setSsoRequirement } from '../../../src/server/organizations/organizations.ts';
import { bearer, createToken } from '../../support/credentials/tokens.ts';
import { createProvisioned, entraUser, schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import type { Person } from '../../support/server/test-server.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('activating and deactivating people by SCIM', (world) => {
  const start = () => createProvisioned(world);

  test('ends sessions and tokens of a deactivated person at once, and blocks every way in', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const subject = organization.addPerson('Leaver');
    const { id } = await scim.createUser('Leaver');
    const person = await organization.enter(subject);
    await organization.setRole(person, 'editor');
    const token = await createToken(server, person, { organizationId: organization.id });
    const list = () => server.call(`GET /api/organizations/${organization.id}/members`, { as: person });
    assert.equal((await list()).status, 200);
    assert.equal((await server.call('GET /api/organizations', bearer(token))).status, 200);
    await scim.setActive(id, false);
    assert.equal((await list()).status, 401);
    assert.equal((await server.call('GET /api/organizations', bearer(token))).status, 401);
    assert.equal((await scim.call(`GET /Users/${id}`)).body.active, false);
    assert.equal(
      (await organization.members()).some(({ userId }) => userId === id),
      false,
    );
    const measured = {
      at: new Date(server.clock()).toISOString(),
      message: `Ended 1 session of leaver@${organization.domain} within 0 s of the SCIM request.`,
      seconds: 0,
    };
    assert.deepEqual((await organization.status()).lastLogout, measured);
    const refusal = await organization.refusal(subject);
    assert.deepEqual([refusal.status, refusal.code], [403, 'sign_in_refused']);
    assert.equal((await organization.refusals()).at(-1)?.['code'], 'deactivated');
    const { body } = await scim.call(`GET /Users?filter=${encodeURIComponent('active eq false')}`);
    assert.deepEqual(
      body.Resources.map((user: { id: string }) => user.id),
      [id],
    );

    await scim.setActive(id, true);
    const again = await organization.enter(subject);
    assert.equal(again.id, id);
    assert.equal(await organization.roleOf(again), 'editor');
    assert.equal((await server.call('GET /api/organizations', bearer(token))).status, 401, 'not revived');
    assert.deepEqual(
      [
        (await organization.audit('member.suspended')).length,
        (await organization.audit('member.restored')).length,
      ],
      [1, 1],
    );
    server.advance(1_000);
    assert.equal((await scim.call(`DELETE /Users/${id}`)).status, 204);
    const at = new Date(server.clock()).toISOString();
    assert.deepEqual((await organization.status()).lastLogout, { ...measured, at });
  });

  test('ends the sessions of a deactivated person that began with a password, and refuses the password', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const statusOf = async (as: Person) => (await server.call('GET /api/auth/get-session', { as })).status;
    const ada = await organization.addAccount('Ada', 'editor');
    const bob = await organization.addAccount('Bob', 'editor');
    const carl = await organization.addAccount('Carl', 'editor');
    const elsewhere = await server.createOrganization(await server.createPerson('Other'));
    await server.addMember(elsewhere, bob, 'viewer');
    await scim.setActive(ada.id, false);
    const { lastLogout } = await organization.status();
    assert.equal(lastLogout?.message, `Ended 1 session of ${ada.email} within 0 s of the SCIM request.`);
    await scim.setActive(bob.id, false);
    assert.equal((await scim.call(`DELETE /Users/${carl.id}`)).status, 204);
    assert.deepEqual(
      [await statusOf(ada), await statusOf(bob), await statusOf(carl)],
      [401, 200, 401],
      'the session of Bob is for another organization, too',
    );
    assert.equal((await server.call(`GET /api/organizations/${organization.id}`, { as: bob })).status, 404);
    const statuses = async () => [
      (await world.signInByPassword(ada)).status,
      (await world.signInByPassword(bob)).status,
    ];
    assert.deepEqual(await statuses(), [200, 200], 'the passwords are their own');
    const require = (id: string, isRequired: boolean) =>
      server.database.write((transaction) => setSsoRequirement(transaction, id, isRequired));
    await require(organization.id, true);
    assert.deepEqual(await statuses(), [403, 200]);
    assert.equal((await world.signInByPassword(ada)).body.code, 'sso_required');
    await require(elsewhere, true);
    assert.deepEqual(await statuses(), [403, 200], 'the other organization has not verified the domain');
  });

  test('neither refuses the password nor restores the membership of people whose address is outside of the verified domains', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const subject = organization.addPerson('Ada');
    const ada = await organization.addAccount('Ada', 'editor');
    await organization.enterAndLink(subject);
    await server.database.write((transaction) =>
      transaction.execute(`update users set email = 'ada@home${organization.domain}' where id = '${ada.id}'`),
    );
    const home = { ...ada, email: `ada@home${organization.domain}` };
    await server.database.write((transaction) => setSsoRequirement(transaction, organization.id, true));
    const signIn = async () => (await world.signInByPassword(home)).status;
    assert.equal(await signIn(), 200);
    await scim.createUser('Ada', { externalId: subject });
    await scim.setActive(ada.id, false);
    assert.equal(await signIn(), 200);
    assert.equal((await scim.call(`DELETE /Users/${ada.id}`)).status, 204);
    const again = await scim.call('POST /Users', {
      ...entraUser(`ada@${organization.domain}`, 'Ada'),
      externalId: subject,
    });
    assert.deepEqual([again.status, again.body.scimType], [409, 'uniqueness']);
    assert.equal(await signIn(), 200);
  });

  test('applies the maximum number of sessions to a person who is activated', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const ada = await organization.addAccount('Ada', 'editor');
    const path = `/api/organizations/${organization.id}/session-policy`;
    const put = await server.call(`PUT ${path}`, { as: organization.owner, body: { maxSessions: 1 } });
    assert.equal(put.status, 200, put.text);
    await scim.setActive(ada.id, false);
    const [first, second] = [
      await toPerson(server, await world.signInByPassword(ada)),
      await toPerson(server, await world.signInByPassword(ada)),
    ];
    await scim.setActive(ada.id, true);
    const statusOf = async (as: Person) =>
      (await server.call(`GET /api/organizations/${organization.id}`, { as })).status;
    assert.deepEqual([await statusOf(first), await statusOf(second)], [403, 200]);
  });

  test('leaves the last owner a member, whose sessions and tokens end', async () => {
    const organization = await world.createOrganization();
    const ada = await organization.addAccount('Ada', 'owner');
    const scim = await startProvisioning(world.server, organization, ada);
    const leave = `DELETE /api/organizations/${organization.id}/members/${organization.owner.id}`;
    assert.equal((await world.server.call(leave, { as: organization.owner })).status, 204);
    await scim.setActive(ada.id, false);
    const response = await world.server.call(`GET /api/organizations/${organization.id}/members`, {
      as: ada,
    });
    assert.equal(response.status, 401);
    assert.equal((await scim.call(`DELETE /Users/${ada.id}`)).status, 403);
    const again = await world.signInByPassword(ada);
    assert.equal(again.status, 200, 'the password is the way back in');
    const carl = await organization.addAccount('Carl', 'admin');
    const byCarl = await startProvisioning(world.server, organization, carl);
    const operation = { op: 'Replace', path: 'active', value: 'False' };
    assert.equal(
      (await byCarl.patch(`/Users/${ada.id}`, operation)).status,
      403,
      'only an owner’s credential',
    );
    const elsewhere = await world.server.createOrganization(await world.server.createPerson('Other'));
    await world.server.addMember(elsewhere, ada, 'viewer');
    const sessions = [
      await toPerson(world.server, again),
      await world.server.createSsoSession(ada, elsewhere),
    ];
    await scim.setActive(ada.id, false);
    const statuses = sessions.map(
      async (as) => (await world.server.call('GET /api/auth/get-session', { as })).status,
    );
    assert.deepEqual(await Promise.all(statuses), [200, 200], 'sessions that open another organization stay');

    const bob = await organization.addAccount('Bob', 'owner');
    const byBob = await startProvisioning(world.server, organization, bob);
    await byBob.setActive(ada.id, false);
    const members = await world.server.call(`GET /api/organizations/${organization.id}/members`, { as: bob });
    const ids = members.body.items.map(({ userId }: { userId: string }) => userId);
    assert.ok(ids.includes(bob.id) && !ids.includes(ada.id), 'the next request suspends a former last owner');
  });

  test('activates nobody without a value, and records who provisioned what', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization, organization.owner);
    const email = `ada@${organization.domain}`;
    const { id } = (await scim.call('POST /Users', entraUser(email, 'Ada'))).body;
    await scim.setActive(id, false);
    for (const op of [
      { op: 'remove', path: 'active' },
      { op: 'replace', path: 'active', value: null },
    ]) {
      await scim.patch(`/Users/${id}`, op);
      assert.equal((await scim.call(`GET /Users/${id}`)).body.active, false, JSON.stringify(op));
    }
    const group = await scim.call('POST /Groups', {
      schemas: [schemas.group],
      displayName: 'Sales',
      members: [{ value: id }],
    });
    assert.equal(group.status, 201, group.text);
    await scim.call(`DELETE /Groups/${group.body.id}`);
    const people = await organization.audit('provisioning.person_saved');
    assert.deepEqual(
      people.map(({ details }) => [details['email'], (details['after'] as { active: boolean }).active]),
      [
        [email, true],
        [email, false],
      ],
    );
    const [saved] = await organization.audit('provisioning.group_saved');
    assert.deepEqual([saved?.details['name'], saved?.details['added']], ['Sales', [id]]);
    assert.equal((await organization.audit('provisioning.group_deleted')).length, 1);
    assert.ok(saved?.actorId, 'the service account is recorded');
  });
});
