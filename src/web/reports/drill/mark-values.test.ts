import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrillTarget } from '#contract/reports/drill.ts';
import { markOfRow } from '#charts/marks/mark.ts';
import { groupValues, reasonAgainstTarget, searchOf } from './mark-values.ts';

const result = {
  columns: [
    { name: 'region', type: 'text', sourceType: '' },
    { name: 'n', type: 'integer', sourceType: '' },
  ],
} as const;
const marksOf = (...rows: unknown[][]) => rows.map((row) => markOfRow([], [], row));
const structure = {
  table: { schema: 'main', name: 't', columns: [{ name: 'region', type: 'text' }] },
  groups: [{ column: { name: 'region' } }],
} as const;

test('marks of a built query have the values of its groups, each combination once', () => {
  const marks = marksOf(['north', 1], ['north', 2], [null, 3]);
  assert.deepEqual(groupValues({ structure }, 'duckdb', marks, result), {
    values: [{ region: 'north' }, { region: null }],
  });
  assert.deepEqual(groupValues({}, 'duckdb', marks, result), {
    reason: 'The rows are only known for reports that are built without SQL.',
  });
  assert.deepEqual(groupValues({ structure: { table: structure.table } }, 'duckdb', marks, result), {
    reason: 'The report shows the rows themselves.',
  });
});

test('a target is not available if its column is missing, or for more values than it takes', () => {
  const query = (columns: Record<string, 'text' | 'list'>): DrillTarget => ({
    kind: 'query',
    label: 'Rows',
    query: 'SELECT 1',
    columns,
  });
  const two = marksOf(['north', 1], ['south', 1]);
  assert.equal(reasonAgainstTarget(query({ region: 'list' }), two, result), undefined);
  assert.equal(reasonAgainstTarget(query({ region: 'text' }), two, result), 'Select only one value.');
  assert.equal(reasonAgainstTarget(query({ city: 'text' }), two, result), 'The result has no column “city”.');
});

test('a linked report gets the values of its parameters in its URL', () => {
  const marks = marksOf(['north', 1], ['south', 1], [null, 2]);
  assert.deepEqual(searchOf({ area: 'region', count: 'n' }, marks, result), {
    area: ['north', 'south'],
    count: ['1', '2'],
  });
  assert.deepEqual(searchOf({ area: 'region' }, marksOf(['north', 1]), result), { area: 'north' });
});
