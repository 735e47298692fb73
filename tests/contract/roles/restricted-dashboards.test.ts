import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { createDashboard, startTeam } from '../../support/dashboards/team.ts';
import { describeOnBothEngines, type Person, type TestServer } from '../../support/server/test-server.ts';
import { dashboardRequests } from './requests/dashboards.ts';
import { withoutIdentity, withUnknownIds, type Request, type World } from './requests/world.ts';

/** The requests about one dashboard of the organization, by their lines in the table of roles: new routes are there too. */
const aboutOne = Object.entries(dashboardRequests).filter(
  ([line]) => line.includes('{dashboardId}') && !line.endsWith("the owner's own"),
);
const aboutMany = Object.entries(dashboardRequests).filter(
  ([line]) => line.startsWith('GET ') && !line.includes('{dashboardId}'),
);

describeOnBothEngines('a dashboard that is restricted', (engine) => {
  test('is to whom it does not name what never was, byte for byte, on every route', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const world = worldOf(server, ada, organizationId);
    for (const role of ['editor', 'viewer'] as const) {
      const eve = await server.createMember(organizationId, role);
      for (const [line, toRequest] of aboutOne) {
        const request = await toRequest(world);
        await server.database.write((transaction) => transaction.run(restrictAll, {}));
        const [restricted, unknown] = [
          await send(server, eve, request),
          await send(server, eve, withUnknownIds(request)),
        ];
        assert.equal(restricted.status, 404, `${line}, ${role}: ${restricted.text}`);
        assert.deepEqual(withoutIdentity(restricted), withoutIdentity(unknown), `${line}, ${role}`);
      }
    }
  });

  test('is in no list of theirs, nor in their trash', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const world = worldOf(server, ada, organizationId);
    const ids = [
      await createDashboard(server, ada, { name: 'Canary', organizationId }),
      await createDashboard(server, ada, { name: 'Canary', organizationId }),
    ];
    await server.call(`DELETE /api/dashboards/${ids[0]}`, { as: ada });
    await server.database.write((transaction) => transaction.run(restrictAll, {}));
    for (const role of ['editor', 'viewer'] as const) {
      const eve = await server.createMember(organizationId, role);
      for (const [line, toRequest] of aboutMany) {
        const { status, text } = await send(server, eve, await toRequest(world));
        assert.ok(status < 500, line);
        assert.ok(!ids.some((id) => text.includes(id)) && !text.includes('Canary'), `${line}: ${text}`);
      }
    }
  });
});

test('every route about a dashboard is attacked', () => {
  const attacked = new Set(aboutOne.map(([line]) => line.split(' ').slice(0, 2).join(' ')));
  const lines = routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    lines.filter((line) => line.includes('{dashboardId}') && !attacked.has(line)),
    [],
  );
});

/** Requests about dashboards need nothing of the world outside. */
const worldOf = (server: TestServer, owner: Person, organizationId: string): World =>
  ({ server, owner, organizationId, as: undefined }) as unknown as World;

const send = (server: TestServer, as: Person, { line, body, headers }: Request) =>
  server.call(line, { as, ...(body && { body }), ...(headers && { headers }) });

const restrictAll = prepare((db) => db.updateTable('dashboards').set({ restricted: 1 }));
