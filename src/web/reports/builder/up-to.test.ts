import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { limited, structureUpTo } from './up-to.ts';

const structure: QueryStructure = {
  table: { schema: 'main', name: 'orders', columns: [{ name: 'total', type: 'integer' }] },
  customColumns: [{ name: 'double', formula: '[total] * 2' }],
  filters: [{ column: { name: 'total' }, operator: 'between', from: 1 }],
  groups: [{ column: { name: 'total' } }],
  measures: [{ aggregate: 'count', name: 'Orders' }],
  sort: [{ name: 'Orders' }],
  limit: 10,
  timeZone: 'Europe/Rome',
};

test('the query up to a step has that step and those before it', () => {
  const { table, customColumns, filters, groups, measures, timeZone } = structure;
  assert.deepEqual(structureUpTo(structure, 'table'), { table, timeZone, columns: [{ name: 'total' }] });
  assert.deepEqual(structureUpTo(structure, 'filters'), {
    table,
    customColumns,
    filters,
    timeZone,
    columns: [{ name: 'total' }, { name: 'double' }],
  });
  assert.deepEqual(structureUpTo({ ...structure, columns: [{ name: 'double' }] }, 'shownColumns'), {
    table,
    customColumns,
    filters,
    timeZone,
    columns: [{ name: 'double' }],
  });
  assert.deepEqual(structureUpTo(structure, 'summarize'), {
    table,
    customColumns,
    filters,
    groups,
    measures,
    timeZone,
  });
  assert.deepEqual(structureUpTo(structure, 'limit'), structure);
});

test('a preview has at most its own number of rows', () => {
  assert.equal(limited(structure, 100).limit, 10);
  assert.equal(limited(structureUpTo(structure, 'sort'), 100).limit, 100);
});
