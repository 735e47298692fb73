import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp } from '../../../src/server/base/clock.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { insertGroupMembers, upsertGroup } from '../../../src/server/scim/groups/store.ts';
import { schemas, startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

/** Returns names that differ only in the case of their first letters. */
const caseVariants = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    Array.from(name, (letter, at) => ((index >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join(''),
  );

describeSignIns('requests of provisioning that cost much', (world) => {
  const start = async () => {
    const organization = await world.createOrganization();
    return { organization, scim: await startProvisioning(world.server, organization) };
  };

  test('one operation with thousands of spellings of an attribute is refused', async () => {
    const { scim } = await start();
    const { id } = await scim.createUser('Ada');
    const group = await scim.createGroup('Sales', [id]);
    const membersOf = caseVariants('urnietfparams', 8_000).map(
      (name) =>
        `${name.slice(0, 3)}:${name.slice(3, 7)}:${name.slice(7)}:scim:schemas:core:2.0:Group:members`,
    );
    const attempts = [
      [`/Groups/${group.id}`, membersOf],
      [`/Users/${id}`, caseVariants('phonenumbers', 4_096).map((name) => `${name}[type pr].display`)],
    ] as const;
    for (const [path, names] of attempts) {
      assert.equal(new Set(names).size, names.length);
      const value = Object.fromEntries(names.map((name) => [name, []]));
      const { status, body } = await scim.patch(path, { op: 'add', value });
      assert.deepEqual([status, body.scimType], [400, 'invalidSyntax'], path);
    }
  });

  test('many groups with many members are listed in pages, and found by members without reading them', async () => {
    const { organization, scim } = await start();
    const { server } = world;
    const [groupCount, memberCount] = [150, 150];
    const at = timestamp(server.clock());
    const idOf = (index: number) => `${organization.id}-${String(index).padStart(4, '0')}`;
    const userIds = await server.database.write(async (transaction) => {
      const ids: string[] = [];
      for (let index = 0; index < memberCount; index += 1) {
        const email = `member${index}@${organization.domain}`;
        const about = { email, name: 'Member', passwordHash: null, organizationId: organization.id };
        ids.push((await createUser(transaction, server.clock, about)).id);
      }
      for (let index = 0; index < groupCount; index += 1) {
        const displayName = `Group ${index}`;
        const names = { name: displayName, displayName, externalId: null };
        const stored = { ...names, id: idOf(index), organizationId: organization.id, version: 1, at };
        await upsertGroup(transaction, { ...stored, createdAt: at });
        await insertGroupMembers(transaction, { groupId: stored.id, userIds: ids.slice(index % 2) });
      }
      return ids;
    });
    const seen: string[] = [];
    const pages: number[] = [];
    while (seen.length < groupCount) {
      const { body } = await scim.call(`GET /Groups?count=500&startIndex=${seen.length + 1}`);
      assert.deepEqual([body.totalResults, body.itemsPerPage], [groupCount, body.Resources.length]);
      pages.push(body.itemsPerPage);
      for (const { id, members } of body.Resources) {
        assert.equal(members.length, memberCount - (seen.length % 2), 'all members, or not the group');
        seen.push(id);
      }
    }
    assert.deepEqual(
      seen,
      Array.from({ length: groupCount }, (_, index) => idOf(index)),
    );
    assert.deepEqual(pages, [133, 17]);
    const { body: named } = await scim.call('GET /Groups?count=500&excludedAttributes=members');
    assert.equal(named.itemsPerPage, groupCount);

    const find = (filter: string, page = 'count=0') =>
      scim.call(`GET /Groups?${page}&filter=${encodeURIComponent(filter)}`);
    const [first = '', second = ''] = userIds;
    for (const [filter, total] of [
      [`members eq "${first}"`, 75],
      [`not (members.value eq "${first}")`, 75],
      [`members[value eq "${first}" or value eq "${second}"]`, 150],
      [`members eq "${second}" and not (members eq "${first}") and displayName sw "group 1"`, 31],
      [`members eq "${first}" or displayName eq "Group 1"`, 76],
      [`urn:ietf:params:scim:schemas:core:2.0:Group:members eq "${first}"`, 75],
    ] as const) {
      const { status, body } = await find(filter);
      assert.deepEqual([status, body.totalResults], [200, total], filter);
    }
    const { body: matched } = await find('displayName co "Group"', 'count=500');
    assert.deepEqual([matched.totalResults, matched.itemsPerPage], [groupCount, 133]);
    for (const filter of [
      'members.value co "zz"',
      'members pr',
      'members.value ne "a"',
      'members.display eq "Member"',
      'members[not (value eq "a")]',
      'members[value sw "a"]',
      `members[value eq "${first}"].display eq "Member"`,
      'displayName eq "x" and not (MEMBERS gt "a")',
      'urn:ietf:params:scim:schemas:core:2.0:Group:members.value co "zz"',
    ]) {
      const { status, body } = await find(filter);
      assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter);
    }
  });

  test('the attributes of a person have at most 16 KB, and suspending adds nothing to them', async () => {
    const { organization, scim } = await start();
    const personOf = (length: number) => ({
      userName: `large@${organization.domain}`,
      addresses: Array.from({ length: 17 }, (_, at) => ({ formatted: 'x'.repeat(at === 0 ? length : 960) })),
    });
    const large = (length: number) => ({ schemas: [schemas.user], ...personOf(length) });
    const most = 16_384 - JSON.stringify({ ...personOf(0), active: false }).length;
    const { body: refused, status } = await scim.call('POST /Users', large(most + 1));
    assert.deepEqual([status, refused.scimType], [400, 'invalidValue']);
    assert.equal(refused.detail, 'The attributes of a person may have at most 16 KB.');
    const created = await scim.call('POST /Users', large(most));
    assert.equal(created.status, 201, created.text);
    const path = `/Users/${created.body.id}`;
    for (const response of [
      await scim.call(`PUT ${path}`, large(most + 1)),
      await scim.patch(path, { op: 'add', path: 'title', value: 'x' }),
    ])
      assert.deepEqual([response.status, response.body.scimType], [400, 'invalidValue']);
    await scim.setActive(created.body.id, false);
  });
});
