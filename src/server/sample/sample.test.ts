import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
} from '../../../tests/support/server/test-server.ts';

describeOnUsualEngine('the sample', (engine) => {
  test('has tables, nine reports that run and fit their charts, and a dashboard of them', async (context) => {
    const server = await startTestServer(context, engine);
    const owner = await server.createPerson();
    const organizationId = await server.createOrganization(owner);
    const as = await server.createMember(organizationId, 'editor');
    const line = `POST /api/organizations/${organizationId}/sample`;
    const created = await server.call(line, { as });
    assert.equal(created.status, 201, created.text);
    const { dataSourceId, dashboardId } = created.body;
    const { body: listed } = await server.call(`GET /api/data-sources/${dataSourceId}/tables`, { as });
    assert.deepEqual(
      listed.items.map(({ name, rowCount }: { name: string; rowCount: number }) => [name, rowCount]),
      [
        ['countries', 682],
        ['flights', 3_000_000],
        ['movies', 3_201],
        ['stocks', 560],
        ['weather', 1_461],
      ],
    );
    const { body: dashboard } = await server.call(`GET /api/dashboards/${dashboardId}`, { as });
    assert.equal(dashboard.widgets.length, 9);
    const found: Record<string, unknown> = {};
    for (const { reportId } of dashboard.widgets) {
      const { body: report } = await server.call(`GET /api/reports/${reportId}`, { as });
      const response = await server.call(`POST /api/reports/${reportId}/run`, { as, body: {} });
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.body.faults, [], report.name);
      found[report.name] = [report.visualization.kind, response.body.rowCount];
      for (const { name } of report.parameters) {
        const values = await server.call(`GET /api/reports/${reportId}/parameters/${name}/values`, { as });
        assert.ok(values.body.items.length > 10, values.text);
      }
    }
    assert.deepEqual(found, {
      Flights: ['number', 1],
      'Late flights in June': ['number', 1],
      'Late flights by hour': ['bar', 19],
      'Flights by month': ['bar', 6],
      'Busiest airports': ['bar', 10],
      'Five stock prices': ['line', 560],
      'Fertility and life expectancy': ['scatter', 62],
      'Seattle temperatures': ['heatMap', 48],
      'Film revenue by genre': ['pie', 13],
    });
    assert.deepEqual(problemOf(await server.call(line, { as })), { status: 409, code: 'sample_exists' });
  });

  test('is rejected if it would exceed the quota of its organization, and leaves nothing behind', async (context) => {
    const server = await startTestServer(context, engine, { ATRIUM_UPLOADS_MB: '2' });
    const as = await server.createPerson();
    const organizationId = await server.createOrganization(as);
    const refused = await server.call(`POST /api/organizations/${organizationId}/sample`, { as });
    assert.deepEqual(problemOf(refused), { status: 413, code: 'body_too_large' });
    const { body } = await server.call(`GET /api/organizations/${organizationId}/data-sources`, { as });
    assert.deepEqual(body.items, []);
    assert.ok(!existsSync(join(server.dataDirectory, 'sources', organizationId)));
  });

  test('is created once if requested twice at once, and leaves no files of the other', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson();
    const organizationId = await server.createOrganization(as);
    const line = `POST /api/organizations/${organizationId}/sample`;
    const responses = await Promise.all([server.call(line, { as }), server.call(line, { as })]);
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 409],
    );
    const directory = join(server.dataDirectory, 'sources', organizationId);
    const sources = readdirSync(directory).filter((name) => name !== 'temp');
    assert.equal(sources.length, 1);
    const other = await server.createPerson();
    assert.equal((await server.call(line, { as: other })).status, 404);
    const viewer = await server.createMember(organizationId, 'viewer');
    assert.equal((await server.call(line, { as: viewer })).status, 403);
  });
});
