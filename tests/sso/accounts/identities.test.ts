import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSignIns } from '../../support/sso/world.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { pathOf, toPerson } from '../../support/sso/responses.ts';

const emailsOf = async (organization: SsoOrganization) =>
  (await organization.members()).map(({ email }) => email).toSorted();

describeSignIns('the identity of a person', (world) => {
  test('the same oid with a new email and name is the same user, whose account is updated', async () => {
    const organization = await world.createOrganization();
    const { domain } = organization;
    const subject = organization.addPerson('Bob');
    const bob = await organization.enter(subject);
    organization.directory.addPerson({
      subject,
      claims: { preferred_username: `robert@${domain}`, name: 'Robert' },
    });
    const robert = await organization.enter(subject);
    assert.deepEqual([robert.id, robert.email], [bob.id, `robert@${domain}`]);
    const { body } = await world.server.call('GET /api/auth/get-session', { as: bob });
    assert.deepEqual(body.user, { id: bob.id, email: `robert@${domain}`, name: 'Robert' });
  });

  for (const xms_edov of [undefined, true, 1, false]) {
    test(`another oid with the same email is another user, with xms_edov ${xms_edov}`, async () => {
      const organization = await world.createOrganization();
      const email = `bob@${organization.domain}`;
      const claims = { email, preferred_username: email, ...(xms_edov !== undefined && { xms_edov }) };
      const bob = await organization.enter(organization.addPerson('Bob', claims));
      const mallory = await organization.enter(organization.addPerson('Mallory', claims));
      assert.notEqual(mallory.id, bob.id);
      assert.deepEqual(await emailsOf(organization), [email, email, organization.owner.email].toSorted());
      assert.equal((await organization.enter(organization.addPerson('Bob', claims))).id, bob.id);
    });
  }

  test('two simultaneous first sign-ins create one user', async () => {
    const organization = await world.createOrganization();
    const subject = organization.addPerson('Bob');
    const started = [await organization.start(), await organization.start()];
    const back = await Promise.all(started.map(({ url }) => organization.directory.signIn(url, subject)));
    const responses = await Promise.all(
      back.map((url, index) =>
        world.server.call(`GET ${pathOf(url)}`, { headers: { cookie: started[index]?.cookie ?? '' } }),
      ),
    );
    const people = await Promise.all(responses.map((response) => toPerson(world.server, response)));
    assert.equal(people[0]?.id, people[1]?.id);
    assert.equal((await organization.members()).length, 2);
  });

  test('an owner is not recognized through a provider that an admin chose, until an owner saves it', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const admin = await organization.addAccount('Mallory', 'admin');
    const owner = await organization.addAccount('Olga', 'owner');
    const path = `/api/sso/orgs/${organization.id}/config`;
    const { body: saved } = await server.call(`GET ${path}`, { as: organization.owner });
    const body = { ...saved, clientSecret: organization.directory.clientSecret };
    // Moved away and back by the admin: the provider is now one that the admin chose.
    await server.call(`POST ${path}`, { as: admin, body: { ...body, clientId: 'another' } });
    await server.call(`POST ${path}`, { as: admin, body });
    await server.call(`PUT /api/sso/orgs/${organization.id}/policy`, {
      as: organization.owner,
      body: {
        requireSso: false,
        defaultRole: 'viewer',
        roleMappings: [{ claim: 'roles', value: 'boss', role: 'owner' }],
      },
    });
    const { body: status } = await server.call(`GET /api/sso/orgs/${organization.id}/status`, { as: admin });
    assert.ok(status.reasons.some(({ code }: { code: string }) => code === 'owner_not_approved'));
    const claimed = await organization.enter(organization.addPerson('Olga', { roles: ['boss'] }));
    assert.notEqual(claimed.id, owner.id);
    assert.equal(await organization.roleOf(claimed), 'admin');
    await server.call(`POST ${path}`, { as: organization.owner, body });
    assert.equal(
      await organization.roleOf(
        await organization.enter(organization.addPerson('Boss', { roles: ['boss'] })),
      ),
      'owner',
    );
  });

  test('a member’s account with a password is found by the principal name, and linked once', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada', 'editor');
    const elsewhere = await server.createOrganization(account);
    const ada = await organization.enterAndLink(organization.addPerson('Ada', { name: 'Another name' }));
    assert.equal(ada.id, account.id);
    assert.equal(await organization.roleOf(ada), 'editor');
    const { body } = await server.call('GET /api/auth/get-session', { as: ada });
    assert.deepEqual(
      [body.user.name, body.session.method, body.session.organizationId],
      ['Ada', 'sso', organization.id],
    );
    assert.equal((await server.call(`GET /api/organizations/${elsewhere}`, { as: ada })).status, 404);
    assert.equal((await server.call(`GET /api/organizations/${elsewhere}`, { as: account })).status, 200);
    assert.equal(
      (await server.call('POST /api/organizations', { as: ada, body: { name: 'Mine' } })).status,
      403,
    );

    organization.directory.addPerson({
      subject: 'a successor',
      claims: { preferred_username: account.email, name: 'Ada II' },
    });
    const successor = await organization.enter('a successor');
    assert.notEqual(successor.id, account.id);
    assert.equal(await organization.roleOf(successor), 'viewer');
  });

  test('a password account of a person who is not a member is not linked', async () => {
    const organization = await world.createOrganization();
    const account = await organization.addAccount('Ada');
    const ada = await organization.enter(organization.addPerson('Ada'));
    assert.notEqual(ada.id, account.id);
    assert.equal(ada.email, account.email);
    // The password still signs in to the separate account.
    assert.equal(await organization.roleOf(account), undefined);
  });

  test('an account that one organization’s directory manages is not linked by another directory', async () => {
    const one = await world.createOrganization();
    const bob = await one.enter(one.addPerson('Bob'));
    const other = await world.createOrganization();
    await other.save({ emailDomains: [other.domain, one.domain] });
    const claims = { preferred_username: bob.email };
    const { status, code, detail } = await other.refusal(other.addPerson('Bob', claims));
    assert.deepEqual([status, code], [403, 'sign_in_refused']);
    assert.ok(
      detail.includes(`The domain is ${one.domain}, which the organization has not verified.`),
      detail,
    );
    const refused = await other.refusals();
    assert.deepEqual(
      refused.map((details) => details['code']),
      ['domain_refused'],
    );
  });

  test('the same person of one tenant is a different user in each organization', async () => {
    const [one, other] = [await world.createOrganization(), await world.createOrganization()];
    const subject = one.addPerson('Bob');
    const inOne = await one.enter(subject);
    one.directory.addPerson({ subject, claims: { preferred_username: `bob@${other.domain}`, name: 'Bob' } });
    const inOther = await other.enter(subject);
    assert.notEqual(inOther.id, inOne.id);
    const path = `GET /api/organizations/${one.id}`;
    assert.equal((await world.server.call(path, { as: inOther })).status, 404);
    assert.equal((await world.server.call(path, { as: inOne })).status, 200);
  });
});
