import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchThreadCpuTime } from '../../../tests/support/cpu-time.ts';
import { startNewsroom } from '../../../tests/support/reports/newsroom.ts';
import { describeOnUsualEngine } from '../../../tests/support/server/test-server.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { labelColumns } from './labels.ts';

const euro = { kind: 'currency', currency: 'EUR' } as const;
const sales = {
  schema: 'main',
  name: 'sales',
  columns: [
    { name: 'amount', displayName: 'Amount paid', format: euro },
    { name: 'region', displayName: 'Sales region' },
  ],
  measures: [{ name: 'Average', formula: 'average([amount])', format: euro }],
};
const other = { schema: 'main', name: 'other', columns: [{ name: 'amount', displayName: 'Other amount' }] };

describeOnUsualEngine('labels of the columns of a result', (engine) => {
  test('are those of the models of the tables that the SQL names, for everybody who reads the result', async (context) => {
    const { server, owner: as, organizationId, id, save, run } = await startNewsroom(context, engine);
    const report = await save({ query: 'SELECT region, amount FROM "Sales" -- other\nLIMIT 1' });
    assert.equal((await run(report)).body.labels, undefined);
    for (const body of [sales, other]) {
      const path = `PUT /api/data-sources/${id}/models`;
      assert.equal((await server.call(path, { as, body, headers: { 'if-match': '*' } })).status, 200);
    }
    const viewer = await server.createMember(organizationId, 'viewer');
    const { labels, isFromCache } = (await run(report, {}, viewer)).body;
    assert.equal(isFromCache, true);
    assert.deepEqual(labels, [
      { column: 'region', displayName: 'Sales region' },
      { column: 'amount', displayName: 'Amount paid', format: euro },
    ]);
    const dashboard = await server.call('POST /api/dashboards', {
      as,
      body: { name: 'D', organizationId, widgets: [{ reportId: report.id }] },
    });
    const lines = await server.call(`GET /api/dashboards/${dashboard.body.id}/results`, { as: viewer });
    assert.deepEqual(JSON.parse(lines.text).result.labels, labels);
  });
});

const columns = (...names: string[]) => names.map((name) => ({ name }));

test('a name that means different things in the tables of a query has no label', () => {
  assert.deepEqual(labelColumns({}, [sales, other], columns('amount', 'region', 'Average')), [
    { column: 'region', displayName: 'Sales region' },
    { column: 'Average', format: euro },
  ]);
});

test('the columns of a built query have the labels of their own tables, and measures the formats', () => {
  const typed = (name: string) => ({ name, type: 'double' as const });
  const structure: QueryStructure = {
    table: { schema: 'main', name: 'sales', columns: [typed('amount'), typed('region')] },
    joins: [
      {
        kind: 'left',
        as: 'o',
        table: { schema: 'main', name: 'other', columns: [typed('amount')] },
        on: [{ left: { name: 'amount' }, right: 'amount' }],
      },
    ],
    groups: [
      { column: { name: 'region' } },
      { column: { name: 'region' }, name: 'Own name' },
      { column: { table: 'o', name: 'amount' }, binWidth: 10 },
    ],
    measures: [
      { name: 'Total', aggregate: 'sum', column: { name: 'amount' } },
      { name: 'Share', aggregate: 'sum', column: { name: 'amount' }, comparison: 'share_of_total' },
      { name: 'Rows', aggregate: 'count' },
      { name: 'Average', aggregate: 'formula', formula: 'average([amount])' },
    ],
  };
  const names = columns('region', 'Own name', 'amount', 'Total', 'Share', 'Rows', 'Average');
  assert.deepEqual(labelColumns({ structure }, [sales, other], names), [
    { column: 'region', displayName: 'Sales region' },
    { column: 'amount', displayName: 'Other amount' },
    { column: 'Total', format: euro },
    { column: 'Average', format: euro },
  ]);
});

test('labels many columns in linear time', () => {
  const described = (model: number) => ({
    schema: 'main',
    name: `t${model}`,
    columns: Array.from({ length: 1_000 }, (_, index) => ({ name: `c${model}_${index}`, displayName: 'C' })),
  });
  const models = Array.from({ length: 300 }, (_, model) => described(model));
  const names = columns(...Array.from({ length: 2_000 }, (_, index) => `c299_${index}`));
  const cpuTime = watchThreadCpuTime();
  assert.equal(labelColumns({}, models, names).length, 1_000);
  assert.ok(cpuTime() < 1_500);
});
