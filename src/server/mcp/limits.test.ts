import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Report } from '#contract/reports/reports.ts';
import { startMcpOffice, type McpOffice } from '../../../tests/support/mcp/office.ts';
import { createPostgresDatabase } from '../../../tests/support/storage/postgres.ts';
import { describeOnUsualEngine } from '../../../tests/support/server/test-server.ts';

/** About 100 bytes for each row, and 100 kB in the last one. */
const wide = (count: number) =>
  `SELECT range AS n, repeat('é', CASE range WHEN ${count - 1} THEN 50000 ELSE 50 END) AS t FROM range(${count})`;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describeOnUsualEngine('results for a model', (engine) => {
  test('have at most as many rows as were asked for, and as fit, and say so', async (context) => {
    const office = await startMcpOffice(context, engine, { ATRIUM_QUERY_MAX_ROWS: '2000' });
    const run = async (query: string, maxRows?: number) => {
      const { id: reportId } = await office.save({ query });
      return (await office.tool('run_report', { reportId, ...(maxRows && { maxRows }) })).data;
    };
    const many = await run('SELECT range AS n FROM range(1500)');
    assert.deepEqual([many.rows.length, many.rowCount], [100, 1_500]);
    assert.match(many.truncated, /^Only the first 100 rows are shown\. Totals/);
    const more = await run('SELECT range AS n FROM range(1500)', 1_000);
    assert.equal(more.rows.length, 1_000);
    const cut = await run('SELECT range AS n FROM range(9000)', 10);
    assert.equal(cut.rowCount, 2_000);
    assert.match(
      cut.truncated,
      /rows are shown; the result has at least 2000 rows, and was cut off there\. Totals/,
    );
    const long = await run(wide(1_900), 1_000);
    assert.ok(long.rows.length > 500 && long.rows.length < 1_000, String(long.rows.length));
    assert.ok(bytesOf(long.rows) <= 64 * 1024);
    assert.match(long.truncated, /since more would be too long\. Totals/);
    const one = await run(wide(1));
    assert.deepEqual([one.rows, one.rowCount], [[], 1]);
    assert.match(one.truncated, /^Only the first 0 rows are shown, since more would be too long/);
    assert.equal((await run('SELECT 1 WHERE false')).truncated, undefined);
  });

  test('of a dashboard share the space, and later widgets can be asked for', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner: as, organizationId } = office;
    const reports: Report[] = [];
    for (let index = 0; index < 3; index += 1)
      reports.push(await office.save({ name: `R${index}`, query: `${wide(500)} WHERE ${index} = ${index}` }));
    const widgets = Array.from({ length: 45 }, (_, y) => ({
      reportId: reports[y % 3]?.id,
      layout: { x: 0, y, w: 1, h: 1 },
    }));
    const body = { name: 'x'.repeat(100_000), organizationId, widgets };
    const { body: board } = await server.call('POST /api/dashboards', { as, body });
    const input = { dashboardId: board.id, maxRowsPerWidget: 200 };
    const { data } = await office.tool('read_dashboard', input);
    assert.equal(data.widgets.length, 40);
    assert.ok(bytesOf(data) < 128 * 1024, String(bytesOf(data)));
    const [, ids = ''] = /^Only 40 of 45 widgets .*`widgetIds`: (.*)$/.exec(data.truncated) ?? [];
    const widgetIds = ids.split(', ');
    assert.equal(widgetIds.length, 5);
    const rest = (await office.tool('read_dashboard', { ...input, widgetIds })).data;
    assert.deepEqual(
      rest.widgets.map(({ id }: { id: string }) => id),
      widgetIds,
    );
    assert.ok(rest.widgets[0].rows.length > 20);
  });

  test('explain a database that fails, without its password and its address', async (context) => {
    const { tool, save, database, password } = await openShop(context, engine);
    const report = await save({ query: 'SELECT nmae FROM items' });
    const wrong = (await tool('explain_failed_query', { reportId: report.id })).data;
    assert.deepEqual([wrong.problem.code, wrong.name, wrong.nearNames], ['query_failed', 'nmae', ['name']]);
    const slow = await save({ query: 'SELECT pg_sleep(60)' });
    const late = (await tool('explain_failed_query', { reportId: slow.id })).data;
    assert.equal(late.problem.code, 'query_timed_out');
    await database.drop();
    const gone = await tool('explain_failed_query', { reportId: report.id });
    assert.equal(gone.data.problem.code, 'source_unreachable');
    assert.match(gone.data.suggestions[0], /The query is not the cause/);
    for (const name of ['run_report', 'explain_failed_query'])
      assert.ok(!(await tool(name, { reportId: report.id })).text.includes(password), name);
  });
});

/** Adds a PostgreSQL server as a data source, which can be dropped. */
async function openShop(...[context, engine]: Parameters<typeof startMcpOffice>) {
  const database = await createPostgresDatabase();
  const url = new URL(database.url);
  const office: McpOffice = await startMcpOffice(context, engine, {
    ATRIUM_SOURCE_PRIVATE_HOSTS: `127.0.0.1:${url.port}`,
    ATRIUM_QUERY_TIMEOUT_SECONDS: '2',
  });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table items (id int, name text)');
  await client.end();
  const password = decodeURIComponent(url.password);
  const { server, owner: as, organizationId } = office;
  const created = await server.call(`POST /api/organizations/${organizationId}/data-sources`, {
    as,
    body: {
      name: 'Shop',
      kind: 'postgresql',
      connection: {
        host: '127.0.0.1',
        port: Number(url.port),
        database: url.pathname.slice(1),
        user: url.username,
        tls: 'off',
        password,
      },
    },
  });
  assert.equal(created.status, 201, created.text);
  const dataSourceId = created.body.id;
  return {
    tool: office.tool,
    save: (report: object) => office.save({ dataSourceId, ...report }),
    database,
    password,
  };
}
