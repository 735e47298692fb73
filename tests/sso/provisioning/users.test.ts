import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setSsoRequirement } from '../../../src/server/organizations/organizations.ts';
import { bearer, createToken } from '../../support/credentials/tokens.ts';
import { authorizeClient, createClient } from '../../support/credentials/oauth.ts';
import { entraUser, schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import type { Person } from '../../support/server/test-server.ts';
import { toPerson } from '../../support/sso/responses.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('provisioning people by SCIM', (world) => {
  const start = async () => {
    const organization = await world.createOrganization();
    return { organization, scim: await startProvisioning(world.server, organization) };
  };

  test('creates, reads, finds, replaces and deletes a person', async () => {
    const { organization, scim } = await start();
    const email = `ada@${organization.domain}`;
    const empty = await scim.call(`GET /Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`);
    assert.deepEqual(
      [empty.status, empty.body],
      [200, { schemas: [schemas.list], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] }],
    );
    const created = await scim.call(
      'POST /Users',
      entraUser(email, 'Ada', {
        externalId: 'ada-1',
        [schemas.enterprise]: { department: 'Sales', manager: 'boss' },
        unknown: 'is ignored',
      }),
    );
    assert.equal(created.status, 201, created.text);
    assert.match(String(created.headers['content-type']), /^application\/scim\+json/);
    const { id, meta } = created.body;
    assert.equal(created.headers.location, meta.location);
    assert.equal(created.headers.etag, 'W/"1"');
    assert.deepEqual(created.body, {
      schemas: [schemas.user, schemas.enterprise],
      id,
      externalId: 'ada-1',
      userName: email,
      active: true,
      displayName: 'Ada',
      emails: [{ primary: true, type: 'work', value: email }],
      name: { formatted: 'Ada', familyName: 'Family', givenName: 'Ada' },
      [schemas.enterprise]: { department: 'Sales', manager: { value: 'boss' } },
      meta: { ...meta, resourceType: 'User', version: 'W/"1"' },
    });
    const read = await scim.call(`GET /Users/${id}`);
    assert.deepEqual([read.status, read.body], [200, created.body]);
    assert.equal((await scim.call(`GET /Users/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status, 304);
    for (const filter of [
      `userName eq "${email.toUpperCase()}"`,
      'externalId eq "ada-1"',
      `emails[type eq "work"].value eq "${email}"`,
      `emails.value eq "${email}" and active eq true`,
      `id eq "${id}"`,
      'displayName sw "Ad" and not (title pr)',
      `${schemas.enterprise}:department eq "sales"`,
    ]) {
      const { body } = await scim.call(`GET /Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual(
        body.Resources?.map((user: { id: string }) => user.id),
        [id],
        filter,
      );
    }
    for (const filter of ['externalId eq "ADA-2"', 'active eq false', 'emails[type eq "home"].value pr']) {
      const { body } = await scim.call(`GET /Users?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual([body.totalResults, body.Resources], [0, []], filter);
    }
    const members = await organization.members();
    assert.deepEqual(
      members.filter(({ userId }) => userId === id).map(({ name, role }) => [name, role]),
      [['Ada', 'viewer']],
    );
    for (const body of [
      entraUser(email, 'Ada'),
      // Her name was changed in the directory, which has lost its link to the resource.
      entraUser(`ada.lovelace@${organization.domain}`, 'Ada', { externalId: 'ada-1' }),
    ]) {
      const again = await scim.call('POST /Users', body);
      assert.deepEqual([again.status, again.body.scimType, again.body.status], [409, 'uniqueness', '409']);
    }
    const other = await scim.createUser('Other');
    const taken = await scim.patch(`/Users/${other.id}`, { op: 'add', path: 'externalId', value: 'ada-1' });
    assert.deepEqual([taken.status, taken.body.scimType], [409, 'uniqueness']);

    const replacement = entraUser(email, 'Ada Lovelace', { active: undefined });
    assert.equal((await scim.call(`PUT /Users/${id}`, replacement, { 'if-match': 'W/"7"' })).status, 412);
    const replaced = await scim.call(`PUT /Users/${id}`, replacement, { 'if-match': 'W/"1"' });
    assert.equal(replaced.status, 200, replaced.text);
    assert.deepEqual(
      [replaced.body.displayName, replaced.body.externalId, replaced.body.active, replaced.body.meta.version],
      ['Ada Lovelace', undefined, true, 'W/"2"'],
    );
    assert.equal((await scim.call(`DELETE /Users/${id}`)).status, 204);
    assert.equal((await scim.call(`GET /Users/${id}`)).status, 404);
    assert.equal((await scim.call(`DELETE /Users/${id}`)).status, 404);
    assert.equal(
      (await organization.members()).some(({ userId }) => userId === id),
      false,
    );
  });

  test('responds with the errors of the standard', async () => {
    const { organization, scim } = await start();
    const { id } = await scim.createUser('Carol');
    const expectError = async (
      response: ReturnType<typeof scim.call>,
      status: number,
      scimType: string | undefined,
    ) => {
      const { status: sent, body, headers, text } = await response;
      assert.deepEqual([sent, body.scimType], [status, scimType], text);
      assert.deepEqual([body.schemas, body.status], [[schemas.error], String(status)]);
      assert.match(String(headers['content-type']), /^application\/scim\+json/);
    };
    const foreign = entraUser('dave@elsewhere.example', 'Dave');
    await expectError(scim.call('POST /Users', foreign), 400, 'invalidValue');
    await expectError(scim.call('POST /Users', { displayName: 'Nobody' }), 400, 'invalidValue');
    await expectError(scim.call('POST /Users', []), 400, 'invalidSyntax');
    await expectError(scim.call('GET /Users/unknown'), 404, undefined);
    for (const path of ['', '/', '/users', '/Users/a/b'])
      await expectError(scim.call(`GET ${path}`), 404, undefined);
    await expectError(scim.call('PUT /Users', {}), 404, undefined);
    for (const line of ['GET /Me', 'POST /Bulk', 'POST /.search', 'POST /Users/.search'])
      await expectError(scim.call(line, line.startsWith('POST') ? {} : undefined), 501, undefined);
    for (const filter of ['userName', 'userName eq', '((', 'a constructor b', '('.repeat(2_000)])
      await expectError(scim.call(`GET /Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
    await expectError(scim.call('GET /Users?count=x'), 400, 'invalidValue');
    await expectError(scim.call('GET /Users?count=1&count=2'), 400, 'invalidSyntax');
    const at = `/Users/${id}`;
    await expectError(scim.patch(at, { op: 'move', path: 'title' }), 400, 'invalidSyntax');
    await expectError(scim.patch(at), 400, 'invalidSyntax');
    await expectError(
      scim.call(`PATCH ${at}`, { Operations: [{ op: 'add', value: {} }] }),
      400,
      'invalidSyntax',
    );
    await expectError(scim.patch(at, { op: 'remove' }), 400, 'noTarget');
    await expectError(scim.patch(at, { op: 'replace', path: 'id', value: 'x' }), 400, 'mutability');
    for (const path of [
      'password',
      '__proto__.x',
      'constructor',
      'urn:scim:schemas:core:1.0:active',
      'name.first',
      'title[a eq "b"]',
      `${schemas.enterprise}:unknown`,
      'emails[',
    ])
      await expectError(scim.patch(at, { op: 'replace', path, value: 'x' }), 400, 'invalidPath');
    await expectError(scim.patch(at, { op: 'replace', path: 'active', value: 'yes' }), 400, 'invalidValue');
    const old = { 'urn:scim:schemas:core:1.0': { active: false } };
    await expectError(scim.patch(at, { op: 'replace', value: old }), 400, 'invalidPath');
    await expectError(scim.patch(at, { op: 'replace', path: 'title', value: {} }), 400, 'invalidValue');
    await expectError(scim.patch(at, { op: 'remove', path: 'userName' }), 400, 'invalidValue');
    await expectError(
      scim.patch(
        at,
        { op: 'replace', path: 'userName', value: `owner@${organization.domain}.example` },
        { op: 'remove', path: 'emails' },
      ),
      400,
      'invalidValue',
    );
    const headers = { authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' };
    const broken = await world.server.call(`POST /scim/v2/${organization.id}/Users`, { headers, body: '{' });
    assert.deepEqual([broken.status, broken.body.scimType], [400, 'invalidSyntax']);
    const wrongType = { ...headers, 'content-type': 'text/plain' };
    const text = await world.server.call(`POST /scim/v2/${organization.id}/Users`, {
      headers: wrongType,
      body: '{}',
    });
    assert.equal(text.status, 415);
  });

  test('describes itself and pages through the people', async () => {
    const { scim } = await start();
    const names = ['Ann', 'Ben', 'Cid', 'Dan', 'Eve'];
    for (const name of names) await scim.createUser(name);
    const config = await scim.call('GET /ServiceProviderConfig');
    assert.deepEqual(
      [config.body.patch, config.body.bulk.supported, config.body.etag],
      [{ supported: true }, false, { supported: true }],
    );
    const types = await scim.call('GET /ResourceTypes');
    assert.deepEqual(
      types.body.Resources.map(({ id }: { id: string }) => id),
      ['User', 'Group'],
    );
    assert.equal((await scim.call('GET /ResourceTypes/User')).body.schema, schemas.user);
    const described = await scim.call('GET /Schemas');
    assert.equal(described.body.totalResults, 3);
    assert.equal((await scim.call(`GET /Schemas/${schemas.enterprise}`)).body.name, 'EnterpriseUser');
    assert.equal((await scim.call('GET /Schemas/urn:unknown')).status, 404);
    for (const path of ['Schemas', 'ResourceTypes'])
      assert.equal((await scim.call(`GET /${path}?filter=id%20eq%20%22x%22`)).status, 403);
    const page = async (query: string) => {
      const { body } = await scim.call(`GET /Users?${query}`);
      return [
        body.totalResults,
        body.startIndex,
        body.Resources.map((user: { displayName: string }) => user.displayName),
      ];
    };
    assert.deepEqual(await page('startIndex=1&count=2'), [5, 1, ['Ann', 'Ben']]);
    assert.deepEqual(await page('startIndex=5&count=2'), [5, 5, ['Eve']]);
    assert.deepEqual(await page('startIndex=0&count=0'), [5, 1, []]);
    assert.deepEqual(await page('startIndex=9'), [5, 9, []]);
    const some = await scim.call('GET /Users?count=1&attributes=userName,name.givenName');
    assert.deepEqual(Object.keys(some.body.Resources[0]).toSorted(), [
      'id',
      'meta',
      'name',
      'schemas',
      'userName',
    ]);
    const without = await scim.call('GET /Users?count=1&excludedAttributes=emails');
    assert.equal('emails' in without.body.Resources[0], false);
  });

  test('finds people who signed in before, and signs in people who were provisioned before', async () => {
    const { organization, scim } = await start();
    const person = await organization.enter(organization.addPerson('Early'));
    const filter = encodeURIComponent(`userName eq "early@${organization.domain}"`);
    const found = await scim.call(`GET /Users?filter=${filter}`);
    assert.deepEqual(
      found.body.Resources.map(({ id }: { id: string }) => id),
      [person.id],
    );
    const taken = await scim.createUser('Early', { title: 'First' });
    assert.equal(taken.id, person.id, 'never doubled');
    const { id } = await scim.createUser('Late', { externalId: 'late' });
    const late = await organization.enter(organization.addPerson('Late'));
    assert.equal(late.id, id);
    const count = (await organization.members()).filter(({ email }) => email.startsWith('late@')).length;
    assert.equal(count, 1);
    const [entry] = await organization.audit('sso.account.linked');
    assert.equal(entry?.details['by'], 'provisioning');
  });

  test('does not sign in another object of the directory to a provisioned account', async () => {
    const { organization, scim } = await start();
    const { id } = await scim.createUser('Reused', { externalId: '0d1f7c1a-52e1-4f0a-8f3b-0a9b8c7d6e5f' });
    const person = await organization.enter(organization.addPerson('Reused'));
    assert.notEqual(person.id, id, 'the address belongs to another object now');
  });

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
    assert.deepEqual(await statuses(), [403, 403]);
    await require(organization.id, false);
    assert.deepEqual(await statuses(), [200, 403], 'a suspension never makes a password usable');
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
    assert.equal(await signIn(), 403);
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
    const statusOf = async (as: Person) => (await server.call('GET /api/auth/get-session', { as })).status;
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200]);
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
    assert.deepEqual(await Promise.all(statuses), [401, 200], 'the session for another organization stays');

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

  test('accepts the access tokens of a client, and no other credential', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const { id: organizationId, owner } = organization;
    const client = await createClient(server, owner, { organizationId, role: 'viewer', scopes: ['scim'] });
    const at = (path: string, token: string) =>
      server.call(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } });
    const users = `/scim/v2/${organizationId}/Users`;
    assert.equal((await at(users, await authorizeClient(server, client))).status, 200);
    const admin = await createClient(server, owner, { organizationId, scopes: ['administer', 'read'] });
    assert.equal((await at(users, await authorizeClient(server, admin))).status, 403);
    assert.equal((await server.call(`GET ${users}`, { as: owner })).status, 401);
    assert.equal((await server.call(`GET ${users}`)).status, 401);
    // It is no admin, either.
    assert.equal((await at(`/api/organizations/${organizationId}/members`, scim.token)).status, 403);
    for (const [path, body] of [
      ['/api/auth/tokens', { organizationId, name: 'Own', scopes: ['scim'] }],
      [
        `/api/organizations/${organizationId}/service-accounts/${scim.accountId}/tokens`,
        { name: 'Both', scopes: ['scim', 'administer'] },
      ],
    ] as const) {
      const expiresAt = '2026-12-01T00:00:00Z';
      const response = await server.call(`POST ${path}`, { as: owner, body: { ...body, expiresAt } });
      assert.deepEqual([response.status, response.body.code], [400, 'invalid_body'], response.text);
    }
  });
});
