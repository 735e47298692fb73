import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMcpOffice } from '../../../../tests/support/mcp/office.ts';
import { describeOnUsualEngine } from '../../../../tests/support/server/test-server.ts';

const time = '2026-11-21T09:00:00.000Z';

describeOnUsualEngine('the tools of MCP', (engine) => {
  test('describe data sources and tables, and run queries that only read', async (context) => {
    const office = await startMcpOffice(context, engine);
    const { server, owner, id: dataSourceId } = office;
    const model = {
      schema: 'main',
      name: 'sales',
      displayName: 'Sales',
      description: 'One row for each sale',
      columns: [
        { name: 'amount', displayName: 'Amount', description: 'In euros' },
        { name: 'is_open', isHidden: true },
      ],
      measures: [{ name: 'Revenue', formula: 'sum([amount])' }],
    };
    const put = await server.call(`PUT /api/data-sources/${dataSourceId}/models`, {
      as: owner,
      headers: { 'if-match': '*' },
      body: model,
    });
    assert.equal(put.status, 200, put.text);
    const { data: sources } = await office.tool('list_data_sources');
    const url = `http://localhost:3000/data-sources/${dataSourceId}`;
    assert.deepEqual(sources, {
      items: [
        {
          id: dataSourceId,
          name: 'Files',
          kind: 'files',
          mayQuery: true,
          updatedAt: sources.items[0].updatedAt,
          url,
        },
      ],
    });
    const dataSource = { id: dataSourceId, name: 'Files', url };
    assert.deepEqual((await office.tool('describe_data_source', { dataSourceId })).data, {
      dataSource,
      tables: [
        {
          schema: 'main',
          name: 'sales',
          displayName: 'Sales',
          description: 'One row for each sale',
          rowCount: 4,
          columnNames: ['region', 'day', 'amount'],
        },
      ],
      tableCount: 1,
    });
    assert.equal(
      (await office.tool('describe_data_source', { dataSourceId, words: 'eur' })).data.tableCount,
      0,
    );
    assert.equal(
      (await office.tool('describe_data_source', { dataSourceId, words: 'reg' })).data.tableCount,
      1,
    );
    const described = (await office.tool('describe_table', { dataSourceId, table: 'sales', sampleRows: 1 }))
      .data;
    assert.deepEqual(described, {
      dataSource,
      schema: 'main',
      name: 'sales',
      displayName: 'Sales',
      description: 'One row for each sale',
      rowCount: 4,
      columns: [
        { name: 'region', type: 'text', sourceType: 'VARCHAR' },
        { name: 'day', type: 'date', sourceType: 'DATE' },
        {
          name: 'amount',
          type: 'double',
          sourceType: 'DOUBLE',
          displayName: 'Amount',
          description: 'In euros',
        },
      ],
      measures: [{ name: 'Revenue', formula: 'sum([amount])' }],
      sample: [{ region: 'north', day: '2025-03-01', amount: 10.5 }],
    });
    const missing = await office.tool('describe_table', { dataSourceId, table: 'none' });
    assert.equal(missing.problem.code, 'not_found');
    const query = await office.tool('run_query', {
      dataSourceId,
      query: 'SELECT max(amount) AS top FROM sales WHERE region = {{r}}',
      parameters: [{ name: 'r', type: 'text' }],
      values: { r: 'south' },
    });
    assert.deepEqual(query.data, {
      dataSourceId,
      columns: [{ name: 'top', type: 'double', sourceType: 'DOUBLE' }],
      rows: [[40]],
      rowCount: 1,
      computedAt: time,
    });
    for (const text of ['DELETE FROM sales', 'CREATE TABLE x (a int)', 'SELECT 1; DROP TABLE sales'])
      assert.equal(
        (await office.tool('run_query', { dataSourceId, query: text })).problem.code,
        'query_failed',
      );
  });
});
