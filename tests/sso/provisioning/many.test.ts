import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOr } from '../../support/rounds.ts';
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
});
