import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeOnUsualEngine,
  problemOf,
  startTestServer,
  type TestResponse,
  type Engine,
  type Person,
  type TestServer,
} from '../../../tests/support/server/test-server.ts';
import { reportEditOf } from '../../../tests/support/edits.ts';
import { daysMs } from '../base/clock.ts';
import { reportsOnDashboards } from '../dashboards/uses.ts';
import { purgeOld } from '../records/trash.ts';

const at = '2026-11-21T09:00:00.000Z';

interface Newsroom {
  readonly server: TestServer;
  readonly ada: Person;
  readonly organizationId: string;
  readonly dataSourceId: string;
  create(input?: object): Promise<TestResponse>;
}

/** Starts a server with an organization that Ada owns and that has a data source. */
async function startNewsroom(
  context: Parameters<typeof startTestServer>[0],
  engine: Engine,
): Promise<Newsroom> {
  const server = await startTestServer(context, engine);
  const ada = await server.createPerson('Ada');
  const organizationId = await server.createOrganization(ada);
  const { body } = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as: ada,
    body: { name: 'Files', kind: 'files' },
  });
  const dataSourceId = body.id;
  const create = (input: object = {}) =>
    server.call('POST /api/reports', {
      as: ada,
      body: { organizationId, name: 'Sales', dataSourceId, query: 'select 1', ...input },
    });
  return { server, ada, organizationId, dataSourceId, create };
}

describeOnUsualEngine('reports', (engine) => {
  test('only the first hundred faults of a query are reported', async (context) => {
    const { create } = await startNewsroom(context, engine);
    const { status, body } = await create({ query: `select '${'{{a}}'.repeat(10_000)}'` });
    assert.deepEqual([status, body.errors.length], [400, 100]);
  });

  test('a report is created with defaults for what was left out, and read', async (context) => {
    const { server, ada, organizationId, dataSourceId, create } = await startNewsroom(context, engine);
    assert.deepEqual(problemOf(await create({ extra: 1 })).faults, ['/extra unknown']);
    const { status, headers, body } = await create();
    assert.deepEqual(
      { status, etag: headers.etag, body },
      {
        status: 201,
        etag: '"1"',
        body: {
          id: body.id,
          organizationId,
          userId: ada.id,
          name: 'Sales',
          dataSourceId,
          query: 'select 1',
          parameters: [],
          visualization: { kind: 'table' },
          cacheSeconds: 60,
          createdAt: at,
          updatedAt: at,
        },
      },
    );
    const read = await server.call(`GET /api/reports/${body.id}`, { as: ada });
    assert.deepEqual([read.headers.etag, read.body], ['"1"', body]);
    const known = await server.call(`GET /api/reports/${body.id}`, {
      as: ada,
      headers: { 'if-none-match': '"1"' },
    });
    assert.equal(known.status, 304);
    const list = await server.call(`GET /api/reports?organizationId=${organizationId}`, { as: ada });
    const { id, userId, name, createdAt, updatedAt } = body;
    assert.deepEqual(list.body, {
      items: [{ id, organizationId, userId, name, dataSourceId, createdAt, updatedAt }],
    });
  });

  test('every fault of a report is reported at once', async (context) => {
    const { create } = await startNewsroom(context, engine);
    const shape = await create({
      name: '',
      cacheSeconds: -1,
      visualization: { kind: 'bar', x: 'a', series: [] },
      parameters: [{ name: '1st', type: 'words' }],
    });
    assert.deepEqual(problemOf(shape), {
      status: 400,
      code: 'invalid_body',
      faults: [
        '/cacheSeconds minimum',
        '/name minLength',
        '/parameters/0/name pattern',
        '/parameters/0/type enum',
        '/visualization/series minItems',
      ],
    });
    const sense = await create({
      dataSourceId: 'elsewhere',
      query: "select {{from}}, {{from}},\n'{{to}}'",
      parameters: [
        { name: 'to', type: 'date', default: '21.11.2026' },
        { name: 'to', type: 'number', default: 1 },
        { name: 'region', type: 'list', default: ['a'], allowed: { values: ['a'], query: 'select 1' } },
        { name: 'size', type: 'number', default: 3, allowed: { values: ['1', '2'] } },
        { name: 'sizes', type: 'list', default: ['1', '3'], allowed: { values: ['1', '2'] } },
      ],
    });
    assert.deepEqual(problemOf(sense), {
      status: 400,
      code: 'invalid_body',
      faults: [
        '/dataSourceId unknown',
        '/parameters/0/default type',
        '/parameters/1/name unique',
        '/parameters/2/allowed oneOf',
        '/parameters/3/default allowed',
        '/parameters/4/default allowed',
        '/query parameter',
        '/query placeholder',
      ],
    });
    const ofQuery = sense.body.errors.filter(({ pointer }: { pointer: string }) => pointer === '/query');
    assert.deepEqual(
      ofQuery.map(({ message }: { message: string }) => message),
      [
        'A parameter inside quotes would be text. Remove the quotes (line 2, column 2).',
        'refers to {{from}}, which is not a parameter (line 1, column 8)',
      ],
    );
  });

  test('edits of different fields are merged, and edits of the same field conflict', async (context) => {
    const { server, ada, organizationId, create } = await startNewsroom(context, engine);
    const bob = await server.createMember(organizationId, 'editor');
    const { body } = await create();
    const path = `/api/reports/${body.id}`;
    const put = (as: Person, edit: object, version = 1) =>
      server.call(`PUT ${path}`, {
        as,
        body: { ...reportEditOf(body), ...edit },
        headers: { 'if-match': `"${version}"` },
      });
    assert.equal((await put(ada, { name: 'Of Ada' })).headers.etag, '"2"');
    const merged = await put(bob, { query: 'select 2' });
    assert.deepEqual(
      [
        merged.status,
        merged.headers.etag,
        merged.headers['atrium-merged'],
        merged.body.name,
        merged.body.query,
      ],
      [200, '"3"', 'true', 'Of Ada', 'select 2'],
    );
    const refused = await put(bob, { name: 'Of Bob' });
    assert.deepEqual(problemOf(refused), { status: 412, code: 'edit_conflict' });
    assert.deepEqual(refused.body.conflicts, [
      { pointer: '/name', base: 'Sales', mine: 'Of Bob', theirs: 'Of Ada' },
    ]);
    assert.deepEqual([refused.body.etag, refused.body.current], ['"3"', merged.body]);
    assert.deepEqual(problemOf(await server.call(`PUT ${path}`, { as: ada, body: reportEditOf(body) })), {
      status: 428,
      code: 'precondition_required',
    });

    const history = await server.call(`GET ${path}/versions`, { as: ada });
    assert.deepEqual(
      history.body.items.map(({ version, change, userId }: TestResponse['body']) => [
        version,
        change,
        userId,
      ]),
      [
        [3, 'merged', bob.id],
        [2, 'saved', ada.id],
        [1, 'created', ada.id],
      ],
    );
    const first = await server.call(`GET ${path}/versions/1`, { as: ada });
    assert.deepEqual([first.body.name, first.body.query], ['Sales', 'select 1']);
    const changes = await server.call(`GET ${path}/changes?from=1`, { as: ada });
    assert.deepEqual(
      changes.body.items.map(({ summary }: TestResponse['body']) => summary),
      ['Name changed.', 'Query changed.'],
    );
    const restored = await server.call(`POST ${path}/versions/1/restore`, { as: ada });
    assert.deepEqual(
      [restored.headers.etag, restored.body.name, restored.body.query],
      ['"4"', 'Sales', 'select 1'],
    );
  });

  test('a report that dashboards show is deleted only with force', async (context) => {
    const { server, ada, organizationId, create } = await startNewsroom(context, engine);
    const { body: report } = await create({ name: 'Turnover by region' });
    const { body: dashboard } = await server.call('POST /api/dashboards', {
      as: ada,
      body: { name: 'Board', organizationId, widgets: [{ reportId: report.id }, { reportId: 'none' }] },
    });
    const search = async (q: string) => {
      const { body } = await server.call(`GET /api/dashboards?organizationId=${organizationId}&q=${q}`, {
        as: ada,
      });
      return body.items.map(({ name }: TestResponse['body']) => name);
    };
    assert.deepEqual(await search('turn+board'), ['Board']);
    // Starred and recent dashboards are found by the same words.
    await server.call(`PUT /api/dashboards/${dashboard.id}/star`, { as: ada });
    await server.call(`PUT /api/dashboards/${dashboard.id}/visit`, { as: ada });
    assert.deepEqual(await search('turn+board&filter=starred'), ['Board']);
    assert.deepEqual(await search('turn+board&filter=recent'), ['Board']);
    assert.deepEqual(await search('turn+bored&filter=starred'), []);
    const uses = { items: [{ id: dashboard.id, name: 'Board' }], totalCount: 1 };
    const usesFor = (as: Person) => server.call(`GET /api/reports/${report.id}/dashboards`, { as });
    const viewer = await server.createMember(organizationId, 'viewer');
    assert.deepEqual((await usesFor(viewer)).body, uses);
    await server.call(`PUT /api/dashboards/${dashboard.id}/access`, {
      as: ada,
      body: { restricted: true, members: [] },
    });
    assert.deepEqual((await usesFor(ada)).body, uses);
    // The count of those that they can't see is for people whose change would break them.
    assert.deepEqual((await usesFor(viewer)).body, { items: [], totalCount: 0 });
    const refused = await server.call(`DELETE /api/reports/${report.id}`, { as: ada });
    assert.deepEqual(problemOf(refused), { status: 409, code: 'report_in_use' });
    assert.deepEqual(
      [refused.body.dashboards, refused.body.dashboardCount],
      [[{ id: dashboard.id, name: 'Board' }], 1],
    );
    assert.equal((await server.call(`DELETE /api/reports/${report.id}?force=true`, { as: ada })).status, 204);
    assert.deepEqual(await search('turn'), []);
    assert.equal((await server.call(`GET /api/reports/${report.id}`, { as: ada })).status, 404);
    const results = async () => {
      const { text } = await server.call(`GET /api/dashboards/${dashboard.id}/results`, { as: ada });
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ reportId, reportName, problem }) => ({ reportId, reportName, code: problem.code }))
        .toSorted((one, other) => (one.reportId < other.reportId ? -1 : 1));
    };
    const expected = [
      { reportId: report.id, reportName: 'Turnover by region', code: 'report_deleted' },
      { reportId: 'none', reportName: undefined, code: 'not_found' },
    ];
    assert.deepEqual(await results(), expected);

    const trash = await server.call(`GET /api/trash/reports?organizationId=${organizationId}`, { as: ada });
    assert.deepEqual(
      trash.body.items.map(({ id, deletedBy, purgeAt }: TestResponse['body']) => ({
        id,
        deletedBy,
        purgeAt,
      })),
      [{ id: report.id, deletedBy: ada.id, purgeAt: '2026-12-21T09:00:00.000Z' }],
    );
    const restored = await server.call(`POST /api/trash/reports/${report.id}/restore`, { as: ada });
    assert.deepEqual([restored.status, restored.headers.etag, restored.body], [200, '"1"', report]);
    assert.deepEqual(await search('turn'), ['Board']);

    await server.call(`DELETE /api/reports/${report.id}?force=true`, { as: ada });
    assert.equal((await server.call(`DELETE /api/trash/reports/${report.id}`, { as: ada })).status, 204);
    assert.equal(
      (await server.call(`POST /api/trash/reports/${report.id}/restore`, { as: ada })).status,
      404,
    );
    assert.deepEqual(await results(), expected);
  });

  test('a report is purged after 30 days in the trash', async (context) => {
    const { server, ada, create } = await startNewsroom(context, engine);
    const { body: report } = await create();
    await server.call(`DELETE /api/reports/${report.id}`, { as: ada });
    const purge = (days: number) =>
      purgeOld(
        { database: server.database, clock: () => Date.parse(at) + daysMs(days) },
        reportsOnDashboards(server.database),
        { aborted: false },
      );
    const restore = () => server.call(`POST /api/trash/reports/${report.id}/restore`, { as: ada });
    await purge(30);
    assert.equal((await restore()).status, 200);
    await server.call(`DELETE /api/reports/${report.id}`, { as: ada });
    await purge(31);
    assert.equal((await restore()).status, 404);
  });
});
