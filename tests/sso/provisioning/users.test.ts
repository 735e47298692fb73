import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeClient, createClient } from '../../support/credentials/oauth.ts';
import { createProvisioned, entraUser, schemas } from '../../support/sso/provisioning.ts';
import { describeSignInsOnBothEngines } from '../../support/sso/world.ts';

describeSignInsOnBothEngines('provisioning people by SCIM', (world) => {
  const start = () => createProvisioned(world);

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
