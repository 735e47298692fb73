import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryStructure } from '../structure.ts';
import { breakOut, zoomIn } from './regroup.ts';
import { ownParameters, rowsBehind } from './rows.ts';

const table = {
  schema: 'main',
  name: 'orders',
  columns: [
    { name: 'region', type: 'text' },
    { name: 'product', type: 'text' },
    { name: 'amount', type: 'decimal' },
    { name: 'day', type: 'date' },
  ],
} as const;
const [region, product, amount, day] = ['region', 'product', 'amount', 'day'].map((name) => ({ name })) as [
  { name: string },
  { name: string },
  { name: string },
  { name: string },
];
const open = { column: product, operator: 'is', values: ['A'] } as const;
const byMonth: QueryStructure = {
  table,
  filters: [open],
  groups: [{ column: day, granularity: 'month', name: 'Month' }, { column: region }],
  measures: [
    { name: 'orders', aggregate: 'count' },
    { name: 'growth', aggregate: 'count', comparison: 'change' },
  ],
  resultFilters: [{ column: { name: 'orders' }, operator: 'between', from: 2 }],
  sort: [{ name: 'orders', isDescending: true }],
  limit: 10,
};
const march = { Month: '2026-03-01', region: 'north' };

describe('the rows behind', () => {
  test('a mark are those of its groups, which the filters of the query allow', () => {
    assert.deepEqual(rowsBehind(byMonth, 'duckdb', [march]), {
      structure: {
        table,
        filters: [
          open,
          { column: day, operator: 'in_group', granularity: 'month', value: '2026-03-01' },
          { column: region, operator: 'in_group', value: 'north' },
        ],
      },
    });
  });

  test('several marks are those of one or another', () => {
    const drilled = rowsBehind(byMonth, 'duckdb', [march, { Month: null, region: 'south' }]);
    assert.deepEqual('structure' in drilled && drilled.structure.filters?.[1], {
      any: [
        [
          { column: day, operator: 'in_group', granularity: 'month', value: '2026-03-01' },
          { column: region, operator: 'in_group', value: 'north' },
        ],
        [
          { column: day, operator: 'in_group', granularity: 'month' },
          { column: region, operator: 'in_group', value: 'south' },
        ],
      ],
    });
  });

  test('marks of one text column are one list', () => {
    const structure = { table, groups: [{ column: region }] };
    assert.deepEqual(rowsBehind(structure, 'duckdb', [{ region: 'north' }, { region: 'south' }]), {
      structure: { table, filters: [{ column: region, operator: 'is', values: ['north', 'south'] }] },
    });
  });

  test('a number are all rows', () => {
    const structure: QueryStructure = {
      table,
      filters: [open],
      measures: [{ name: 'n', aggregate: 'count' }],
    };
    assert.deepEqual(rowsBehind(structure, 'duckdb', [{}]), { structure: { table, filters: [open] } });
  });

  test('a mark are not known if it lacks a group, or its value is not exact', () => {
    const reasonOf = (structure: QueryStructure, mark: object) => {
      const drilled = rowsBehind(structure, 'duckdb', [mark as Record<string, unknown>]);
      return 'reason' in drilled && drilled.reason;
    };
    assert.equal(reasonOf(byMonth, { region: 'north' }), 'It has no value of “Month”.');
    assert.equal(
      reasonOf({ table, groups: [{ column: amount }] }, { amount: 'NaN' }),
      'The value of “amount” can’t be searched for exactly.',
    );
    assert.equal(reasonOf({ table }, {}), 'The query doesn’t summarize rows.');
    assert.equal(reasonOf(byMonth, { ...march, Month: 'x' }), 'The value must be a date such as 2026-01-31.');
  });
});

test('breaking out groups the rows of a mark by another column', () => {
  assert.deepEqual(breakOut(byMonth, 'duckdb', [march], { column: product }), {
    structure: {
      table,
      filters: [
        open,
        { column: day, operator: 'in_group', granularity: 'month', value: '2026-03-01' },
        { column: region, operator: 'in_group', value: 'north' },
      ],
      groups: [{ column: product }],
      measures: [
        { name: 'orders', aggregate: 'count' },
        { name: 'growth', aggregate: 'count' },
      ],
    },
  });
});

describe('zooming in', () => {
  const groupsOf = (structure: QueryStructure, mark: Record<string, unknown>) => {
    const drilled = zoomIn(structure, 'duckdb', [mark]);
    return 'structure' in drilled ? drilled.structure.groups : drilled.reason;
  };

  test('divides the first range of time', () => {
    assert.deepEqual(groupsOf(byMonth, march), [
      { column: day, granularity: 'day', name: 'Month' },
      { column: region },
    ]);
  });

  test('divides ranges of numbers by ten', () => {
    const structure: QueryStructure = { table, groups: [{ column: amount, binWidth: 0.5 }] };
    assert.deepEqual(groupsOf(structure, { amount: 1.5 }), [{ column: amount, binWidth: 0.05 }]);
  });

  test('is not possible without a range, or for the day of a date', () => {
    const reason = 'None of its groups is a range of time or numbers.';
    assert.equal(groupsOf({ table, groups: [{ column: region }] }, { region: 'north' }), reason);
    const byDay: QueryStructure = { table, groups: [{ column: day, granularity: 'day' }] };
    assert.equal(groupsOf(byDay, { day: '2026-03-01' }), reason);
  });
});

test('the parameters of the own filters of a query come first', () => {
  const structure: QueryStructure = {
    ...byMonth,
    filters: [{ column: region, operator: 'is', values: ['north'] }],
  };
  assert.deepEqual(ownParameters(structure, 'duckdb'), [{ name: 'region', type: 'text', default: 'north' }]);
});
