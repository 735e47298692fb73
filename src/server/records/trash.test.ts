import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDashboard,
  dashboardAudit,
  deleteDashboard,
  startTeam,
} from '../../../tests/support/dashboards/team.ts';
import { forbidden, notFound, statusesOf } from '../../../tests/support/organizations/calls.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnBothEngines,
  problemOf,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { daysMs } from '../base/clock.ts';
import { prepare } from '../storage/prepared-query.ts';
import { dashboardKind } from '../dashboards/kind.ts';
import { purgeOld } from './trash.ts';

const start = Date.UTC(2026, 10, 21, 9);
const running = { aborted: false };

describeOnBothEngines('the trash of dashboards', (engine) => {
  test('lists deleted dashboards, the last deleted first, until they are restored or purged', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const [plan, sales] = [
      await createDashboard(server, ada, { name: 'Plan', description: 'Mine' }),
      await createDashboard(server, ada, { name: 'Sales', organizationId }),
    ];
    await createDashboard(server, ada, { name: 'Kept', organizationId });
    await deleteDashboard(server, ada, plan);
    server.advance(1000);
    await deleteDashboard(server, bob, sales);
    assert.deepEqual((await server.call('GET /api/trash/dashboards', { as: ada })).body, {
      items: [
        {
          id: sales,
          userId: ada.id,
          organizationId,
          name: 'Sales',
          createdAt: '2026-11-21T09:00:00.000Z',
          updatedAt: '2026-11-21T09:00:00.000Z',
          deletedAt: '2026-11-21T09:00:01.000Z',
          deletedBy: bob.id,
          deletedByName: 'editor',
          purgeAt: '2026-12-21T09:00:01.000Z',
        },
        {
          id: plan,
          userId: ada.id,
          name: 'Plan',
          description: 'Mine',
          createdAt: '2026-11-21T09:00:00.000Z',
          updatedAt: '2026-11-21T09:00:00.000Z',
          deletedAt: '2026-11-21T09:00:00.000Z',
          deletedBy: ada.id,
          deletedByName: 'Ada',
          purgeAt: '2026-12-21T09:00:00.000Z',
        },
      ],
    });
    assert.deepEqual(await trashOf(server, ada, organizationId), [sales]);
    assert.deepEqual(await trashOf(server, bob), [sales]);
    assert.deepEqual(await listOf(server, ada), ['Kept']);
    await server.call(`POST /api/trash/dashboards/${sales}/restore`, { as: bob });
    await server.call(`DELETE /api/trash/dashboards/${plan}`, { as: ada });
    assert.deepEqual(await trashOf(server, ada), []);
    assert.deepEqual(await listOf(server, ada), ['Kept', 'Sales']);
  });

  test('pages without skipping or repeating records that were deleted at the same time', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const deleted: string[] = [];
    for (const organization of [organizationId, undefined, organizationId, undefined, organizationId]) {
      const id = await createDashboard(server, ada, { name: 'D', organizationId: organization });
      await deleteDashboard(server, ada, id);
      deleted.push(id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? 'limit=2' : `limit=2&cursor=${cursor}`;
      const { body } = await server.call(`GET /api/trash/dashboards?${query}`, { as: ada });
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      server.advance(1000);
      // A dashboard deleted in the meantime comes first, and doesn't shift the others.
      await deleteDashboard(server, ada, await createDashboard(server, ada, { name: 'Later' }));
    } while (cursor !== undefined);
    assert.deepEqual(seen, deleted.toSorted().toReversed());
    const wrong = await server.call('GET /api/trash/dashboards?cursor=bm8', { as: ada });
    assert.deepEqual(problemOf(wrong), {
      status: 400,
      code: 'invalid_parameters',
      faults: ['/cursor cursor'],
    });
  });

  test('restores a dashboard as it was, with its version and history', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, {
      name: 'Sales',
      organizationId,
      widgets: [{ reportId: 'r' }],
    });
    const path = `/api/dashboards/${id}`;
    const headers = { 'if-match': '"1"' };
    await server.call(`PATCH ${path}`, { as: ada, headers, body: { name: 'Sales 2' } });
    const read = await server.call(`GET ${path}`, { as: ada });
    const history = await server.call(`GET ${path}/versions`, { as: ada });
    server.advance(1000);
    await deleteDashboard(server, ada, id);
    for (const line of [`GET ${path}`, `GET ${path}/versions`, `DELETE ${path}`]) {
      assert.deepEqual(problemOf(await server.call(line, { as: ada })), notFound, line);
    }
    const restored = await server.call(`POST /api/trash${path.slice(4)}/restore`, { as: ada });
    assert.deepEqual(
      [restored.status, restored.headers['etag'], restored.body],
      [200, read.headers['etag'], read.body],
    );
    assert.deepEqual((await server.call(`GET ${path}`, { as: ada })).text, read.text);
    assert.deepEqual((await server.call(`GET ${path}/versions`, { as: ada })).body, history.body);
  });

  test('does not find dashboards that are in use or belong to others', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const kept = await createDashboard(server, ada, { name: 'Kept', organizationId });
    const own = await createDashboard(server, ada, { name: 'Own' });
    await deleteDashboard(server, ada, own);
    for (const id of [kept, own, crypto.randomUUID(), 'x']) {
      for (const line of [`POST /api/trash/dashboards/${id}/restore`, `DELETE /api/trash/dashboards/${id}`]) {
        assert.deepEqual(problemOf(await server.call(line, { as: bob })), notFound, line);
      }
    }
  });

  test('is purged only by people who manage the dashboard, and no row remains', async (context) => {
    const { server, ada, bob, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    const headers = { 'if-match': '*' };
    await server.call(`PATCH /api/dashboards/${id}`, { as: bob, headers, body: { name: 'Sales 2' } });
    await deleteDashboard(server, bob, id);
    const line = `DELETE /api/trash/dashboards/${id}`;
    assert.deepEqual(problemOf(await server.call(line, { as: bob })), forbidden);
    assert.equal((await server.call(line, { as: ada })).status, 204);
    assert.deepEqual(problemOf(await server.call(line, { as: ada })), notFound);
    assert.deepEqual(await server.database.all(versions, {}), []);
    assert.deepEqual(await dashboardAudit(server, ada, organizationId), [
      ['dashboard.purged', ada.id, { dashboardId: id, name: 'Sales 2' }],
      ['dashboard.deleted', bob.id, { dashboardId: id, name: 'Sales 2' }],
    ]);
  });

  test('is either restored or purged when both are requested at once', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    await deleteDashboard(server, ada, id);
    const responses = await Promise.all([
      server.call(`POST /api/trash/dashboards/${id}/restore`, { as: ada }),
      server.call(`DELETE /api/trash/dashboards/${id}`, { as: ada }),
      server.call(`POST /api/trash/dashboards/${id}/restore`, { as: ada }),
    ]);
    const [done] = statusesOf(responses);
    assert.deepEqual(statusesOf(responses), [done, 404, 404]);
    const { status } = await server.call(`GET /api/dashboards/${id}`, { as: ada });
    assert.equal(status, done === 204 ? 404 : 200);
  });

  test('is purged of dashboards older than 30 days, even by several replicas at once', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const old = await Promise.all(
      Array.from({ length: 45 }, (_, index) =>
        createDashboard(server, ada, { name: `Old ${index}`, ...(index % 2 === 0 && { organizationId }) }),
      ),
    );
    const [young, kept] = [
      await createDashboard(server, ada, { name: 'Young', organizationId }),
      await createDashboard(server, ada, { name: 'Kept', organizationId }),
    ];
    await Promise.all(old.map((id) => deleteDashboard(server, ada, id)));
    server.advance(1);
    await deleteDashboard(server, ada, young);
    await purgeOld({ database: server.database, clock: () => start + daysMs(30) }, dashboardKind, running);
    assert.equal((await trashOf(server, ada)).length, 46);
    const later = { database: server.database, clock: () => start + daysMs(30) + 1 };
    const purge = (stopped: { aborted: boolean }) => purgeOld(later, dashboardKind, stopped);
    await purge({ aborted: true });
    assert.equal((await trashOf(server, ada)).length, 26);
    await Promise.all(Array.from({ length: 3 }, () => purge(running)));
    await purge(running);
    assert.deepEqual(await trashOf(server, ada), [young]);
    assert.equal((await server.call(`GET /api/dashboards/${kept}`, { as: ada })).status, 200);
    const entries = await dashboardAudit(server, ada, organizationId);
    const purged = entries.filter(([action]) => action === 'dashboard.purged');
    assert.deepEqual(
      purged.map(([, actorId, { name }]) => `${actorId} ${String(name)}`).toSorted(),
      Array.from({ length: 23 }, (_, index) => `undefined Old ${index * 2}`).toSorted(),
    );
  });
});

describeOnBothEngines('the trash of reports', (engine) => {
  test('is listed like the trash of dashboards, for people who may edit reports', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, engine);
    const editor = await server.createMember(organizationId, 'editor');
    const viewer = await server.createMember(organizationId, 'viewer');
    const [first, second, third] = [await save({}), await save({ description: 'Second' }), await save({})];
    for (const { id } of [third, first, second]) {
      await server.call(`DELETE /api/reports/${id}`, { as: editor });
      server.advance(1000);
    }
    const list = async (as: Person, query: string) =>
      (await server.call(`GET /api/trash/reports?${query}`, { as })).body;
    const page = await list(owner, `limit=2&organizationId=${organizationId}`);
    const { id, userId, dataSourceId, createdAt, updatedAt } = second;
    assert.deepEqual(page.items[0], {
      id,
      organizationId,
      userId,
      name: 'Sales',
      description: 'Second',
      dataSourceId,
      createdAt,
      updatedAt,
      deletedAt: '2026-11-21T09:00:02.000Z',
      deletedBy: editor.id,
      deletedByName: 'editor',
      purgeAt: '2026-12-21T09:00:02.000Z',
    });
    const rest = await list(owner, `limit=2&cursor=${page.nextCursor}`);
    const ids = [...page.items, ...rest.items].map((item: { id: string }) => item.id);
    assert.deepEqual([ids, rest.nextCursor], [[second.id, first.id, third.id], undefined]);
    assert.deepEqual((await list(editor, '')).items.length, 3);
    assert.deepEqual(await list(viewer, ''), { items: [] });
    assert.deepEqual(await list(viewer, `organizationId=${organizationId}`), { items: [] });
    const stranger = await server.createPerson('Eve');
    assert.deepEqual(await list(stranger, ''), { items: [] });
    const path = `GET /api/trash/reports?organizationId=${organizationId}`;
    assert.deepEqual(problemOf(await server.call(path, { as: stranger })), notFound);
  });

  test('is restored by editors, and purged by the owner of the report or an admin', async (context) => {
    const { server, owner, organizationId, save } = await startNewsroom(context, engine);
    const editor = await server.createMember(organizationId, 'editor');
    const viewer = await server.createMember(organizationId, 'viewer');
    const { id } = await save({});
    await server.call(`DELETE /api/reports/${id}`, { as: owner });
    const restore = (as: Person) => server.call(`POST /api/trash/reports/${id}/restore`, { as });
    const purgeAs = (as: Person) => server.call(`DELETE /api/trash/reports/${id}`, { as });
    assert.deepEqual(problemOf(await restore(viewer)), forbidden);
    assert.deepEqual(problemOf(await purgeAs(viewer)), forbidden);
    assert.deepEqual(problemOf(await purgeAs(editor)), forbidden);
    assert.equal((await restore(editor)).status, 200);
    assert.deepEqual(problemOf(await purgeAs(owner)), notFound);
    await server.call(`DELETE /api/reports/${id}`, { as: owner });
    assert.equal((await purgeAs(owner)).status, 204);
    const { body } = await server.call(`GET /api/organizations/${organizationId}/audit`, { as: owner });
    assert.deepEqual(
      body.items
        .filter(({ action }: { action: string }) => action.startsWith('report.'))
        .map(({ action, details }: { action: string; details: object }) => [action, details]),
      ['purged', 'deleted', 'restored', 'deleted'].map((what) => [
        `report.${what}`,
        { reportId: id, name: 'Sales' },
      ]),
    );
  });
});

const versions = prepare((db) => db.selectFrom('dashboard_versions').select(['record_id', 'version']));

async function trashOf(server: TestServer, as: Person, organizationId?: string): Promise<string[]> {
  const scope = organizationId === undefined ? '' : `&organizationId=${organizationId}`;
  const { body } = await server.call(`GET /api/trash/dashboards?limit=200${scope}`, { as });
  return body.items.map(({ id }: { id: string }) => id);
}

async function listOf(server: TestServer, as: Person): Promise<string[]> {
  const { body } = await server.call('GET /api/dashboards', { as });
  return body.items.map(({ name }: { name: string }) => name).toSorted();
}
