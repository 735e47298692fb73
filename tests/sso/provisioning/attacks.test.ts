import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyDomainAsOperator } from '../../../src/server/sso/domains/proofs.ts';
import { accept, invite } from '../../support/organizations/calls.ts';
import { bearer } from '../../support/credentials/tokens.ts';
import { entraUser, schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import { pathOf, toPerson } from '../../support/sso/responses.ts';
import type { Person, TestResponse } from '../../support/server/test-server.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('attacks on provisioning', (world) => {
  test('a credential reaches no other organization: its people and groups do not exist', async () => {
    const [own, other] = [await world.createOrganization(), await world.createOrganization()];
    const [scim, victim] = [
      await startProvisioning(world.server, own),
      await startProvisioning(world.server, other),
    ];
    const { id } = await victim.createUser('Victim');
    const { id: mine } = await scim.createUser('Mine');
    const group = await victim.createGroup('Victims', [id]);
    const ownGroup = await scim.createGroup('Mine', [mine]);
    const body = { schemas: [schemas.patch], Operations: [{ op: 'replace', path: 'active', value: false }] };
    for (const path of [`/Users/${id}`, `/Groups/${group.id}`]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const response = await scim.call(
          `${method} ${path}`,
          method === 'GET' ? undefined : method === 'PUT' ? entraUser(`x@${own.domain}`, 'X') : body,
        );
        assert.equal(response.status, 404, `${method} ${path}`);
        const there = await world.server.call(`${method} /scim/v2/${other.id}${path}`, {
          ...bearer(scim),
          ...(method !== 'GET' && { body }),
        });
        assert.equal(there.status, 404);
      }
    }
    for (const line of ['GET /Users', 'GET /Groups', 'GET /ServiceProviderConfig']) {
      const [method, path] = line.split(' ');
      const there = await world.server.call(`${method} /scim/v2/${other.id}${path}`, bearer(scim));
      const nowhere = await world.server.call(`${method} /scim/v2/unknown${path}`, bearer(scim));
      assert.deepEqual([there.status, there.text], [404, nowhere.text]);
    }
    const added = await scim.patch(`/Groups/${ownGroup.id}`, {
      op: 'add',
      path: 'members',
      value: [{ value: id }],
    });
    assert.deepEqual([added.status, added.body.scimType], [400, 'invalidValue']);
    const email = `victim@${other.domain}`;
    for (const filter of [`userName eq "${email}"`, `emails.value eq "${email}"`, `id eq "${id}"`]) {
      const { body: found } = await scim.call(`GET /Users?filter=${encodeURIComponent(filter)}`);
      assert.equal(found.totalResults, 0, filter);
    }
    const taken = await scim.call('POST /Users', entraUser(email, 'Taken'));
    assert.deepEqual([taken.status, taken.body.scimType], [400, 'invalidValue']);
    assert.equal((await victim.call(`GET /Users/${id}`)).body.active, true);
  });

  test('an admin’s credential can’t deactivate, delete or rename an owner, and neither can one of a former owner', async () => {
    const organization = await world.createOrganization();
    const { server } = world;
    const owner = await organization.addAccount('Second', 'owner');
    const admin = await organization.addAccount('Admin', 'admin');
    const byAdmin = await startProvisioning(server, organization, admin);
    const byOwner = await startProvisioning(server, organization, owner);
    const target = `/Users/${owner.id}`;
    const off = { op: 'replace', path: 'active', value: false };
    const attempts = (scim: typeof byAdmin) => [
      scim.patch(target, off),
      scim.call(`DELETE ${target}`),
      scim.patch(target, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value: `evil@${organization.domain}`,
      }),
    ];
    for (const response of await Promise.all(attempts(byAdmin))) assert.equal(response.status, 403);
    // An owner who was provisioned and has not signed in yet belongs to the person that the names identify.
    const { body: waiting } = await byAdmin.call(
      'POST /Users',
      entraUser(`waiting@${organization.domain}`, 'Waiting'),
    );
    const waitingOwner = { ...owner, id: waiting.id };
    await organization.setRole(waitingOwner, 'owner');
    const names = {
      externalId: 'f7a1c1de-0000-4000-8000-000000000666',
      userName: `evil@${organization.domain}`,
    };
    for (const [path, value] of Object.entries({ ...names, displayName: 'Evil' })) {
      const change = { op: 'replace', path, value };
      assert.equal((await byAdmin.patch(`/Users/${waiting.id}`, change)).status, 403, path);
    }
    const title = { op: 'replace', path: 'title', value: 'Head of sales' };
    assert.equal((await byAdmin.patch(`/Users/${waiting.id}`, title)).status, 200, 'the rest can change');
    assert.equal(await organization.roleOf(owner), 'owner');
    await organization.setRole(owner, 'admin');
    const victim = await organization.addAccount('Third', 'owner');
    assert.equal((await byOwner.patch(`/Users/${victim.id}`, off)).status, 403, 'its maker is no owner now');
    assert.equal((await byAdmin.patch(`/Users/${owner.id}`, off)).status, 200);
  });

  test('a suspended person gets back neither by an invitation nor by an old session or token', async () => {
    const organization = await world.createOrganization();
    const { server } = world;
    const scim = await startProvisioning(server, organization);
    const person = await organization.addAccount('Eve', 'editor');
    await scim.setActive(person.id, false);
    const statusOf = async (as: Person) =>
      (await server.call(`GET /api/organizations/${organization.id}/members`, { as })).status;
    assert.equal(await statusOf(person), 401);
    const again = await toPerson(server, await world.signInByPassword(person));
    const invited = await invite(server, organization.owner, organization.id, person.email, 'admin');
    assert.equal(invited.status, 201, invited.text);
    const accepted = await accept(server, again, invited.token);
    assert.equal(accepted.status, 403, accepted.text);
    assert.equal(await statusOf(again), 404);
  });

  test('a group can’t take the name of a group of another directory', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    for (const name of [`${organization.configurationId}:Admins`, 'a\u0007b', 'x'.repeat(600)]) {
      const { status, body } = await scim.call('POST /Groups', {
        schemas: [schemas.group],
        displayName: name,
      });
      assert.deepEqual([status, body.scimType], [400, 'invalidValue'], name.slice(0, 50));
    }
  });

  test('a directory does not rename an account that the directory of another organization manages', async () => {
    const [own, other] = [await world.createOrganization(), await world.createOrganization()];
    const victim = await other.enter(other.addPerson('Victim'));
    await world.server.addMember(own.id, victim, 'viewer');
    const scim = await startProvisioning(world.server, own);
    // The domain has moved.
    await other.save({ emailDomains: [`other.${other.domain}`] });
    await own.save({ emailDomains: [own.domain, other.domain] });
    await verifyDomainAsOperator(world.server.database, Date.now, {
      organizationId: own.id,
      domain: other.domain,
    });
    const { id } = await scim.createUser('Mallory', { userName: victim.email, emails: [] });
    assert.equal(id, victim.id);
    const renamed = await scim.patch(`/Users/${id}`, {
      op: 'replace',
      value: { displayName: 'Renamed', userName: `renamed@${own.domain}` },
    });
    assert.equal(renamed.status, 200, renamed.text);
    const member = (await other.members()).find(({ userId }) => userId === id);
    assert.deepEqual([member?.email, member?.name], [victim.email, 'Victim']);
  });

  test('a person gets no user name or address that is the address of another account of the organization', async () => {
    const organization = await world.createOrganization();
    const { domain } = organization;
    const [byPassword, bySignIn] = [
      await organization.addAccount('Ada', 'editor'),
      await organization.enter(organization.addPerson('Bob')),
    ];
    const elsewhere = await world.createOrganization();
    const foreign = await elsewhere.addAccount('Eve', 'editor');
    const scim = await startProvisioning(world.server, organization);
    const { id } = await scim.createUser('Mallory');
    const statusOf = async (response: Promise<TestResponse>) => {
      const { status, body } = await response;
      return [status, body.scimType];
    };
    const taken = [byPassword.email, `\u3000${byPassword.email.toUpperCase()} `, bySignIn.email];
    for (const address of taken) {
      const emails = [{ value: `free@${domain}`, primary: true }];
      const create = scim.call('POST /Users', entraUser(address, 'X', { emails }));
      assert.deepEqual(await statusOf(create), [409, 'uniqueness'], address);
      const put = scim.call(`PUT /Users/${id}`, entraUser(address, 'X', { emails }));
      assert.deepEqual(await statusOf(put), [409, 'uniqueness'], address);
      for (const value of [{ userName: address }, { emails: [{ value: address, primary: true }] }]) {
        const patch = scim.patch(`/Users/${id}`, { op: 'replace', value });
        assert.deepEqual(await statusOf(patch), [409, 'uniqueness'], JSON.stringify(value));
      }
    }
    // An account of another organization does not exist here.
    const created = await scim.call(
      'POST /Users',
      entraUser(foreign.email, 'X', { emails: [{ value: `x@${domain}` }] }),
    );
    assert.equal(created.status, 201, created.text);
    await scim.setActive(id, false);
    await scim.setActive(id, true);
  });

  test('a person in an account without a proven relation is not taken over', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    // Anyone could have registered it before the domain was verified.
    const outsider = await organization.addAccount('Squatter');
    const { id } = await scim.createUser('Squatter');
    assert.notEqual(id, outsider.id);
    const path = `GET /api/organizations/${organization.id}/members`;
    assert.equal((await world.server.call(path, { as: outsider })).status, 404);
  });

  test('another provider signs in to no account that the former one provisioned, and gets none of its groups', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    const { id } = await scim.createUser('Ada', { externalId: 'ada' });
    const { id: left } = await scim.createUser('Left');
    await scim.createGroup('Sales', [id], { externalId: 'sales' });
    await scim.setActive(left, false);
    const { adfs } = world;
    await organization.save({
      tenantId: undefined,
      discoveryUrl: adfs.discoveryUrl,
      clientId: adfs.clientId,
      clientSecret: adfs.clientSecret,
    });
    adfs.allowRedirect((await organization.call('GET /status')).body.redirectUri);
    const enter = async (name: string) => {
      const subject = name.toLowerCase();
      adfs.addPerson({ subject, claims: { upn: `${subject}@${organization.domain}` } });
      const { url, cookie } = await organization.start();
      const callback = pathOf(await adfs.signIn(url, subject));
      return world.server.call(`GET ${callback}`, { headers: { cookie } });
    };
    const person = await toPerson(world.server, await enter('Ada'));
    assert.notEqual(person.id, id);
    assert.equal((await scim.call('GET /Groups')).body.totalResults, 0);
    assert.equal((await enter('Left')).body.code, 'sign_in_refused');
  });

  test('a service account is no person: it can’t be found, changed or put in a group', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    assert.equal((await scim.call(`GET /Users/${scim.accountId}`)).status, 404);
    assert.equal((await scim.call(`DELETE /Users/${scim.accountId}`)).status, 404);
    const { status } = await scim.call('POST /Groups', {
      schemas: [schemas.group],
      displayName: 'Programs',
      members: [{ value: scim.accountId }],
    });
    assert.equal(status, 400);
  });

  test('many requests are served, and the limit of other programs stays untouched', async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    for (let count = 0; count < 1_500; count += 1) {
      const response = await scim.call('GET /ServiceProviderConfig');
      assert.equal(response.status, 200);
    }
    const refused = await world.server.call('GET /api/dashboards', bearer(scim));
    assert.deepEqual(
      [refused.status, refused.headers['ratelimit']?.toString().includes('r=1199')],
      [403, true],
    );
  });
});
