import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDashboard,
  dashboardAudit,
  deleteDashboard,
  share,
  startTeam,
} from '../../../../tests/support/dashboards/team.ts';
import { forbidden, notFound, remove } from '../../../../tests/support/organizations/calls.ts';
import { describeOnUsualEngine, problemOf } from '../../../../tests/support/server/test-server.ts';
import { setGroupsOfMember } from '../../organizations/groups/groups.ts';
import { prepare } from '../../storage/prepared-query.ts';

const personal = { status: 409, code: 'personal_dashboard' };
const invalid = (...faults: string[]) => ({ status: 400, code: 'invalid_body', faults });

describeOnUsualEngine('sharing a dashboard', (engine) => {
  test('returns the members, and is recorded in the audit log', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const carl = await server.createMember(organizationId, 'viewer');
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const path = `/api/dashboards/${id}/access`;
    assert.deepEqual((await server.call(`GET ${path}`, { as: bob })).body, {
      restricted: false,
      members: [],
      groups: [],
    });
    const named = [
      { userId: carl.id, access: 'edit' },
      { userId: bob.id, access: 'view' },
    ];
    const body = { restricted: true, members: named };
    const stored = await server.call(`PUT ${path}`, { as: ada, body });
    const expected = {
      restricted: true,
      members: [
        { userId: bob.id, access: 'view', name: 'editor', email: bob.email, role: 'editor' },
        { userId: carl.id, access: 'edit', name: 'viewer', email: carl.email, role: 'viewer' },
      ].toSorted((one, other) => (one.userId < other.userId ? -1 : 1)),
      groups: [],
    };
    assert.deepEqual([stored.status, stored.body], [200, expected]);
    assert.deepEqual((await server.call(`GET ${path}`, { as: carl })).body, expected);
    assert.equal((await server.call(`PUT ${path}`, { as: ada, body })).status, 200);
    await share(server, ada, id, { restricted: false, members: [{ userId: carl.id, access: 'view' }] });
    const before = {
      restricted: true,
      members: expected.members.map(({ userId, access }) => ({ userId, access })),
      groups: [],
    };
    assert.deepEqual(await dashboardAudit(server, ada, organizationId), [
      [
        'dashboard.access_changed',
        ada.id,
        {
          dashboardId: id,
          name: 'Sales',
          before,
          after: { restricted: false, members: [{ userId: carl.id, access: 'view' }], groups: [] },
        },
      ],
      [
        'dashboard.access_changed',
        ada.id,
        {
          dashboardId: id,
          name: 'Sales',
          before: { restricted: false, members: [], groups: [] },
          after: before,
        },
      ],
    ]);
  });

  test('reports every fault of a list at once, and stores nothing', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const stranger = await server.createPerson('Stranger');
    await server.createOrganization(stranger);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const put = (body: unknown) => server.call(`PUT /api/dashboards/${id}/access`, { as: ada, body });
    const members = [
      { userId: bob.id, access: 'view' },
      { userId: stranger.id, access: 'edit' },
      { userId: bob.id, access: 'edit' },
      { userId: crypto.randomUUID(), access: 'view' },
      { userId: '', access: 'view' },
    ];
    const refused = await put({ restricted: true, members });
    assert.deepEqual(
      problemOf(refused),
      invalid(
        '/members/1/userId member',
        '/members/2/userId unique',
        '/members/3/userId member',
        '/members/4/userId member',
      ),
    );
    // Nothing reveals whether a person of another organization exists.
    assert.equal(refused.body.errors[0].message, refused.body.errors[2].message);
    assert.deepEqual((await server.call(`GET /api/dashboards/${id}/access`, { as: ada })).body, {
      restricted: false,
      members: [],
      groups: [],
    });
    assert.deepEqual(
      problemOf(await put({ restricted: 'true', members: [{ userId: 1, access: 'manage' }, {}] })),
      invalid(
        '/members/0/access enum',
        '/members/0/userId type',
        '/members/1/access required',
        '/members/1/userId required',
        '/restricted type',
      ),
    );
    const many = Array.from({ length: 501 }, () => ({ userId: bob.id, access: 'view' }));
    assert.deepEqual(problemOf(await put({ restricted: true, members: many })), invalid('/members maxItems'));
  });

  test('with directory groups returns them, and leaves them as they are without the list', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const eve = await server.createMember(organizationId, 'viewer');
    await server.database.write((transaction) =>
      setGroupsOfMember(transaction, { organizationId, userId: eve.id }, ['Sales', 'Berlin']),
    );
    const put = (body: object) =>
      server.call(`PUT /api/dashboards/${id}/access`, {
        as: ada,
        body: { restricted: true, members: [], ...body },
      });
    const groups = [
      { groupId: 'Sales', access: 'edit' },
      { groupId: 'Nobody yet', access: 'view' },
    ];
    const stored = [
      { groupId: 'Nobody yet', name: 'Nobody yet', access: 'view', memberCount: 0 },
      { groupId: 'Sales', name: 'Sales', access: 'edit', memberCount: 1 },
    ];
    assert.deepEqual((await put({ groups })).body, { restricted: true, members: [], groups: stored });
    assert.deepEqual((await put({})).body.groups, stored);
    assert.equal(
      (await server.call(`GET /api/dashboards/${id}/permissions`, { as: eve })).body.access,
      'edit',
    );
    assert.deepEqual(
      problemOf(
        await put({ members: [{ userId: 'Sales', access: 'view' }], groups: [...groups, ...groups] }),
      ),
      invalid('/groups/2/groupId unique', '/groups/3/groupId unique', '/members/0/userId member'),
    );
    assert.deepEqual(
      problemOf(
        await put({
          groups: [
            { groupId: '', access: 'use' },
            { groupId: 'x'.repeat(257), access: 'view' },
          ],
        }),
      ),
      invalid('/groups/0/access enum', '/groups/0/groupId minLength', '/groups/1/groupId maxLength'),
    );
    assert.deepEqual((await put({ groups: [] })).body.groups, []);
    assert.equal((await server.call(`GET /api/dashboards/${id}`, { as: eve })).status, 404);
    const [ended, granted] = await dashboardAudit(server, ada, organizationId);
    assert.deepEqual(
      [granted?.[2]['after'], ended?.[2]['after']],
      [
        { restricted: true, members: [], groups: stored.map(({ groupId, access }) => ({ groupId, access })) },
        { restricted: true, members: [], groups: [] },
      ],
    );
  });

  test('is only possible for dashboards of organizations', async (context) => {
    const { server, ada, bob } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Mine' });
    const path = `/api/dashboards/${id}`;
    const access = { restricted: true, members: [{ userId: bob.id, access: 'view' }] };
    assert.deepEqual(problemOf(await server.call(`PUT ${path}/access`, { as: ada, body: access })), personal);
    assert.deepEqual(
      problemOf(await server.call(`POST ${path}/transfer`, { as: ada, body: { userId: bob.id } })),
      personal,
    );
    assert.deepEqual((await server.call(`GET ${path}/access`, { as: ada })).body, {
      restricted: false,
      members: [],
      groups: [],
    });
    assert.deepEqual((await server.call(`GET ${path}/permissions`, { as: ada })).body, {
      access: 'manage',
      isOwner: true,
      restricted: false,
    });
  });

  test('survives a change of role and the trash', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const carl = await server.createMember(organizationId, 'viewer');
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    await share(server, ada, id, { restricted: true, members: [{ userId: carl.id, access: 'edit' }] });
    for (const role of ['admin', 'viewer']) {
      const line = `PATCH /api/organizations/${organizationId}/members/${carl.id}`;
      assert.equal((await server.call(line, { as: ada, body: { role } })).status, 200);
    }
    await deleteDashboard(server, carl, id);
    assert.equal((await server.call(`POST /api/trash/dashboards/${id}/restore`, { as: carl })).status, 200);
    assert.deepEqual((await server.call(`GET /api/dashboards/${id}/permissions`, { as: carl })).body, {
      access: 'edit',
      isOwner: false,
      restricted: true,
    });
  });

  test('ends with the membership, and does not return with a new one', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const other = await server.createOrganization(ada);
    const carl = await server.createMember(organizationId, 'viewer');
    await server.addMember(other, carl, 'viewer');
    const named = { restricted: true, members: [{ userId: carl.id, access: 'edit' as const }] };
    const [here, deleted, there] = [
      await createDashboard(server, ada, { name: 'Here', organizationId }),
      await createDashboard(server, ada, { name: 'Deleted', organizationId }),
      await createDashboard(server, ada, { name: 'There', organizationId: other }),
    ];
    for (const id of [here, deleted, there]) await share(server, ada, id, named);
    await deleteDashboard(server, ada, deleted);
    assert.equal((await remove(server, ada, organizationId, carl.id)).status, 204);
    await server.addMember(organizationId, carl, 'viewer');
    assert.deepEqual(problemOf(await server.call(`GET /api/dashboards/${here}`, { as: carl })), notFound);
    await server.call(`POST /api/trash/dashboards/${deleted}/restore`, { as: ada });
    assert.deepEqual(problemOf(await server.call(`GET /api/dashboards/${deleted}`, { as: carl })), notFound);
    assert.equal((await server.call(`GET /api/dashboards/${there}`, { as: carl })).status, 200);
  });

  test('never includes a member who is removed at the same time', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    for (let round = 0; round < 10; round += 1) {
      const carl = await server.createMember(organizationId, 'editor');
      const body = { restricted: true, members: [{ userId: carl.id, access: 'edit' }] };
      const [put, removed] = await Promise.all([
        server.call(`PUT /api/dashboards/${id}/access`, { as: ada, body }),
        remove(server, ada, organizationId, carl.id),
      ]);
      assert.ok([200, 400].includes(put.status), put.text);
      assert.equal(removed.status, 204);
      assert.deepEqual(await server.database.all(shares, {}), []);
    }
  });
});

describeOnUsualEngine('transferring a dashboard', (engine) => {
  test('makes another member the owner, as a new version', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const path = `/api/dashboards/${id}`;
    const { body: before } = await server.call(`GET ${path}`, { as: ada });
    server.advance(1000);
    const transfer = () => server.call(`POST ${path}/transfer`, { as: ada, body: { userId: bob.id } });
    const response = await transfer();
    assert.deepEqual(
      [response.status, response.headers['etag'], response.body],
      [200, '"2"', { ...before, userId: bob.id, updatedAt: '2026-11-21T09:00:01.000Z' }],
    );
    const again = await transfer();
    assert.deepEqual([again.status, again.headers['etag'], again.text], [200, '"2"', response.text]);
    assert.deepEqual((await server.call(`GET ${path}`, { as: bob })).text, response.text);
    const { body: history } = await server.call(`GET ${path}/versions`, { as: bob });
    assert.deepEqual(
      history.items.map(({ version, change, userId }: Record<string, unknown>) => [version, change, userId]),
      [
        [2, 'transferred', ada.id],
        [1, 'created', ada.id],
      ],
    );
    assert.deepEqual(await dashboardAudit(server, ada, organizationId), [
      ['dashboard.transferred', ada.id, { dashboardId: id, name: 'Sales', before: ada.id, after: bob.id }],
    ]);
    // An edit that started before is merged, and doesn't change the owner.
    const headers = { 'if-match': '"1"' };
    const saved = await server.call(`PATCH ${path}`, { as: ada, headers, body: { name: 'Sales 2' } });
    assert.deepEqual(
      [saved.status, saved.body.userId, saved.body.name, saved.headers['etag']],
      [200, bob.id, 'Sales 2', '"3"'],
    );
  });

  test('requires a member who may create dashboards, and an actor who manages this one', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const carl = await server.createMember(organizationId, 'viewer');
    const stranger = await server.createPerson('Stranger');
    await server.createOrganization(stranger);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const transfer = (body: object, as = ada) =>
      server.call(`POST /api/dashboards/${id}/transfer`, { as, body });
    assert.deepEqual(problemOf(await transfer({ userId: carl.id })), invalid('/userId role'));
    for (const userId of [stranger.id, crypto.randomUUID(), '']) {
      assert.deepEqual(problemOf(await transfer({ userId })), invalid('/userId member'), userId);
    }
    assert.deepEqual(problemOf(await transfer({})), invalid('/userId required'));
    assert.deepEqual(problemOf(await transfer({ userId: bob.id }, bob)), forbidden);
    assert.deepEqual(problemOf(await transfer({ userId: stranger.id }, stranger)), notFound);
  });

  test('passes on the dashboards of a former member, who owns them until then', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const [id, own] = [
      await createDashboard(server, bob, { name: 'Sales', organizationId }),
      await createDashboard(server, bob, { name: 'Mine' }),
    ];
    await share(server, bob, id, { restricted: true, members: [] });
    await remove(server, ada, organizationId, bob.id);
    const left = await server.call(`GET /api/dashboards/${id}`, { as: ada });
    assert.deepEqual([left.status, left.body.userId], [200, bob.id]);
    assert.deepEqual(problemOf(await server.call(`GET /api/dashboards/${id}`, { as: bob })), notFound);
    assert.equal((await server.call(`GET /api/dashboards/${own}`, { as: bob })).status, 200);
    assert.deepEqual(problemOf(await server.call(`GET /api/dashboards/${own}`, { as: ada })), notFound);
    const line = `POST /api/dashboards/${id}/transfer`;
    const given = await server.call(line, { as: ada, body: { userId: ada.id } });
    assert.deepEqual([given.status, given.body.userId], [200, ada.id]);
  });
});

const shares = prepare((db) => db.selectFrom('shares').select(['record_id', 'grantee_id']));
