import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveBoard, startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

const time = '2026-11-21T09:00:00.000Z';

describeOnUsualEngine('the tools of MCP', (engine) => {
  test('find what there is, and read reports and their results', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, organizationId, id: dataSourceId } = office;
    const parameters = [
      { name: 'region', type: 'text' as const, default: 'north', allowed: { values: ['north', 'south'] } },
    ];
    const saved = await office.save({
      name: 'Élan of regions',
      description: 'By region',
      query: 'SELECT region, amount FROM sales WHERE region = {{region}} ORDER BY amount',
      parameters,
    });
    await office.save({ name: 'Other' });
    const boardId = await saveBoard(office, []);
    const folder = await server.call(`POST /api/organizations/${organizationId}/folders`, {
      as: owner,
      body: { name: 'Elan' },
    });
    assert.equal(folder.status, 201, folder.text);
    const found = async (input: object) =>
      (await office.tool('search', { ...input })).data.items.map(
        ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`,
      );
    assert.deepEqual(await found({ words: 'elan' }), ['report Élan of regions', 'folder Elan']);
    assert.deepEqual(await found({ words: 'reg by' }), ['report Élan of regions']);
    assert.deepEqual(await found({ words: 'desk' }), ['dashboard Board']);
    assert.deepEqual(await found({ words: '!?' }), []);
    assert.deepEqual(await found({ kinds: ['data_source', 'dashboard'] }), [
      'data_source Files',
      'dashboard Board',
    ]);
    const few = (await office.tool('search', { kinds: ['report'], limit: 1 })).data;
    assert.deepEqual([few.items.length, few.incomplete], [1, ['report']]);

    const citation = {
      id: saved.id,
      name: 'Élan of regions',
      version: 1,
      url: `http://localhost:3000/reports/${saved.id}`,
    };
    assert.deepEqual((await office.tool('read_report', { reportId: saved.id })).data, {
      report: citation,
      description: 'By region',
      dataSourceId,
      query: saved.query,
      parameters,
      visualization: { kind: 'table' },
      cacheSeconds: 60,
      createdAt: time,
      updatedAt: time,
    });
    const run = (input: object) => office.tool('run_report', { reportId: saved.id, ...input });
    const columns = [
      { name: 'region', type: 'text', sourceType: 'VARCHAR' },
      { name: 'amount', type: 'double', sourceType: 'DOUBLE' },
    ];
    const whole = { report: citation, columns, rowCount: 2, computedAt: time, isFromCache: false };
    assert.deepEqual((await run({})).data, {
      ...whole,
      rows: [
        ['north', 10.5],
        ['north', 20],
      ],
    });
    const south = (await run({ parameters: { region: 'south' }, maxRows: 1 })).data;
    assert.deepEqual(south.rows, [['south', 30]]);
    assert.match(south.truncated, /^Only the first 1 rows are shown\. Totals .* wrong/);
    assert.equal(south.rowCount, 2);
    assert.equal((await run({})).data.isFromCache, true);
    server.advance(1_000);
    const forced = (await run({ isForced: true })).data;
    assert.deepEqual([forced.isFromCache, forced.computedAt], [false, '2026-11-21T09:00:01.000Z']);
    const values = await office.tool('list_parameter_values', { reportId: saved.id, parameter: 'region' });
    assert.deepEqual(values.data, { report: citation, values: ['north', 'south'] });
    assert.equal((await office.tool('search', { words: 'board' })).data.items[0].id, boardId);
  });

  test('explain why a query fails', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, organizationId } = office;
    const query = 'SELECT region,\n  amont\nFROM sales';
    const { id: reportId } = await office.save({ query });
    const { data } = await office.tool('explain_failed_query', { reportId });
    assert.equal(data.failed, true);
    assert.deepEqual([data.problem.code, data.problem.line, data.problem.column], ['query_failed', 2, 3]);
    assert.equal(data.excerpt, '1: SELECT region,\n2:   amont\n     ^\n3: FROM sales');
    assert.deepEqual([data.name, data.nearNames], ['amont', ['amount']]);
    assert.deepEqual(data.tables, [
      {
        schema: 'main',
        name: 'sales',
        columns: ['region VARCHAR', 'day DATE', 'amount DOUBLE', 'is_open BOOLEAN'],
      },
    ]);
    assert.ok(data.suggestions.length > 1);
    assert.equal(data.query, query);
    // Someone who may not query the source learns only what the run of the report says.
    const viewer = await server.createMember(organizationId, 'viewer');
    const asViewer = (await office.tool('explain_failed_query', { reportId }, viewer)).data;
    assert.deepEqual([asViewer.failed, asViewer.tables, asViewer.nearNames], [true, undefined, undefined]);
    const works = await office.save({ query: 'SELECT {{n}}', parameters: [{ name: 'n', type: 'number' }] });
    const fine = (await office.tool('explain_failed_query', { reportId: works.id })).data;
    assert.deepEqual([fine.failed, fine.problem], [false, undefined]);
    const wrong = { reportId: works.id, parameters: { n: 'many', m: 1 } };
    const { problem } = (await office.tool('explain_failed_query', wrong)).data;
    assert.deepEqual(
      problem.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/parameters/n', '/parameters/m'].toSorted(),
    );
  });
});
