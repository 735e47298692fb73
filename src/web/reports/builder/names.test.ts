import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { defaultMeasureName, suggestedName, uniqueName, type ComputedMeasure } from './names.ts';

const table = { schema: 'main', name: 'orders', columns: [{ name: 'unit_price', type: 'double' as const }] };
const column = { name: 'unit_price' };

test('measures have the names that people would give them', () => {
  const cases: [ComputedMeasure, string][] = [
    [{ aggregate: 'count' }, 'Orders'],
    [{ aggregate: 'sum', column }, 'Total unit price'],
    [{ aggregate: 'percentile', column, percent: 90 }, 'Percentile 90 of unit price'],
    [{ aggregate: 'sum', column, comparison: 'share_of_total' }, 'Share of total unit price'],
    [{ aggregate: 'count', comparison: 'running_total' }, 'Running orders'],
    [{ aggregate: 'average', column, comparison: 'percent_change' }, 'Change in average unit price'],
  ];
  for (const [measure, name] of cases) assert.equal(defaultMeasureName(measure, { table }), name);
  assert.equal(defaultMeasureName({ aggregate: 'sum', column }, { table }, 'Price'), 'Total Price');
  assert.equal(defaultMeasureName({ aggregate: 'count' }, { table: { ...table, name: 'staff' } }), 'Rows');
});

test('a report is named after what its query returns', () => {
  const cases: [Partial<QueryStructure>, string][] = [
    [{}, 'Orders'],
    [{ measures: [{ aggregate: 'count', name: 'Orders' }] }, 'Orders'],
    [{ groups: [{ column: { name: 'region' } }] }, 'Region'],
    [
      {
        measures: [{ aggregate: 'sum', column, name: 'Total price' }],
        groups: [{ column: { name: 'region' } }, { column: { name: 'day' }, name: 'Month' }],
      },
      'Total price by region and month',
    ],
  ];
  for (const [part, name] of cases) assert.equal(suggestedName({ table, ...part }), name);
});

test('a name that is taken gets a number', () => {
  assert.equal(uniqueName('Orders', []), 'Orders');
  assert.equal(uniqueName('Orders', ['orders', 'ORDERS 2']), 'Orders 3');
});
