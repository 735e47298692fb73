import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import type { ColumnProfile, CubeLine } from '#contract/explore.ts';
import {
  binsOf,
  cellCount,
  cellOf,
  type Axis,
  type RangeAxis,
  type Selection,
} from '#shared/explore/axes.ts';
import { openNewsroom, type Newsroom } from '../../../tests/support/reports/newsroom.ts';
import {
  describeOnUsualEngine,
  startTestServer,
  type Engine,
  type Person,
} from '../../../tests/support/server/test-server.ts';
import { createPostgresDatabase } from '../../../tests/support/storage/postgres.ts';

/** Rows that DuckDB and PostgreSQL generate alike. */
const rowsSql = `SELECT
  i AS id,
  (i * 37 % 101 - 20) * 0.1 AS amount,
  CASE WHEN i % 7 = 0 THEN NULL WHEN i % 50 = 1 THEN CAST('NaN' AS double precision) ELSE i * 13 % 97 / 4.0 END AS score,
  CASE WHEN i % 3 = 0 THEN 'north' WHEN i % 3 = 1 THEN 'it''s' WHEN i % 11 = 0 THEN NULL ELSE '$$x' END AS region,
  i % 2 = 0 AS "Is ""open"" {{y}}",
  DATE '2025-12-20' + CAST(i * 17 % 90 AS integer) AS day,
  CAST('2026-03-28T22:00:00Z' AS timestamptz) + (i * 7 % 100) * INTERVAL '1 hour' AS seen,
  CAST('{"a":1}' AS json) AS document
FROM generate_series(1, 500) AS numbers (i)`;

interface Exploration {
  readonly newsroom: Newsroom;
  readonly dataSourceId: string;
  /** Requests lines of an operation. */
  // oxlint-disable-next-line typescript/no-explicit-any -- like the body of a response
  lines(operation: string, body: object, as?: Person): Promise<{ status: number; lines: any[]; body: any }>;
}

async function explore(
  context: TestContext,
  engine: Engine,
  kind: 'files' | 'postgresql',
): Promise<Exploration> {
  const database = kind === 'postgresql' ? await createPostgresDatabase() : undefined;
  if (database !== undefined) context.after(() => database.drop());
  const url = new URL(database?.url ?? 'postgres://127.0.0.1:1/');
  const server = await startTestServer(context, engine, {
    ATRIUM_SOURCE_PRIVATE_HOSTS: `127.0.0.1:${url.port}`,
  });
  const newsroom = await openNewsroom(server);
  const { owner: as, organizationId } = newsroom;
  let dataSourceId = newsroom.id;
  if (database !== undefined) {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`CREATE TABLE events AS ${rowsSql}`);
    await client.end();
    const password = decodeURIComponent(url.password);
    const [user, port] = [url.username, Number(url.port)];
    const connection = {
      host: '127.0.0.1',
      port,
      database: url.pathname.slice(1),
      user,
      tls: 'off',
      password,
    };
    const body = { name: 'Events', kind, connection };
    const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, { as, body });
    assert.equal(created.status, 201, created.text);
    dataSourceId = created.body.id;
  }
  return {
    newsroom,
    dataSourceId,
    lines: async (operation, body, by = as) => {
      const response = await server.call(`POST /api/explore/${operation}`, { as: by, body });
      const isStream = response.headers['content-type']?.startsWith('application/x-ndjson') === true;
      const texts = isStream ? response.text.trimEnd().split('\n') : [];
      return {
        status: response.status,
        lines: texts.map((line) => JSON.parse(line)),
        body: isStream ? undefined : response.body,
      };
    },
  };
}

/** Returns the counts of all cells, with zeros. */
function dense(size: number, { cells = [], counts = [] }: Pick<CubeLine, 'cells' | 'counts'>): number[] {
  const all = Array.from({ length: size }, () => 0);
  for (const [index, cell] of cells.entries()) all[cell] = counts[index] ?? 0;
  return all;
}

for (const kind of ['files', 'postgresql'] as const) {
  describeOnUsualEngine(`exploring a report of a source of ${kind}`, (engine) => {
    test('profiles its columns, and counts the cells of pairs as the rows say', async (context) => {
      const { newsroom, dataSourceId, lines } = await explore(context, engine, kind);
      const { id: reportId } = await newsroom.save({
        dataSourceId,
        query: `${rowsSql};\n-- A comment at the end`,
      });
      const target = { reportId };
      const timeZone = 'Europe/Berlin';
      const [first, ...others] = (await lines('profile', { target, timeZone })).lines;
      assert.equal(first.rowCount, 500);
      assert.deepEqual(
        first.columns.map(({ name }: { name: string }) => name),
        ['id', 'amount', 'score', 'region', 'Is "open" {{y}}', 'day', 'seen', 'document'],
      );
      const profiles = new Map<string, ColumnProfile>(others.map(({ profile }) => [profile.column, profile]));
      assert.deepEqual([...profiles.keys()].toSorted(), [
        'Is "open" {{y}}',
        'amount',
        'day',
        'id',
        'region',
        'score',
        'seen',
      ]);
      const { rows } = (await newsroom.run({ id: reportId })).body;
      assert.equal(rows.length, 500);
      const axes = [...profiles.values()].map(({ axis, problem }) => {
        assert.equal(problem, undefined);
        assert.ok(axis);
        return axis;
      });
      const indexOf = (axis: Axis) =>
        first.columns.findIndex(({ name }: { name: string }) => name === axis.column);
      const cell = (axis: Axis, row: unknown[]) => referenceCell(axis, row[indexOf(axis)], timeZone);
      for (const axis of axes) {
        const expected: number[] = Array.from({ length: cellCount(axis) }, () => 0);
        for (const row of rows) expected[cell(axis, row)] = (expected[cell(axis, row)] ?? 0) + 1;
        const profile = profiles.get(axis.column);
        const nulls = expected.pop();
        assert.deepEqual([nulls, axis.column], [profile?.nullCount, axis.column]);
        assert.deepEqual(dense(expected.length, profile ?? {}), expected, axis.column);
      }

      const region: Selection = { kind: 'values', column: 'region', values: ['north', null] };
      const amount: Selection = { kind: 'number', column: 'amount', from: -0.3, to: 4.1 };
      const seen = { kind: 'time', column: 'seen', from: '2026-03-29', to: '2026-03-31T06:00:00' } as const;
      const selections = [region, amount, seen];
      const isSelected = (selection: Selection, row: readonly unknown[]): boolean => {
        if (selection.kind === 'values') return selection.values.includes(row[3] as string);
        if (selection.kind === 'number')
          return Number(row[1]) >= selection.from && Number(row[1]) < selection.to;
        const local = localTime(row[6], timeZone);
        return local >= `${selection.from}T00:00:00` && local < selection.to;
      };
      const active = axes.find(({ column }) => column === 'amount');
      assert.ok(active);
      const charts = axes.filter((axis) => axis !== active);
      const cube = await lines('cube', { target, active, charts, selections, timeZone });
      assert.equal(cube.lines.length, charts.length + 1);
      for (const line of cube.lines as CubeLine[]) {
        const chart = charts[line.chart];
        const width = chart === undefined ? 1 : cellCount(binsOf(chart));
        const expected: number[] = Array.from({ length: cellCount(active) * width }, () => 0);
        for (const row of rows) {
          if (
            !selections.every((one) => one === amount || one.column === chart?.column || isSelected(one, row))
          )
            continue;
          const index = cell(active, row) * width + (chart === undefined ? 0 : cell(binsOf(chart), row));
          expected[index] = (expected[index] ?? 0) + 1;
        }
        assert.deepEqual(dense(expected.length, line), expected, chart?.column ?? '');
      }
      const selected = await lines('rows', { target, selections, timeZone });
      const expectedRows = rows.filter((row: unknown[]) => selections.every((one) => isSelected(one, row)));
      assert.ok(expectedRows.length > 0 && expectedRows.length <= 100);
      assert.deepEqual([selected.body.rows, selected.body.isCutOff], [expectedRows, false]);
    });
  });
}

describeOnUsualEngine('exploring', (engine) => {
  test('a table requires the editor role, and the result of a report requires access to it', async (context) => {
    const { newsroom, dataSourceId, lines } = await explore(context, engine, 'files');
    const { server, organizationId } = newsroom;
    const { id: reportId } = await newsroom.save({ query: 'SELECT * FROM sales' });
    const viewer = await server.createMember(organizationId, 'viewer');
    const stranger = await server.createPerson('Mallory');
    const active = { kind: 'number', column: 'amount', times: 10, per: 1, first: 0, count: 10, perBin: 1 };
    const statuses = async (target: object, as: Person) => [
      (await lines('profile', { target }, as)).status,
      (await lines('cube', { target, active, charts: [], selections: [] }, as)).status,
      (await lines('rows', { target, selections: [] }, as)).status,
    ];
    const table = { dataSourceId, table: 'sales' };
    assert.deepEqual(await statuses(table, newsroom.owner), [200, 200, 200]);
    assert.deepEqual(await statuses(table, viewer), [403, 403, 403]);
    assert.deepEqual(await statuses(table, stranger), [404, 404, 404]);
    assert.deepEqual(await statuses({ reportId }, viewer), [200, 200, 200]);
    assert.deepEqual(await statuses({ reportId }, stranger), [404, 404, 404]);
    assert.deepEqual(await statuses({ reportId, ...table }, newsroom.owner), [400, 400, 400]);
    assert.deepEqual(await statuses({}, newsroom.owner), [400, 400, 400]);
  });

  test('binds the parameters of a report, and refuses axes and selections that no page sends', async (context) => {
    const { newsroom, lines } = await explore(context, engine, 'files');
    const { id: reportId } = await newsroom.save({
      query: 'SELECT *, {{value_1}} AS given FROM sales WHERE amount >= {{value_1}}',
      parameters: [{ name: 'value_1', type: 'number', default: 20 }],
    });
    const target = { reportId };
    const rowCount = async (parameters: object) =>
      (await lines('profile', { target: { ...target, parameters } })).lines[0]?.rowCount;
    assert.deepEqual([await rowCount({}), await rowCount({ value_1: 35 })], [3, 1]);
    const region = { kind: 'values', column: 'region', values: ['north'] };
    const { body } = await lines('rows', { target: { reportId }, selections: [region] });
    assert.deepEqual(body.rows, [['north', '2026-03-01', 20, false, 20]]);

    const active = { kind: 'number', column: 'amount', times: 1, per: 1, first: 0, count: 900, perBin: 1 };
    const cube = async (change: object) =>
      (await lines('cube', { target, active, charts: [], selections: [], ...change })).status;
    assert.equal(await cube({}), 200);
    for (const change of [
      { charts: [{ ...active, column: 'given' }] },
      { active: { ...active, count: 1e9 } },
      { active: { ...active, times: 0 } },
      { active: { ...active, first: 1e300 } },
      { active: { ...active, column: 'constructor' } },
      { active: { ...active, column: '__proto__' } },
      { active: { ...active, column: 'region' } },
      { active: { ...active, unit: 'second' } },
      { active: { kind: 'number', column: 'amount' } },
      { active: { kind: 'values', column: 'region', values: [true] } },
      { active: { kind: 'values', column: 'region', values: ['\0'] } },
      { selections: [{ kind: 'number', column: 'amount', from: '1; DROP TABLE sales', to: 2 }] },
      { selections: [{ kind: 'time', column: 'day', from: "2026-01-01' OR true", to: '2026-01-02' }] },
      { selections: [{ kind: 'values', column: 'region' }] },
      { timeZone: "UTC' OR true --" },
      // PostgreSQL reads the sign of an offset the other way.
      { timeZone: '+01:00' },
      { active: { ...active, per: 5e-324 } },
      { active: { ...active, times: 1e308, first: 1e15 } },
    ])
      assert.equal(await cube(change), 400, JSON.stringify(change));
    assert.equal((await lines('profile', { target, columns: ['amount"; --'] })).status, 400);
  });

  test('profiles columns of odd names, of the same name, without values, and of nearly unique texts', async (context) => {
    const { newsroom, lines } = await explore(context, engine, 'files');
    const { id: reportId } = await newsroom.save({
      query: `SELECT i AS "__proto__", i AS twice, i AS twice, CAST(NULL AS integer) AS nothing, 'text ' || i AS text, [i] AS list,
        CASE WHEN i = 7 THEN 1e9 ELSE i % 10 / 10 END AS spread
        FROM range(2000) AS numbers (i)`,
    });
    const [first, ...others] = (await lines('profile', { target: { reportId } })).lines;
    const names = first.columns.map(({ name }: { name: string }) => name);
    // DuckDB gives the second of two equal names another one.
    assert.deepEqual(names, ['__proto__', 'twice', 'twice_1', 'nothing', 'text', 'list', 'spread']);
    const profiles = new Map(others.map(({ profile }) => [profile.column, profile]));
    assert.deepEqual(profiles.get('nothing'), { column: 'nothing', nullCount: 2000 });
    assert.deepEqual(profiles.get('text'), { column: 'text', nullCount: 0 });
    const facts = (name: string) => {
      const { axis, cells, min, max } = profiles.get(name);
      return { min, max, bars: axis.count / axis.perBin, cells: cells.length };
    };
    assert.deepEqual(facts('__proto__'), { min: '0', max: '1999', bars: 20, cells: 200 });
    // Nearly all values are below 1, so the one that isn't is outside of the chart.
    assert.deepEqual(facts('spread'), { min: '0', max: '1000000000', bars: 26, cells: 11 });
    const [, { profile }] = (await lines('profile', { target: { reportId }, columns: ['list'] })).lines;
    assert.deepEqual(profile, { column: 'list', nullCount: 0 });
  });

  test('hides the columns that authors hide, and runs no other statement than a SELECT', async (context) => {
    const { newsroom, dataSourceId, lines } = await explore(context, engine, 'files');
    for (const query of [
      'SELECT 1 AS a) AS result; DROP TABLE sales; SELECT * FROM (SELECT 1',
      'SELECT 1 AS a) AS result; --',
      "SELECT 1 AS a) AS result, read_text('/etc/passwd') AS (a",
    ]) {
      const { id: reportId } = await newsroom.save({ query });
      const { status, body } = await lines('profile', { target: { reportId } });
      assert.deepEqual([status, body.code], [422, 'query_failed'], query);
    }
    const { server, owner: as, path } = newsroom;
    const model = { schema: 'main', name: 'sales', columns: [{ name: 'amount', isHidden: true }] };
    const put = await server.call(`PUT ${path}/models`, { as, body: model, headers: { 'if-match': '*' } });
    assert.equal(put.status, 200, put.text);
    const target = { dataSourceId, table: 'sales' };
    for (const [schema, table] of [
      ['main', 'sales'],
      [undefined, 'sales'],
      ['MAIN', 'Sales'],
      [undefined, 'SALES'],
    ]) {
      const names = (await lines('profile', { target: { ...target, schema, table } })).lines[0].columns;
      assert.deepEqual(
        names.map(({ name }: { name: string }) => name),
        ['region', 'day', 'is_open'],
      );
    }
    assert.equal((await lines('profile', { target, columns: ['amount'] })).status, 400);
    const { id: reportId } = await newsroom.save({ query: 'SELECT * FROM sales -- everything' });
    assert.equal((await lines('profile', { target: { reportId } })).lines[0].rowCount, 4);
  });
});

/** Returns the cell of a value as the server sends it. */
function referenceCell(axis: Axis, value: unknown, timeZone: string): number {
  if (axis.kind === 'values') {
    if (value === null) return axis.values.length + 1;
    const index = axis.values.indexOf(value as string);
    return index === -1 ? axis.values.length : index;
  }
  return cellOf(axis, value === null ? null : positionOf(axis, value, timeZone));
}

function positionOf(axis: RangeAxis, value: unknown, timeZone: string): number {
  if (axis.kind === 'number') return Number(value);
  const text = String(value);
  const local = new Date(`${text.endsWith('Z') ? localTime(value, timeZone) : `${text}T00:00:00`}Z`);
  return axis.unit === 'month' ? local.getUTCFullYear() * 12 + local.getUTCMonth() : local.getTime() / 1000;
}

/** Returns an instant on the clock of a time zone. */
const localTime = (value: unknown, timeZone: string): string =>
  new Date(String(value)).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
