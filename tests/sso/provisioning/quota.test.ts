import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfOrganization } from '../../../src/server/base/tenant.ts';
import { createProvisioned, schemas } from '../../support/sso/provisioning.ts';
import { describeSignIns } from '../../support/sso/world.ts';

describeSignIns('provisioning an organization whose content is full', (world) => {
  test('adds nobody and no group, and ends access all the same', async (context) => {
    const { organization, scim } = await createProvisioned(world);
    const { allowances } = world.server.database;
    const { limits } = allowances;
    assert.ok(limits);
    context.after(() => (allowances.limits = limits));
    const ada = await scim.createUser('Ada');
    const bob = await scim.createUser('Bob');
    const { id: groupId } = await scim.createGroup('Sales', [ada.id]);
    const path = `GET /api/organizations/${organization.id}/usage`;
    const { bytes } = (await world.server.call(path, { as: organization.owner })).body;
    // Both people, the group and its member have more than 200 bytes each.
    assert.ok(bytes.used > 800, String(bytes.used));

    allowances.limits = { ...limits, organization: { records: 100, bytes: bytes.used } };
    allowances.grant(keyOfOrganization(organization.id), { records: 0, bytes: 0 });
    const { domain } = organization;
    const member = (id: string) => [{ value: id }];
    for (const refused of [
      await scim.call('POST /Users', { schemas: [schemas.user], userName: `cyd@${domain}`, active: true }),
      await scim.call('POST /Groups', { schemas: [schemas.group], displayName: 'Other' }),
      await scim.patch(`/Users/${ada.id}`, { op: 'add', path: 'title', value: 'x'.repeat(500) }),
      await scim.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: member(bob.id) }),
    ]) {
      assert.equal(refused.status, 403, refused.text);
      assert.deepEqual(refused.body.schemas, [schemas.error]);
      assert.match(refused.body.detail, /reached the limit of .* MiB/);
    }
    await scim.setActive(bob.id, false);
    const moved = await scim.call(`PUT /Groups/${groupId}`, {
      schemas: [schemas.group],
      displayName: 'Sales',
      members: [],
    });
    assert.deepEqual([moved.status, moved.body.members ?? []], [200, []]);
    assert.equal((await scim.call(`DELETE /Users/${ada.id}`)).status, 204);
  });
});
