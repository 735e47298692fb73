import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Person } from '../../support/server/test-server.ts';
import type { SsoOrganization } from '../../support/sso/organization.ts';
import { describeSignIns } from '../../support/sso/world.ts';

const sales = 'a2f7c6d0-0000-4000-8000-000000000001';

describeSignIns('the directory groups of a member', (world) => {
  /** Creates a restricted dashboard of the organization that is shared with a group. */
  async function createShared(organization: SsoOrganization, groupId = sales, access = 'view') {
    const { owner, id: organizationId } = organization;
    const { body } = await world.server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Sales', organizationId },
    });
    const shared = await world.server.call(`PUT /api/dashboards/${body.id}/access`, {
      as: owner,
      body: { restricted: true, members: [], groups: [{ groupId, access }] },
    });
    assert.equal(shared.status, 200, shared.text);
    return body.id as string;
  }
  const statusOf = async (as: Person, id: string) =>
    (await world.server.call(`GET /api/dashboards/${id}`, { as })).status;

  test('grant access from one sign-in to the next', async () => {
    const organization = await world.createOrganization();
    const id = await createShared(organization, sales, 'edit');
    const seen: unknown[] = [];
    for (const claims of [
      {},
      { groups: [sales] },
      { groups: sales },
      { groups: [sales.toUpperCase()] },
      { groups: ['other', sales] },
      { roles: [sales] },
      { groups: [sales] },
      { groups: [] },
    ]) {
      const bob = await organization.enter(organization.addPerson('Bob', claims));
      const { body } = await world.server.call(`GET /api/dashboards?organizationId=${organization.id}`, {
        as: bob,
      });
      seen.push([await statusOf(bob, id), body.items.length]);
    }
    const [granted, denied] = [
      [200, 1],
      [404, 0],
    ];
    assert.deepEqual(seen, [denied, granted, granted, denied, granted, denied, granted, denied]);
  });

  test('stay as they were if Entra leaves them out because there are too many', async () => {
    const organization = await world.createOrganization();
    const id = await createShared(organization);
    const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'x' } } };
    await organization.enter(organization.addPerson('Bob', { groups: [sales] }));
    const bob = await organization.enter(organization.addPerson('Bob', overage));
    assert.equal(await statusOf(bob, id), 200);
    const eve = await organization.enter(organization.addPerson('Eve', overage));
    assert.equal(await statusOf(eve, id), 404);
  });

  test('grant nothing in another organization whose records are shared with a group of the same name', async () => {
    const [own, victim] = [await world.createOrganization(), await world.createOrganization()];
    const id = await createShared(victim);
    const eve = await own.enter(own.addPerson('Eve', { groups: [sales] }));
    assert.equal(await statusOf(eve, id), 404);
    // Not even if the person is a member there, without that group.
    const colleague = await victim.addAccount('Mallory', 'viewer');
    assert.equal(await statusOf(colleague, id), 404);
    const { body } = await world.server.call(`GET /api/organizations/${victim.id}/groups`, {
      as: victim.owner,
    });
    assert.deepEqual(body, { items: [] });
  });

  test('end with the membership and with the configuration', async () => {
    const organization = await world.createOrganization();
    const id = await createShared(organization);
    const subject = organization.addPerson('Bob', { groups: [sales] });
    const listed = async () =>
      (
        await world.server.call(`GET /api/organizations/${organization.id}/groups`, {
          as: organization.owner,
        })
      ).body.items;
    for (const end of [
      async (bob: Person) =>
        world.server.call(`DELETE /api/organizations/${organization.id}/members/${bob.id}`, {
          as: organization.owner,
        }),
      async () => organization.save({ enabled: false }),
      async () => organization.call('DELETE /config'),
    ]) {
      await organization.save();
      const bob = await organization.enter(subject);
      assert.equal(await statusOf(bob, id), 200);
      assert.deepEqual(await listed(), [{ groupId: sales, name: sales, memberCount: 1 }]);
      await end(bob);
      assert.deepEqual(await listed(), []);
    }
  });

  test('are stored within limits, and only if they are texts on one line', async () => {
    const organization = await world.createOrganization();
    const many = Array.from({ length: 2_100 }, (_, index) => `group ${String(index).padStart(4, '0')}`);
    const odd = ['', 'x'.repeat(257), 'a\nb', 'a\u0000', 7, null, {}, 'Vertrieb Süd', sales, sales];
    await organization.enter(organization.addPerson('Bob', { groups: odd }));
    const call = async (query: string) =>
      (
        await world.server.call(`GET /api/organizations/${organization.id}/groups?${query}`, {
          as: organization.owner,
        })
      ).body;
    assert.deepEqual(await call(''), {
      items: [
        { groupId: 'Vertrieb Süd', name: 'Vertrieb Süd', memberCount: 1 },
        { groupId: sales, name: sales, memberCount: 1 },
      ],
    });
    assert.deepEqual(
      (await call('q=VERTRIEB')).items.map(({ groupId }: { groupId: string }) => groupId),
      ['Vertrieb Süd'],
    );
    assert.deepEqual((await call('q=%25')).items, []);
    await organization.enter(organization.addPerson('Bob', { groups: many }));
    let count = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { items, nextCursor }: { items: object[]; nextCursor?: string } = await call(
        `limit=200${cursor && `&cursor=${cursor}`}`,
      );
      count += items.length;
      cursor = nextCursor;
    }
    assert.equal(count, 2_000);
  });
});
