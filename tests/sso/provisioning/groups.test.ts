import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessGrant } from '../../../src/contract/organizations/access-review.ts';
import { schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignInsOnBothEngines } from '../../support/sso/world.ts';

describeSignInsOnBothEngines('provisioning groups by SCIM', (world) => {
  const start = async () => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    const groupsOf = async () => {
      const path = `/api/organizations/${organization.id}/groups`;
      const response = await world.server.call(`GET ${path}`, { as: organization.owner });
      assert.equal(response.status, 200, response.text);
      return response.body.items;
    };
    return { organization, scim, groupsOf };
  };
  const idsIn = async (scim: Awaited<ReturnType<typeof start>>['scim'], id: string) =>
    ((await scim.call(`GET /Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value);

  test('have no names that hide characters to look like those of others', async () => {
    const { scim, groupsOf } = await start();
    const { id: ada } = await scim.createUser('Ada');
    const { id } = await scim.createGroup('Lunch club', [ada], { externalId: 'lunch' });
    const rename = (value: string) =>
      scim.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value });
    const names = [
      'Bo\u200bard',
      'Board \u202exyz',
      'Bo\u00adard',
      'Bo\nard',
      '\u2066Board',
      'Board\u0000',
      'x'.repeat(257),
      '\u00a0',
    ];
    for (const displayName of names) {
      const body = { schemas: [schemas.group], displayName, externalId: 'board' };
      for (const refused of [await scim.call('POST /Groups', body), await rename(displayName)])
        assert.deepEqual(
          [refused.status, refused.body.scimType],
          [400, 'invalidValue'],
          JSON.stringify(displayName),
        );
    }
    const padded = ` Board${'\u00a0'.repeat(150)}`;
    // Persian and emoji need characters without a width.
    for (const name of [padded, 'گروه می\u200cخواهم', 'Team \u{1f469}\u200d\u{1f4bb}']) {
      assert.equal((await rename(name)).status, 204, name);
      assert.deepEqual(await groupsOf(), [{ groupId: 'lunch', name: name.trim(), memberCount: 1 }]);
    }
  });

  test('are shown and found by their names, each in its own organization', async () => {
    const { organization, scim, groupsOf } = await start();
    const { owner, id: organizationId } = organization;
    const elsewhere = await start();
    await elsewhere.scim.createGroup('Secret plans', [], { externalId: 'object-id' });
    const ada = organization.addPerson('Ada', { groups: ['object-id', 'other'] });
    const { id: userId } = await organization.enter(ada);
    assert.deepEqual(await groupsOf(), [
      { groupId: 'object-id', name: 'object-id', memberCount: 1 },
      { groupId: 'other', name: 'other', memberCount: 1 },
    ]);

    const group = await scim.createGroup('Vertrieb Süd', [userId], { externalId: 'object-id' });
    const named = { groupId: 'object-id', name: 'Vertrieb Süd' };
    const found = async (q: string) => {
      const path = `/api/organizations/${organizationId}/groups?q=${encodeURIComponent(q)}`;
      return (await world.server.call(`GET ${path}`, { as: owner })).body.items;
    };
    assert.deepEqual(await found('vertrieb'), [{ ...named, memberCount: 1 }]);
    assert.deepEqual(await found('OBJECT-'), [{ ...named, memberCount: 1 }]);
    assert.deepEqual(await found('secret'), []);

    const dashboard = await world.server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Sales', organizationId },
    });
    const access = `/api/dashboards/${dashboard.body.id}/access`;
    const groups = [{ groupId: 'object-id', access: 'view' }];
    const saved = await world.server.call(`PUT ${access}`, {
      as: owner,
      body: { restricted: true, members: [], groups },
    });
    assert.deepEqual(saved.body.groups, [{ ...named, access: 'view', memberCount: 1 }]);
    const explained = await world.server.call(`GET ${access}/${userId}`, { as: owner });
    assert.deepEqual(explained.body.reasons, [
      { by: 'group', groupId: 'object-id', groupName: 'Vertrieb Süd', access: 'view' },
    ]);
    const review = await world.server.call(
      `GET /api/organizations/${organizationId}/access-review?objectId=${dashboard.body.id}`,
      { as: owner },
    );
    // Sound because the operation returns grants.
    const grants = review.body.items as AccessGrant[];
    assert.ok(grants.some(({ grantee }) => grantee.name === 'Vertrieb Süd'));
    assert.ok(grants.some(({ grantee, groupName }) => grantee.id === userId && groupName === 'Vertrieb Süd'));
    await scim.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'North' });
    assert.deepEqual(await found('object'), [{ groupId: 'object-id', name: 'North', memberCount: 1 }]);
  });

  test('creates, reads, finds, changes and deletes a group', async () => {
    const { scim, groupsOf } = await start();
    const { id: ada } = await scim.createUser('Ada');
    const { id: bob } = await scim.createUser('Bob');
    const group = await scim.createGroup('Sales', [ada], { externalId: 'group-1' });
    const { id, meta } = group;
    assert.deepEqual(group, {
      schemas: [schemas.group],
      id,
      displayName: 'Sales',
      externalId: 'group-1',
      members: [{ value: ada, display: 'Ada', type: 'User', $ref: group.members[0].$ref }],
      meta: { ...meta, resourceType: 'Group', version: 'W/"1"' },
    });
    assert.deepEqual(await groupsOf(), [{ groupId: 'group-1', name: 'Sales', memberCount: 1 }]);
    for (const filter of [
      'displayName eq "SALES"',
      'externalId eq "group-1"',
      `id eq "${id}" and members eq "${ada}"`,
      `members.value eq "${ada}"`,
      `members[value eq "${ada}"]`,
      'displayName co "ale"',
    ]) {
      const { body } = await scim.call(
        `GET /Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`,
      );
      assert.deepEqual(
        body.Resources?.map((found: object) => ['members' in found, 'id' in found]),
        [[false, true]],
        filter,
      );
    }
    const none = await scim.call(`GET /Groups?filter=${encodeURIComponent(`members eq "${bob}"`)}`);
    assert.deepEqual([none.status, none.body.totalResults, none.body.Resources], [200, 0, []]);

    const at = `/Groups/${id}`;
    const added = await scim.patch(at, {
      op: 'Add',
      path: 'members',
      value: [{ value: bob }, { value: ada }],
    });
    assert.deepEqual([added.status, added.text], [204, '']);
    assert.deepEqual(await idsIn(scim, id), [ada, bob]);
    await scim.patch(at, { op: 'Remove', path: `members[value eq "${ada}"]` });
    assert.deepEqual(await idsIn(scim, id), [bob]);
    await scim.patch(at, { op: 'Remove', path: 'members', value: [{ value: bob }] });
    assert.deepEqual(await idsIn(scim, id), []);
    assert.deepEqual(await groupsOf(), []);
    await scim.patch(at, { op: 'replace', value: { members: [{ value: ada }], displayName: 'Sellers' } });
    const { body } = await scim.call(`GET ${at}`);
    assert.deepEqual([body.displayName, await idsIn(scim, id)], ['Sellers', [ada]]);
    for (const excluded of ['members', `${schemas.group}:members`])
      assert.equal('members' in (await scim.call(`GET ${at}?excludedAttributes=${excluded}`)).body, false);
    const asked = await scim.patch(`${at}?attributes=members`, {
      op: 'Replace',
      path: 'externalId',
      value: 'g',
    });
    assert.deepEqual([asked.status, asked.body.members?.length, asked.body.displayName], [200, 1, undefined]);
    await scim.patch(at, { op: 'Replace', path: 'externalId', value: 'group-2' });
    assert.deepEqual(await groupsOf(), [{ groupId: 'group-2', name: 'Sellers', memberCount: 1 }]);
    await scim.patch(at, { op: 'remove', path: 'members' });
    assert.deepEqual(await idsIn(scim, id), []);
    const put = await scim.call(`PUT ${at}`, {
      schemas: [schemas.group],
      displayName: 'All',
      members: [{ value: bob }],
    });
    assert.deepEqual([put.status, put.body.externalId, put.body.members.length], [200, undefined, 1]);
    assert.deepEqual(await groupsOf(), [{ groupId: 'All', name: 'All', memberCount: 1 }]);
    const twice = await scim.call('POST /Groups', { schemas: [schemas.group], displayName: 'All' });
    assert.deepEqual([twice.status, twice.body.scimType], [409, 'uniqueness']);
    for (const [path, value, scimType] of [
      ['members', [{ value: 'nobody' }], 'invalidValue'],
      ['members[display eq "x"]', undefined, 'invalidPath'],
      ['members.display', 'x', 'mutability'],
      ['owners', 'x', 'invalidPath'],
      ['displayName', '', 'invalidValue'],
    ] as const) {
      const op = value === undefined ? 'remove' : 'add';
      const { status, body: error } = await scim.patch(at, { op, path, value });
      assert.deepEqual([status, error.scimType], [400, scimType], path);
    }
    assert.equal((await scim.call(`DELETE ${at}`)).status, 204);
    assert.equal((await scim.call(`GET ${at}`)).status, 404);
    assert.deepEqual(await groupsOf(), []);
  });

  test('gives the roles that are mapped to groups, but never makes or demotes an owner', async () => {
    const { organization, scim } = await start();
    const mapped = await organization.putPolicy({
      roleMappings: [
        { claim: 'groups', value: 'editors', role: 'editor' },
        { claim: 'groups', value: 'owners', role: 'owner' },
      ],
    });
    assert.equal(mapped.status, 200, mapped.text);
    const subject = organization.addPerson('Ada');
    const { id } = await scim.createUser('Ada');
    const roleOf = async (userId: string) =>
      (await organization.members()).find((member) => member.userId === userId)?.role;
    assert.equal(await roleOf(id), 'viewer');
    const editors = await scim.createGroup('Editors', [id], { externalId: 'editors' });
    assert.equal(await roleOf(id), 'editor');
    const person = await organization.enter(subject);
    assert.deepEqual([person.id, await roleOf(id)], [id, 'editor'], 'a sign-in counts provisioned groups');
    const owners = await scim.createGroup('Owners', [id], { externalId: 'owners' });
    assert.equal(await roleOf(id), 'admin');
    await organization.enter(subject);
    assert.equal(await roleOf(id), 'admin', 'not at the next sign-in, either');
    await scim.patch(`/Groups/${owners.id}`, { op: 'remove', path: `members[value eq "${id}"]` });
    assert.equal(await roleOf(id), 'editor');
    await scim.setActive(id, false);
    await scim.patch(`/Groups/${editors.id}`, { op: 'remove', path: `members[value eq "${id}"]` });
    await scim.setActive(id, true);
    assert.equal(await roleOf(id), 'viewer', 'groups changed while the person was suspended');

    const bob = await organization.addAccount('Bob', 'owner');
    const found = await scim.call(`GET /Users?filter=${encodeURIComponent(`userName eq "${bob.email}"`)}`);
    assert.equal(found.body.Resources[0].id, bob.id);
    const value = [{ value: bob.id }, { value: id }];
    await scim.patch(`/Groups/${editors.id}`, { op: 'add', path: 'members', value });
    assert.deepEqual([await roleOf(bob.id), await roleOf(id)], ['owner', 'editor']);

    const line = `PATCH /api/organizations/${organization.id}/members/${id}`;
    await world.server.call(line, { as: organization.owner, body: { role: 'admin' } });
    const others = await scim.createGroup('Others', [id], { externalId: 'others' });
    assert.equal(await roleOf(id), 'admin', 'a group that gives no role changes none');
    await scim.patch(`/Groups/${others.id}`, { op: 'replace', path: 'externalId', value: 'Editors' });
    assert.equal(await roleOf(id), 'admin', 'nor does its new name');
    await scim.patch(`/Groups/${editors.id}`, { op: 'replace', path: 'externalId', value: 'former' });
    assert.equal(await roleOf(id), 'viewer', 'a group that gave a role, and no longer does');
    await scim.patch(`/Groups/${others.id}`, { op: 'replace', path: 'externalId', value: 'editors' });
    assert.equal(await roleOf(id), 'editor', 'a group that gives a role from now on');
  });

  test('opens what is shared with a group, until the person leaves it', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const { id: organizationId, owner } = organization;
    const subject = organization.addPerson('Viewer');
    const { id } = await scim.createUser('Viewer');
    const person = await organization.enter(subject);
    const created = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Secret', organizationId, widgets: [] },
    });
    assert.equal(created.status, 201, created.text);
    const path = `/api/dashboards/${created.body.id}`;
    const group = await scim.createGroup('Finance', [], { externalId: 'finance' });
    const put = await server.call(`PUT ${path}/access`, {
      as: owner,
      body: { restricted: true, members: [], groups: [{ groupId: 'finance', access: 'view' }] },
    });
    assert.equal(put.status, 200, put.text);
    const status = async () => (await server.call(`GET ${path}`, { as: person })).status;
    assert.equal(await status(), 404);
    await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: id }] });
    assert.equal(await status(), 200);
    await organization.enter(subject);
    assert.equal(await status(), 200, 'a sign-in without the group keeps it');
    await scim.patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${id}"]` });
    assert.equal(await status(), 404);
  });

  test('the access review lists a mapped role as the directory’s, even before the first sign-in', async () => {
    const { organization, scim } = await start();
    const { id: organizationId, owner } = organization;
    const reviewOf = async (userId: string) => {
      const path = `/api/organizations/${organizationId}/access-review?userId=${userId}`;
      const { body } = await world.server.call(`GET ${path}`, { as: owner });
      // Sound because the operation returns grants.
      const [grant] = body.items as AccessGrant[];
      return [grant?.reason, grant?.access];
    };
    const { id: ada } = await scim.createUser('Ada');
    assert.deepEqual(await reviewOf(ada), ['role', 'viewer'], 'nothing is mapped');
    const mapping = { claim: 'groups', value: 'Editors', role: 'editor' };
    assert.equal((await organization.putPolicy({ roleMappings: [mapping] })).status, 200);
    const { id: bob } = await scim.createUser('Bob');
    await scim.createGroup('Editors', [bob]);
    assert.deepEqual(await reviewOf(bob), ['directory', 'editor']);
    const given = await world.server.call(`PATCH /api/organizations/${organizationId}/members/${bob}`, {
      as: owner,
      body: { role: 'admin' },
    });
    assert.equal(given.status, 200, given.text);
    assert.deepEqual(await reviewOf(bob), ['role', 'admin'], 'a person gave this one');
    assert.deepEqual(await reviewOf(owner.id), ['role', 'owner']);
  });
});
