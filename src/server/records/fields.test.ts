import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentOfFields } from './fields.ts';

interface Content {
  readonly name: string;
  readonly query: string;
  readonly steps?: string;
}

const { merge } = contentOfFields<Content>(['name', 'query', 'steps'], (contents) =>
  contents.some(({ steps }) => steps !== undefined) ? ['query', 'steps'] : [],
);
const base = { name: 'a', query: 'q', steps: 's' };

test('fields that only fit together are taken from one side', () => {
  const mine = { ...base, name: 'b' };
  assert.deepEqual(merge(base, mine, { ...base, steps: 't' }), {
    merged: { name: 'b', query: 'q', steps: 't' },
    conflicts: [],
  });
  assert.deepEqual(merge(base, mine, { name: 'a', query: 'r' }), {
    merged: { name: 'b', query: 'r' },
    conflicts: [],
  });
  assert.deepEqual(merge(base, { name: 'a', query: 'r' }, base), {
    merged: { name: 'a', query: 'r' },
    conflicts: [],
  });
});

test('fields that only fit together conflict if each side has changed one of them', () => {
  assert.deepEqual(merge(base, { ...base, steps: 't' }, { ...base, query: 'r', steps: 's' }), {
    merged: { name: 'a', query: 'r', steps: 's' },
    conflicts: [
      { pointer: '/query', base: 'q', mine: 'q', theirs: 'r' },
      { pointer: '/steps', base: 's', mine: 't', theirs: 's' },
    ],
  });
  const same = { ...base, steps: 't' };
  assert.deepEqual(merge(base, same, same), { merged: same, conflicts: [] });
});

test('fields of a content without them are merged one by one', () => {
  const plain = { name: 'a', query: 'q' };
  assert.deepEqual(merge(plain, { ...plain, name: 'b' }, { ...plain, query: 'r' }), {
    merged: { name: 'b', query: 'r' },
    conflicts: [],
  });
});
