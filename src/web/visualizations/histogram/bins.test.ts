import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binValues } from './bins.ts';

test('values are counted in bins with round edges', () => {
  const values = Array.from({ length: 100 }, (_, index) => index);
  assert.deepEqual(binValues(values), { start: 0, width: 20, counts: [20, 20, 20, 20, 20] });
  assert.deepEqual(binValues([-3, -1, 0, 2]), { start: -4, width: 2, counts: [1, 1, 2] });
});

test('values are counted in the given number of bins', () => {
  assert.deepEqual(binValues([1, 2, 3, 4, 5], 2), { start: 1, width: 2, counts: [2, 3] });
});

test('equal values are in one bin, and without values there are no bins', () => {
  assert.deepEqual(binValues([7, 7]), { start: 7, width: 0, counts: [2] });
  assert.equal(binValues([]), undefined);
});
