import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToken } from '../../../tests/support/credentials/tokens.ts';
import { startMcpOffice } from '../../../tests/support/mcp/office.ts';
import { startNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  problemOf,
  type Engine,
  type Person,
} from '../../../tests/support/server/test-server.ts';
import { hoursMs, minutesMs } from '../base/clock.ts';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly count: number;
}

const layout = { x: 0, y: 0, w: 6, h: 4 };

/** Starts a newsroom with a dashboard of one report, and a member who reads. */
async function startReading(context: Parameters<typeof startNewsroom>[0], engine: Engine) {
  const newsroom = await startNewsroom(context, engine);
  const { server, owner, organizationId, save } = newsroom;
  const report = await save({ name: 'Sales', query: 'SELECT region, amount FROM sales' });
  const widgets = [{ reportId: report.id, layout }];
  const create = async (body: object, as = owner) =>
    (await server.call('POST /api/dashboards', { as, body: { name: 'Board', widgets, ...body } })).body;
  const dashboard = await create({ organizationId });
  const reader = await server.createMember(organizationId, 'viewer');
  const read = async (line: string, as: Person = reader, body?: object, headers?: Record<string, string>) => {
    const response = await server.call(line, { as, ...(body && { body }), ...(headers && { headers }) });
    assert.ok(response.status < 300, `${line}: ${response.status} ${response.text}`);
    return response;
  };
  return { ...newsroom, report, dashboard, create, reader, read };
}

const listAccess = async (
  { server, owner, organizationId }: Pick<Newsroom, 'server' | 'owner' | 'organizationId'>,
  query = '',
) => {
  const response = await server.call(`GET /api/organizations/${organizationId}/access-log?${query}`, {
    as: owner,
  });
  assert.equal(response.status, 200, response.text);
  return response.body as { items: Entry[]; nextCursor?: string };
};

const countsOf = (items: readonly Entry[]) =>
  items.map(({ action, count }) => `${action} ${count}`).toSorted();

describeOnUsualEngine('the data-access log', (engine) => {
  test('counts the views of a person in an hour, and has an entry for each export', async (context) => {
    const world = await startReading(context, engine);
    const { server, dashboard, report, reader, read } = world;
    const path = `/api/dashboards/${dashboard.id}`;
    await read(`GET ${path}`);
    server.advance(minutesMs(10));
    await read(`GET ${path}/results`);
    await read(`POST /api/reports/${report.id}/run`, reader, {});
    await read(`POST /api/reports/${report.id}/run`, reader, {});
    server.advance(minutesMs(55));
    await read(`GET ${path}`);
    await read(`GET ${path}/export?file-format=svg`);
    await read(`GET ${path}/export?file-format=svg`);
    await read(`GET /api/reports/${report.id}/result.csv`);
    const { items } = await listAccess(world);
    const common = { actorId: reader.id, actorEmail: reader.email };
    const ofDashboard = { ...common, subjectId: dashboard.id, subjectName: 'Board' };
    const ofReport = { ...common, subjectId: report.id, subjectName: 'Sales' };
    const [first, ten, later] = [
      '2026-11-21T09:00:00.000Z',
      '2026-11-21T09:10:00.000Z',
      '2026-11-21T10:05:00.000Z',
    ];
    const expected = [
      { action: 'dashboard.viewed', at: first, lastAt: ten, count: 2, ...ofDashboard, details: {} },
      { action: 'report.run', at: ten, lastAt: ten, count: 2, ...ofReport, details: {} },
      { action: 'dashboard.viewed', at: later, lastAt: later, count: 1, ...ofDashboard, details: {} },
      ...[0, 1].map(() => ({
        action: 'dashboard.exported',
        at: later,
        lastAt: later,
        count: 1,
        ...ofDashboard,
        details: { format: 'svg' },
      })),
      {
        action: 'report.exported',
        at: later,
        lastAt: later,
        count: 1,
        ...ofReport,
        details: { format: 'spreadsheet-csv' },
      },
    ];
    const sorted = (list: readonly object[]) =>
      list.map((one) => JSON.stringify(one, Object.keys(one).toSorted())).toSorted();
    assert.deepEqual(sorted(items.map(({ id: _, ...entry }) => entry)), sorted(expected));
  });

  test('records every way to the data', async (context) => {
    const world = await startReading(context, engine);
    const { server, owner, organizationId, report, dashboard, read, id: dataSourceId } = world;
    const run = `/api/reports/${report.id}`;
    const as = owner;
    const target = { reportId: report.id };
    const ways: readonly [string, string, object?, Record<string, string>?][] = [
      ['report.exported 1', `POST ${run}/run`, {}, { accept: 'text/csv' }],
      ['report.exported 1', `POST ${run}/run`, {}, { accept: 'application/vnd.apache.parquet' }],
      [
        'data_source.queried 1',
        'POST /api/reports/preview',
        { organizationId, dataSourceId, query: 'SELECT 1' },
      ],
      ['report.run 1', 'POST /api/explore/rows', { target, selections: [] }],
      [
        'data_source.queried 1',
        'POST /api/explore/rows',
        { target: { dataSourceId, table: 'sales' }, selections: [] },
      ],
      ['data_source.queried 1', `GET /api/data-sources/${dataSourceId}/tables/sales/preview`],
      ['dashboard.exported 1', `GET /api/dashboards/${dashboard.id}/export?file-format=xlsx`],
      ['dashboards.exported 1', `GET /api/organizations/${organizationId}/dashboards/export`],
      ['audit_log.exported 1', `GET /api/organizations/${organizationId}/audit/export`],
    ];
    for (const [expected, line, body, headers] of ways) {
      server.advance(hoursMs(1));
      const from = new Date(server.clock()).toISOString();
      await read(line, as, body, headers);
      assert.deepEqual(countsOf((await listAccess(world, `from=${from}`)).items), [expected], line);
    }
  });

  test('names the token of a program, and of a wall display only the link', async (context) => {
    const world = await startReading(context, engine);
    const { server, owner, organizationId, dashboard, read } = world;
    const token = { ...(await createToken(server, owner, { organizationId })), email: '', isBearer: true };
    await read(`GET /api/dashboards/${dashboard.id}`, token);
    const link = await read(`POST /api/dashboards/${dashboard.id}/display-links`, owner, { name: 'Lobby' });
    const headers = { authorization: `Bearer ${link.body.token}` };
    assert.equal((await server.call('GET /api/display', { headers })).status, 200);
    assert.equal((await server.call('GET /api/display/results', { headers })).status, 200);
    const { items } = await listAccess(world);
    const facts = items.map(({ id: _, at: _at, ...rest }) => ({ ...rest, lastAt: '', subjectName: '' }));
    const same = { count: 1, subjectId: dashboard.id, subjectName: '', lastAt: '', details: {} };
    const tokens = await server.call('GET /api/auth/tokens', { as: owner });
    const byAction = (one: { action: string }, other: { action: string }) =>
      one.action < other.action ? -1 : 1;
    assert.deepEqual(facts.toSorted(byAction), [
      {
        ...same,
        action: 'dashboard.viewed',
        actorId: owner.id,
        actorEmail: owner.email,
        tokenId: tokens.body.items[0].id,
      },
      { ...same, action: 'display.viewed', count: 2, linkId: link.body.id },
    ]);
  });

  test('records what language models read', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId, save, tool, id: dataSourceId } = office;
    const report = await save({ query: 'SELECT region FROM sales' });
    const { body: dashboard } = await server.call('POST /api/dashboards', {
      as: owner,
      body: { name: 'Board', organizationId, widgets: [{ reportId: report.id, layout }] },
    });
    await tool('read_dashboard', { dashboardId: dashboard.id });
    await tool('run_report', { reportId: report.id });
    await tool('run_query', { dataSourceId, query: 'SELECT 1' });
    const { items } = await listAccess(office);
    assert.deepEqual(countsOf(items), ['dashboard.viewed 1', 'data_source.queried 1', 'report.run 1']);
    assert.ok(items.every((entry) => 'tokenId' in entry));
  });

  test('has what a personal dashboard shows of an organization, and nothing of the dashboard', async (context) => {
    const world = await startReading(context, engine);
    const { create, reader, report, read } = world;
    const personal = await create({}, reader);
    await read(`GET /api/dashboards/${personal.id}`);
    await read(`GET /api/dashboards/${personal.id}/results`);
    const { items } = await listAccess(world);
    assert.deepEqual(countsOf(items), ['report.run 1']);
    assert.deepEqual((items[0] as unknown as { subjectId: string }).subjectId, report.id);
  });

  test('has an entry for each report that leaves in an export of a dashboard elsewhere', async (context) => {
    const world = await startReading(context, engine);
    const { server, create, reader, report, read } = world;
    const elsewhere = await server.createOrganization(reader);
    for (const body of [{}, { organizationId: elsewhere }]) {
      server.advance(hoursMs(1));
      const from = new Date(server.clock()).toISOString();
      const { id } = await create(body, reader);
      await read(`GET /api/dashboards/${id}/export?file-format=xlsx`);
      await read(`GET /api/dashboards/${id}/export?file-format=xlsx`);
      const { items } = await listAccess(world, `from=${from}`);
      assert.deepEqual(countsOf(items), ['report.exported 1', 'report.exported 1'], JSON.stringify(body));
      const [entry] = items as unknown as { subjectId: string; details: object }[];
      assert.deepEqual([entry?.subjectId, entry?.details], [report.id, { format: 'xlsx' }]);
    }
  });

  test('is not readable for members, for other organizations, and for tokens without the scope', async (context) => {
    const world = await startReading(context, engine);
    const { server, owner, organizationId, dashboard, reader, read } = world;
    await read(`GET /api/dashboards/${dashboard.id}`);
    const editor = await server.createMember(organizationId, 'editor');
    const stranger = await server.createPerson('Eve');
    const other = await server.createOrganization(stranger);
    const readToken = {
      ...(await createToken(server, owner, { organizationId })),
      email: '',
      isBearer: true,
    };
    const path = `/api/organizations/${organizationId}/access-log`;
    const refusals = [
      [reader, 403, 'forbidden'],
      [editor, 403, 'forbidden'],
      [readToken, 403, 'insufficient_scope'],
      [stranger, 404, 'not_found'],
    ] as const;
    for (const [as, status, code] of refusals) {
      const refused = problemOf(await server.call(`GET ${path}`, { as }));
      assert.deepEqual([refused.status, refused.code], [status, code]);
    }
    const theirs = { server, owner: stranger, organizationId: other };
    assert.deepEqual((await listAccess(theirs, `subjectId=${dashboard.id}`)).items, []);
    assert.deepEqual((await listAccess(theirs, `actorId=${reader.id}`)).items, []);
    const { items } = await listAccess(world);
    assert.equal(items.length, 1);
    // A cursor of another organization shows nothing of it.
    const cursor = Buffer.from(`2026-11-22T00:00:00.000Z ${items[0]?.id}`).toString('base64url');
    assert.deepEqual((await listAccess(theirs, `cursor=${cursor}`)).items, []);
  });

  test('has no entry for what was refused', async (context) => {
    const world = await startReading(context, engine);
    const { server, dashboard, report } = world;
    const stranger = await server.createPerson('Eve');
    const lines = [
      `GET /api/dashboards/${dashboard.id}`,
      `GET /api/dashboards/${dashboard.id}/results`,
      `GET /api/dashboards/${dashboard.id}/export`,
      `GET /api/reports/${report.id}/result.csv`,
    ];
    for (const line of lines) assert.equal((await server.call(line, { as: stranger })).status, 404, line);
    assert.deepEqual((await listAccess(world)).items, []);
  });

  test('is filtered, and read in pages with each entry once', async (context) => {
    const world = await startReading(context, engine);
    const { server, owner, dashboard, report, reader, read } = world;
    for (let hour = 0; hour < 5; hour += 1) {
      await read(`GET /api/dashboards/${dashboard.id}`, hour % 2 === 0 ? reader : owner);
      await read(`GET /api/reports/${report.id}/result.csv`);
      server.advance(hoursMs(1));
    }
    const all = (await listAccess(world)).items;
    assert.equal(all.length, 10);
    const keys = all.map(({ at, id }) => `${at} ${id}`);
    assert.deepEqual(keys, keys.toSorted().toReversed());
    const seen: Entry[] = [];
    let query = 'limit=3';
    while (query !== '') {
      const { items, nextCursor } = await listAccess(world, query);
      seen.push(...items);
      await read(`GET /api/reports/${report.id}/result.csv`);
      query = nextCursor === undefined ? '' : `limit=3&cursor=${nextCursor}`;
    }
    assert.deepEqual(seen, all);
    const counts: Record<string, number> = {
      'action=dashboard.viewed': 5,
      [`action=dashboard.viewed&actorId=${owner.id}`]: 2,
      [`actorId=${owner.id}`]: 2,
      [`subjectId=${dashboard.id}`]: 5,
      'from=2026-11-21T11:00:00Z&to=2026-11-21T13:00:00Z': 4,
      'action=dashboard': 0,
      'action=%27%20or%201=1--': 0,
    };
    const found: Record<string, number> = {};
    for (const filter of Object.keys(counts)) found[filter] = (await listAccess(world, filter)).items.length;
    assert.deepEqual(found, counts);
    for (const broken of [
      'from=2026-02-30',
      'to=yesterday',
      'cursor=x',
      `cursor=${Buffer.from('a b').toString('base64url')}`,
    ]) {
      const path = `/api/organizations/${world.organizationId}/access-log`;
      const response = await server.call(`GET ${path}?${broken}`, { as: owner });
      assert.equal(problemOf(response).code, 'invalid_parameters', broken);
    }
  });

  test('refuses an export that it can’t record, and stores views once it can', async (context) => {
    const world = await startReading(context, engine);
    const { server, dashboard, report, reader, read } = world;
    server.expectErrors();
    const rename = (from: string, to: string) =>
      server.database.write((transaction) => transaction.execute(`alter table ${from} rename to ${to}`));
    await rename('access_entries', 'broken_entries');
    for (const line of [
      `GET /api/reports/${report.id}/result.csv`,
      `GET /api/dashboards/${dashboard.id}/export?file-format=svg`,
    ]) {
      const response = await server.call(line, { as: reader });
      assert.equal(response.status, 500, line);
      assert.doesNotMatch(response.text, /north/);
    }
    await read(`GET /api/dashboards/${dashboard.id}`);
    await server.call(`GET /api/organizations/${world.organizationId}/access-log`, { as: world.owner });
    await rename('broken_entries', 'access_entries');
    await read(`GET /api/dashboards/${dashboard.id}`);
    assert.deepEqual(countsOf((await listAccess(world)).items), ['dashboard.viewed 2']);
  });

  test('loses nothing but what was viewed in an organization that was deleted since', async (context) => {
    const world = await startReading(context, engine);
    const { server, dashboard, read } = world;
    const { createAccessLog } = await import('./access-log.ts');
    const log = createAccessLog(server, { onFailure: assert.ifError, onLost: assert.ifError });
    const actor = { userId: world.reader.id, credential: { kind: 'display', id: 'link' } } as const;
    log.note({ action: 'display.viewed', actor, organizationId: 'deleted', subjectId: 'any' });
    log.note({
      action: 'display.viewed',
      actor,
      organizationId: world.organizationId,
      subjectId: dashboard.id,
    });
    await log.close();
    await read(`GET /api/dashboards/${dashboard.id}`);
    assert.deepEqual(countsOf((await listAccess(world)).items), ['dashboard.viewed 1', 'display.viewed 1']);
  });
});
