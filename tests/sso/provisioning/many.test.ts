import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp } from '../../../src/server/base/clock.ts';
import { insertMember } from '../../../src/server/organizations/member-store.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { selectPeople } from '../../../src/server/scim/users/store.ts';
import { roundsOr } from '../../support/rounds.ts';
import type { TestServer } from '../../support/server/test-server.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { startProvisioning } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

/** Calls `work` for each item, a few at once, as a provisioning service does. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Creates members whose accounts the organization manages, without the requests that it takes. */
const createMembers = (
  { database, clock }: TestServer,
  { id: organizationId, domain }: SsoOrganization,
  count: number,
): Promise<string[]> =>
  database.write(async (transaction) => {
    const at = timestamp(clock());
    const userIds: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const about = { email: `member${index}@${domain}`, name: 'Member', passwordHash: null, organizationId };
      const { id: userId } = await createUser(transaction, clock, about);
      await insertMember(transaction, { organizationId, userId, role: 'viewer', at, by: null });
      userIds.push(userId);
    }
    return userIds;
  });

/**
 * `ATRIUM_FUZZ_ROUNDS=10000 npm test -- provisioning/many` provisions 10,000 people and 500 groups, and reports time and memory.
 */
describeSignIns('provisioning a whole company', (world, engine) => {
  test('takes people and groups at 50 requests a second without refusing one', async (context) => {
    const organization = await world.createOrganization();
    const scim = await startProvisioning(world.server, organization);
    const userCount = roundsOr(200);
    const groupCount = Math.ceil(userCount / 20);
    const ids = new Map<number, string>();
    const heapBefore = process.memoryUsage().heapUsed;
    let requestCount = 0;
    const startedAt = performance.now();

    // By the limit of requests, the clock of the server has to move: 50 requests a second.
    const passTime = () => world.server.advance(40);
    const people = Array.from({ length: userCount }, (_, index) => index);
    await forEach(people, async (index) => {
      const filter = encodeURIComponent(`userName eq "person${index}@${organization.domain}"`);
      const found = await scim.call(`GET /Users?filter=${filter}`);
      assert.equal(found.body.totalResults, 0);
      ids.set(index, (await scim.createUser(`Person${index}`, { externalId: `object-${index}` })).id);
      requestCount += 2;
      passTime();
    });
    const groups = Array.from({ length: groupCount }, (_, index) => index);
    await forEach(groups, async (index) => {
      const group = await scim.createGroup(`Group ${index}`, [], { externalId: `group-${index}` });
      const value = people
        .filter((person) => person % groupCount === index || person % 100 === index % 100)
        .map((person) => ({ value: ids.get(person) }));
      const response = await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value });
      assert.equal(response.status, 204, response.text);
      requestCount += 2;
      passTime();
    });
    const seconds = (performance.now() - startedAt) / 1_000;

    const listed = await scim.call('GET /Users?startIndex=1&count=10');
    assert.equal(listed.body.totalResults, userCount);
    const scanned = await scim.call(`GET /Users?count=1&filter=${encodeURIComponent('displayName ew "n7"')}`);
    assert.equal(scanned.body.totalResults, 1);
    const megabytes = (process.memoryUsage().heapUsed - heapBefore) / 1_048_576;
    context.diagnostic(
      `${engine}: ${userCount} people and ${groupCount} groups in ${seconds.toFixed(1)} s, ` +
        `${(requestCount / seconds).toFixed(0)} requests a second, ${megabytes.toFixed(0)} MB more heap`,
    );
  });

  test('gives everyone in a group its role, and takes it away', async (context) => {
    const organization = await world.createOrganization();
    const { server } = world;
    const scim = await startProvisioning(server, organization);
    const count = roundsOr(600);
    const { id: groupId } = await scim.createGroup('Editors', []);
    const roleMappings = [{ claim: 'groups', value: 'Editors', role: 'editor' }];
    assert.equal((await organization.putPolicy({ roleMappings })).status, 200);
    const userIds = await createMembers(server, organization, count);
    const countEditors = async () => {
      const people = await selectPeople(server.database, organization.id, userIds);
      return people.filter(({ role }) => role === 'editor').length;
    };

    const timed = async (operation: { op: string; value?: unknown }): Promise<string> => {
      const startedAt = performance.now();
      const response = await scim.patch(`/Groups/${groupId}`, { path: 'members', ...operation });
      assert.equal(response.status, 204, response.text);
      return ((performance.now() - startedAt) / 1_000).toFixed(1);
    };
    const added = await timed({ op: 'add', value: userIds.map((value) => ({ value })) });
    assert.equal(await countEditors(), count);
    const removed = await timed({ op: 'remove' });
    assert.equal(await countEditors(), 0);
    context.diagnostic(`${engine}: ${count} people got a role in ${added} s, and lost it in ${removed} s`);
  });
});
