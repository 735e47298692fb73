import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf, resolve, textOf } from './conflict.ts';

const merged = { name: 'mine', dataSourceId: 's', query: 'select 2', description: 'mine' };
const conflict = {
  etag: '"3"',
  merged,
  conflicts: [
    { pointer: '/name', base: 'before', mine: 'mine', theirs: 'theirs' },
    { pointer: '/description', mine: 'mine' },
  ],
};

test('each part that both changed is as was chosen, and mine where nothing was', () => {
  assert.deepEqual(resolve(conflict, {}), merged);
  assert.deepEqual(resolve(conflict, { '/name': 'theirs', '/description': 'theirs' }), {
    name: 'theirs',
    dataSourceId: 's',
    query: 'select 2',
  });
});

test('parts are named and written for people', () => {
  assert.deepEqual([labelOf('/query'), labelOf('/other')], ['Query', 'other']);
  assert.deepEqual([textOf(undefined), textOf('x'), textOf(60), textOf([])], ['None', 'x', '60', '[]']);
});
