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

test('the parts of a built query have one choice', () => {
  const structure = { table: { schema: '', name: 't', columns: [] } };
  const other = { ...structure, limit: 2 };
  const built = {
    merged: { ...merged, query: 'select 1', structure: other },
    conflicts: [
      { pointer: '/query', base: 'x', mine: 'select 1', theirs: 'select 2' },
      { pointer: '/structure', mine: structure, theirs: other },
    ],
  };
  assert.deepEqual(itemsOf(built), [
    {
      key: 'query',
      title: 'Query',
      differences: [{ label: 'Query', base: 'x', mine: 'select 1', theirs: 'select 2' }],
    },
  ]);
  const chosen = applyChoices(built, new Map([['query', 'theirs']]));
  assert.deepEqual([chosen.query, chosen.structure], ['select 2', other]);
  const mine = applyChoices(built, new Map());
  assert.deepEqual([mine.query, mine.structure], ['select 1', structure]);
});
