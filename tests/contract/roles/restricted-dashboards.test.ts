import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { createDashboard, startTeam } from '../../support/dashboards/team.ts';
import { describeOnBothEngines, type Person, type TestServer } from '../../support/server/test-server.ts';
import { toRequest } from './requests/requests.ts';
import { withoutIdentity, withUnknownIds, type Request, type World } from './requests/world.ts';
import { expected } from './table.ts';

const lines = Object.keys(expected).filter((line) => line.includes('/dashboards'));
/** The lines of the table of roles about one dashboard of the organization, and those about many. */
const aboutOne = lines.filter((line) => line.includes('{dashboardId}') && !line.endsWith("the owner's own"));
const aboutMany = lines.filter((line) => line.startsWith('GET ') && !line.includes('{dashboardId}'));

describeOnBothEngines('a dashboard that is restricted', (engine) => {
  test('responds like one that does not exist, byte for byte, on every route, to members without access', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const world = worldOf(server, ada, organizationId);
    for (const role of ['editor', 'viewer'] as const) {
      const eve = await server.createMember(organizationId, role);
      for (const line of aboutOne) {
        const request = await toRequest(line, world);
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

  test('is in none of their lists, nor in their trash', async (context) => {
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
      for (const line of aboutMany) {
        const { status, text } = await send(server, eve, await toRequest(line, world));
        assert.ok(status < 500, line);
        assert.ok(!ids.some((id) => text.includes(id)) && !text.includes('Canary'), `${line}: ${text}`);
      }
    }
  });
});

test('every route about a dashboard is attacked', () => {
  const attacked = new Set(aboutOne.map((line) => line.split(' ').slice(0, 2).join(' ')));
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    served.filter((line) => line.includes('{dashboardId}') && !attacked.has(line)),
    [],
  );
});

/** Sound because requests about dashboards use neither the directory nor DNS. */
const worldOf = (server: TestServer, owner: Person, organizationId: string): World =>
  ({ server, owner, organizationId, as: undefined }) as unknown as World;

const send = (server: TestServer, as: Person, { line, body, headers }: Request) =>
  server.call(line, { as, ...(body && { body }), ...(headers && { headers }) });

const restrictAll = prepare((db) => db.updateTable('dashboards').set({ restricted: 1 }));
