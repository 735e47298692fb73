import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toggled } from './selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];

for (const { name, before, id, from, after } of [
  { name: 'one is selected', before: [], id: 'b', from: undefined, after: ['b'] },
  { name: 'one is no longer selected', before: ['a', 'b'], id: 'b', from: undefined, after: ['a'] },
  { name: 'a range downwards', before: ['b'], id: 'd', from: 'b', after: ['b', 'c', 'd'] },
  { name: 'a range upwards', before: ['d'], id: 'b', from: 'd', after: ['b', 'c', 'd'] },
  { name: 'a range that ends', before: shown, id: 'd', from: 'b', after: ['a', 'e'] },
  { name: 'from one that is no longer shown', before: ['x'], id: 'd', from: 'x', after: ['d', 'x'] },
]) {
  test(`a selection: ${name}`, () => {
    assert.deepEqual([...toggled(new Set(before), shown, { id, from })].toSorted(), after);
  });
}
