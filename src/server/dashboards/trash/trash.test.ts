import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDashboard,
  dashboardAudit,
  deleteDashboard,
  startTeam,
} from '../../../../tests/support/dashboard-team.ts';
import { forbidden, notFound, statusesOf } from '../../../../tests/support/organization-calls.ts';
import {
  describeOnBothEngines,
  problemOf,
  type Person,
  type TestServer,
} from '../../../../tests/support/test-server.ts';
import { daysMs } from '../../base/clock.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { purgeOldDashboards } from './trash.ts';

const start = Date.UTC(2026, 10, 21, 9);
const running = { aborted: false };

describeOnBothEngines('the trash of dashboards', (engine) => {
  test('has what was deleted, the last first, until it is restored or purged', async (context) => {
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

  test('is read in pages that skip and repeat nothing, even of one moment', async (context) => {
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
      // What is deleted meanwhile comes before, and moves nothing.
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

  test('gives a dashboard back as it was, with its version and its history', async (context) => {
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

  test('does not find what is elsewhere or belongs to others', async (context) => {
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

  test('keeps from purging who may only edit, and leaves no row of what is purged', async (context) => {
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

  test('is restored or purged, when both are asked at once', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const id = await createDashboard(server, ada, { name: 'Sales', organizationId });
    await deleteDashboard(server, ada, id);
    const answers = await Promise.all([
      server.call(`POST /api/trash/dashboards/${id}/restore`, { as: ada }),
      server.call(`DELETE /api/trash/dashboards/${id}`, { as: ada }),
      server.call(`POST /api/trash/dashboards/${id}/restore`, { as: ada }),
    ]);
    const [done] = statusesOf(answers);
    assert.deepEqual(statusesOf(answers), [done, 404, 404]);
    const { status } = await server.call(`GET /api/dashboards/${id}`, { as: ada });
    assert.equal(status, done === 204 ? 404 : 200);
  });

  test('is emptied of what is older than 30 days, whoever does it at the same time', async (context) => {
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
    await purgeOldDashboards(server.database, () => start + daysMs(30), running);
    assert.equal((await trashOf(server, ada)).length, 46);
    const later = () => start + daysMs(30) + 1;
    await purgeOldDashboards(server.database, later, { aborted: true });
    assert.equal((await trashOf(server, ada)).length, 26);
    await Promise.all(Array.from({ length: 3 }, () => purgeOldDashboards(server.database, later, running)));
    await purgeOldDashboards(server.database, later, running);
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
