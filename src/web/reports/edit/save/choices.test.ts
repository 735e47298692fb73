import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChoices, itemsOf } from './choices.ts';

const merged = { name: 'mine', dataSourceId: 's', query: 'select 2', description: 'mine' };
const conflict = {
  merged,
  conflicts: [
    { pointer: '/name', base: 'before', mine: 'mine', theirs: 'theirs' },
    { pointer: '/description', mine: 'mine' },
  ],
};

test('each conflicting part is the chosen one, by default mine', () => {
  assert.deepEqual(applyChoices(conflict, new Map()), merged);
  assert.deepEqual(
    applyChoices(
      conflict,
      new Map([
        ['name', 'theirs'],
        ['description', 'theirs'],
      ]),
    ),
    { name: 'theirs', dataSourceId: 's', query: 'select 2' },
  );
});

test('conflicting parts have labels and readable values', () => {
  assert.deepEqual(
    itemsOf({
      conflicts: [
        { pointer: '/query', base: 'x', mine: 60, theirs: [] },
        { pointer: '/other', mine: 'y' },
      ],
    }),
    [
      {
        key: 'query',
        title: 'Query',
        differences: [{ label: 'Query', base: 'x', mine: '60', theirs: '[]' }],
      },
      {
        key: 'other',
        title: 'other',
        differences: [{ label: 'other', base: 'none', mine: 'y', theirs: 'none' }],
      },
    ],
  );
});
