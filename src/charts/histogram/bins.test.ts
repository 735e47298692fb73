import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { binValues } from './bins.ts';

const whole = { below: 0, above: 0 };

test('values are counted in bins with round edges', () => {
  const values = Array.from({ length: 100 }, (_, index) => index);
  assert.deepEqual(binValues(values), {
    edges: [0, 20, 40, 60, 80, 100],
    counts: [20, 20, 20, 20, 20],
    ...whole,
  });
  assert.deepEqual(binValues([-3, -1, 0, 2]), { edges: [-4, -2, 0, 2], counts: [1, 1, 2], ...whole });
  assert.deepEqual(binValues([0.3, 0.6, 0.9], 2), { edges: [0.3, 0.6, 0.9], counts: [1, 2], ...whole });
});

test('values are counted in the given number of bins, whole numbers between whole numbers', () => {
  assert.deepEqual(binValues([1, 2, 3, 4, 5], 2), { edges: [0, 3, 6], counts: [2, 3], ...whole });
  assert.deepEqual(binValues([1, 2.5, 5], 2), { edges: [0, 2.5, 5], counts: [1, 2], ...whole });
  assert.deepEqual(binValues([1, 2, 2, 3])?.edges, [1, 2, 3]);
});

test('values far from the others are counted outside of the edges', () => {
  const ages = Array.from({ length: 200 }, (_, index) => 20 + (index % 50));
  const bins = binValues([...ages, 999_999, -999, 1_000_000]);
  assert.deepEqual(bins, {
    edges: [20, 30, 40, 50, 60, 70],
    counts: [40, 40, 40, 40, 40],
    below: 1,
    above: 2,
  });
});

test('equal values are in one bin, and without values there are no bins', () => {
  assert.deepEqual(binValues([7, 7]), { edges: [7, 7], counts: [2], ...whole });
  assert.equal(binValues([]), undefined);
});

test('every value is counted, whatever the values are', () => {
  const value = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
  const count = fc.option(fc.integer({ min: 2, max: 200 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), count, (values, count) => {
      const { edges, counts, below, above } = binValues(values, count) ?? assert.fail();
      assert.equal(
        counts.reduce((sum, each) => sum + each, below + above),
        values.length,
      );
      assert.equal(counts.length, edges.length - 1);
      assert.deepEqual(
        [...edges].toSorted((a, b) => a - b),
        edges,
      );
    }),
  );
});
