import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routes } from '#contract/routes.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import { createDashboard, startTeam } from '../../support/dashboards/team.ts';
import { describeOnUsualEngine, type Person, type TestServer } from '../../support/server/test-server.ts';
import { create } from './requests/fixtures.ts';
import { toRequest } from './requests/requests.ts';
import { withoutIdentity, withUnknownIds, type Request, type World } from './requests/world.ts';
import { expected } from './table.ts';

/** The kinds of records, with the parameter of the routes about one, and its other lines in the table of roles. */
const kinds = {
  dashboard: { parameter: '{dashboardId}', more: ['/api/trash/dashboards/{id}'] },
  report: { parameter: '{reportId}', more: ['/api/trash/reports/{id}', "a report's result"] },
  data_source: {
    parameter: '{dataSourceId}',
    more: [
      '/api/trash/data-sources/{id}',
      '/api/trash/tables/{id}',
      'POST /api/explore/profile',
      'POST /api/explore/cube',
    ],
  },
} as const;
type Kind = keyof typeof kinds;

const lines = Object.keys(expected);

/** The lines of the table of roles about one record of the organization. */
const linesAbout = ({ parameter, more }: (typeof kinds)[Kind]): string[] =>
  lines.filter(
    (line) =>
      (line.includes(parameter) && !line.endsWith("the owner's own")) ||
      more.some((part) => line.includes(part)),
  );
/** The lines that read many things of the organization, of which each could mention a record. */
const aboutMany = lines.filter(
  (line) =>
    line.startsWith('GET ') &&
    /\/(dashboards|reports|data-sources|explore)/.test(line) &&
    !Object.values(kinds).some(({ parameter }) => line.includes(parameter)),
);

for (const [kind, about] of Object.entries(kinds)) {
  describeOnUsualEngine(`a ${kind.replace('_', ' ')} that is restricted`, (engine) => {
    test('responds like one that does not exist, byte for byte, on every route, to members without access', async (context) => {
      const { server, ada, organizationId } = await startTeam(context, engine);
      const world = worldOf(server, ada, organizationId);
      for (const role of ['editor', 'viewer'] as const) {
        const eve = await server.createMember(organizationId, role);
        for (const line of linesAbout(about)) {
          const request = await toRequest(line, world);
          // Sound because the keys are the kinds.
          await server.database.write((transaction) => transaction.run(restrictAll[kind as Kind], {}));
          const [restricted, unknown] = [
            await send(server, eve, request),
            await send(server, eve, withUnknownIds(request)),
          ];
          assert.equal(restricted.status, 404, `${line}, ${role}: ${restricted.text}`);
          assert.deepEqual(withoutIdentity(restricted), withoutIdentity(unknown), `${line}, ${role}`);
        }
      }
    });
  });
}

describeOnUsualEngine('restricted records', (engine) => {
  test('are in no list of people without access, nor in their trash', async (context) => {
    const { server, ada, organizationId } = await startTeam(context, engine);
    const world = worldOf(server, ada, organizationId);
    const reportId = (await create['reportId']?.(world, '')) ?? '';
    const deletedReportId = (await create['reportId']?.(world, '')) ?? '';
    const ids = [
      await createDashboard(server, ada, { name: 'Canary', organizationId }),
      await createDashboard(server, ada, { name: 'Canary', organizationId }),
      reportId,
      deletedReportId,
    ];
    await server.call(`DELETE /api/dashboards/${ids[0]}`, { as: ada });
    await server.call(`DELETE /api/reports/${deletedReportId}`, { as: ada });
    await server.database.write(async (transaction) => {
      await transaction.run(renameReports, { name: 'Canary' });
      for (const restrict of Object.values(restrictAll)) await transaction.run(restrict, {});
    });
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

describe('every route', () => {
  for (const { parameter } of Object.values(kinds)) {
    test(`with ${parameter} is attacked`, () => {
      const attacked = new Set(
        Object.values(kinds)
          .flatMap(linesAbout)
          .map((line) => line.split(' ').filter(Boolean).slice(0, 2).join(' ')),
      );
      const served = routes.map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(
        served.filter((line) => line.includes(parameter) && !attacked.has(line)),
        [],
      );
    });
  }
});

/** Sound because requests about records use neither the directory nor DNS. */
const worldOf = (server: TestServer, owner: Person, organizationId: string): World =>
  ({ server, owner, organizationId, as: undefined }) as unknown as World;

const send = (server: TestServer, as: Person, { line, body, headers }: Request) =>
  server.call(line, { as, ...(body && { body }), ...(headers && { headers }) });

const restrictAll = {
  dashboard: prepare((db) => db.updateTable('dashboards').set({ restricted: 1 })),
  report: prepare((db) => db.updateTable('reports').set({ restricted: 1 })),
  data_source: prepare((db) => db.updateTable('data_sources').set({ restricted: 1 })),
};

const renameReports = prepare((db, p: { name: string }) => db.updateTable('reports').set({ name: p.name }));
