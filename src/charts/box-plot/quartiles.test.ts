import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf } from './quartiles.ts';

test('quartiles are interpolated as in spreadsheets, and far values are outliers', () => {
  assert.deepEqual(boxOf([7, 1, 3, 5], 'range'), {
    min: 1,
    lowerQuartile: 2.5,
    median: 4,
    upperQuartile: 5.5,
    max: 7,
    outliers: [],
  });
  assert.deepEqual(boxOf([1, 2, 3, 4, 100, -90], 'tukey'), {
    min: 1,
    lowerQuartile: 1.25,
    median: 2.5,
    upperQuartile: 3.75,
    max: 4,
    outliers: [-90, 100],
  });
  assert.deepEqual(boxOf([5], 'tukey')?.median, 5);
  assert.equal(boxOf([], 'tukey'), undefined);
});

test('huge numbers of different signs have finite quartiles', () => {
  const { lowerQuartile, median, upperQuartile } = boxOf([-(2 ** 1023), 2 ** 1023], 'range') ?? {};
  assert.deepEqual([lowerQuartile, median, upperQuartile], [-(2 ** 1022), 0, 2 ** 1022]);
});
