import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDashboard, startTeam } from '../../../tests/support/dashboards/team.ts';
import { describeOnUsualEngine, problemOf, type Person } from '../../../tests/support/server/test-server.ts';
import { setGroupsOfMember } from '../organizations/groups/groups.ts';

const notFound = { status: 404, code: 'not_found' };
const forbidden = { status: 403, code: 'forbidden' };

describeOnUsualEngine('the explanation of access', (engine) => {
  test('names the role, the owner and each share that applies, and agrees with the permissions', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, bob, { name: 'Sales', organizationId });
    const [viewer, editor] = [
      await server.createMember(organizationId, 'viewer'),
      await server.createMember(organizationId, 'editor'),
    ];
    await server.database.write(async (transaction) => {
      await setGroupsOfMember(transaction, { organizationId, userId: viewer.id }, [
        'Sales',
        'Berlin',
        viewer.id,
      ]);
      await setGroupsOfMember(transaction, { organizationId, userId: editor.id }, ['Paris']);
    });
    const explain = async (person: Person) => {
      const { body } = await server.call(`GET /api/dashboards/${id}/access/${person.id}`, { as: ada });
      const permissions = await server.call(`GET /api/dashboards/${id}/permissions`, { as: person });
      assert.equal(body.access, permissions.body.access);
      assert.equal(body.access === undefined, permissions.status === 404);
      return body.reasons;
    };
    const role = (access: string) => ({ by: 'role', access });
    assert.deepEqual(await explain(viewer), [role('view')]);
    assert.deepEqual(await explain(editor), [role('edit')]);
    const groups = [
      { groupId: 'Sales', access: 'edit' },
      { groupId: 'Berlin', access: 'view' },
      { groupId: 'Rome', access: 'edit' },
    ];
    const body = { restricted: true, members: [{ userId: viewer.id, access: 'view' }], groups };
    assert.equal((await server.call(`PUT /api/dashboards/${id}/access`, { as: bob, body })).status, 200);
    assert.deepEqual(await explain(viewer), [
      { by: 'group', groupId: 'Berlin', groupName: 'Berlin', access: 'view' },
      { by: 'group', groupId: 'Sales', groupName: 'Sales', access: 'edit' },
      { by: 'share', access: 'view' },
    ]);
    assert.deepEqual(await explain(editor), []);
    assert.deepEqual(await explain(bob), [{ by: 'owner', access: 'manage' }]);
    assert.deepEqual(await explain(ada), [role('manage')]);
  });

  test('is only for people who can share, about members', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const stranger = await server.createPerson('Stranger');
    await server.createOrganization(stranger);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const ask = async (as: Person, about: string, of = id) =>
      problemOf(await server.call(`GET /api/dashboards/${of}/access/${about}`, { as }));
    assert.deepEqual(await ask(bob, bob.id), forbidden);
    assert.deepEqual(await ask(stranger, ada.id), notFound);
    assert.deepEqual(await ask(ada, stranger.id), notFound);
    assert.deepEqual(await ask(ada, 'nobody'), notFound);
    const mine = await createDashboard(server, ada, { name: 'Mine' });
    assert.deepEqual(await ask(ada, ada.id, mine), { status: 409, code: 'personal_dashboard' });
  });
});
