import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp } from '../../../src/server/base/clock.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { insertMember } from '../../../src/server/organizations/member-store.ts';
import { upsertScimUser } from '../../../src/server/scim/users/store.ts';
import { schemas, startProvisioning, type Provisioner } from '../../support/sso/provisioning.ts';
import { describeSignInsOnBothEngines } from '../../support/sso/world.ts';

describeSignInsOnBothEngines('many requests of provisioning at once', (world) => {
  /** Starts the provisioning of an organization with people who have the largest attributes that are allowed. */
  const startWithLargePeople = async (count: number) => {
    const { server } = world;
    const organization = await world.createOrganization();
    const { id: organizationId, domain } = organization;
    const at = timestamp(server.clock());
    const addresses = Array.from({ length: 16 }, () => ({ formatted: 'x'.repeat(960) }));
    await server.database.write(async (transaction) => {
      for (let index = 0; index < count; index += 1) {
        const userName = `large${index}@${domain}`;
        const about = { email: userName, name: 'Large', passwordHash: null, organizationId };
        const { id: userId } = await createUser(transaction, server.clock, about);
        const key = { organizationId, userId };
        await insertMember(transaction, { ...key, role: 'viewer', at, by: null });
        const attributes = JSON.stringify({ userName, active: true, addresses });
        await upsertScimUser(transaction, {
          ...key,
          userName,
          externalId: null,
          active: 1,
          attributes,
          version: 1,
          at,
        });
      }
    });
    return { domain, scim: await startProvisioning(server, organization) };
  };

  /** Returns the statuses of the requests, and how long another organization waited, as a part of the time that they took. */
  const measure = async (scim: Provisioner, lines: readonly (readonly [line: string, body?: object])[]) => {
    const { server } = world;
    const as = await server.createPerson('Other');
    const organizationId = await server.createOrganization(as);
    const startedMs = performance.now();
    const requests = lines.map(([line, body]) => scim.call(line, body));
    const created = await server.call('POST /api/dashboards', { as, body: { name: 'N', organizationId } });
    const listed = await server.call('GET /api/dashboards', { as });
    const waitedMs = performance.now() - startedMs;
    const statuses = new Set((await Promise.all(requests)).map(({ status }) => status));
    const part = waitedMs / (performance.now() - startedMs);
    assert.deepEqual([created.status, listed.status], [201, 200]);
    return { statuses, part };
  };

  test('lists of people don’t hold up other organizations', async () => {
    const { scim } = await startWithLargePeople(200);
    const { statuses, part } = await measure(
      scim,
      Array.from({ length: 60 }, () => ['GET /Users?count=200']),
    );
    assert.deepEqual([...statuses], [200]);
    assert.ok(part < 0.4, `It waited ${part} of the time`);
  });

  test('changes of people leave database connections for other organizations', async () => {
    const { scim, domain } = await startWithLargePeople(0);
    const { statuses, part } = await measure(
      scim,
      Array.from({ length: 100 }, (_, index) => [
        'POST /Users',
        { schemas: [schemas.user], userName: `new${index}@${domain}` },
      ]),
    );
    assert.deepEqual([...statuses], [201]);
    assert.ok(part < 0.4, `It waited ${part} of the time`);
  });

  test('a change that waits for its turn is refused if its token was revoked meanwhile', async () => {
    const { server } = world;
    const organization = await world.createOrganization();
    const scim = await startProvisioning(server, organization);
    const as = organization.owner;
    const path = `/api/organizations/${organization.id}/tokens`;
    const [token] = (await server.call(`GET ${path}?user-id=${scim.accountId}`, { as })).body.items;
    const changes = Array.from({ length: 60 }, (_, index) => scim.createUser(`Late${index}`));
    const settled = Promise.allSettled(changes);
    const revoked = await server.call(`DELETE ${path}/${token.id}`, { as });
    assert.equal(revoked.status, 204);
    const { items } = (await server.call(`GET /api/organizations/${organization.id}/members`, { as })).body;
    const results = await settled;
    const created = results.filter(({ status }) => status === 'fulfilled').length;
    assert.ok(created < 30, `${created} were created`);
    const after = (await server.call(`GET /api/organizations/${organization.id}/members?limit=200`, { as }))
      .body;
    assert.ok(after.items.length <= items.length + 1, 'Only the one in progress was created');
  });
});
