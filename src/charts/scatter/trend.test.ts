import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trendOf, trendText } from './trend.ts';

const pointsOf = (pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y }));

test('a trend is the line of least squares, with the share of the variance that it explains', () => {
  const exact = trendOf(
    pointsOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  );
  assert.deepEqual(exact, { slope: 2, intercept: 1, rSquared: 1, start: [0, 1], end: [2, 5] });
  assert.equal(exact && trendText(exact, false), 'Trend: y = 2x + 1 (R² = 1.00)');
  // Anscombe's first set.
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const anscombe = trendOf(x.map((x, index) => ({ x, y: y[index] ?? 0 })));
  assert.equal(anscombe && trendText(anscombe, false), 'Trend: y = 0.5001x + 3 (R² = 0.67)');
});

test('a trend over time is the change in a day', () => {
  const day = 86_400_000;
  const start = Date.UTC(2026, 0, 1);
  const trend = trendOf(
    pointsOf([
      [start, 10],
      [start + day, 8],
      [start + 2 * day, 6],
    ]),
  );
  assert.equal(trend && trendText(trend, true), 'Trend: -2 per day (R² = 1.00)');
});

test('there is no trend of points at one x, of none, and of numbers that are too large', () => {
  assert.equal(trendOf([]), undefined);
  assert.equal(
    trendOf(
      pointsOf([
        [1, 2],
        [1, 3],
      ]),
    ),
    undefined,
  );
  assert.equal(
    trendOf(
      pointsOf([
        [-1e308, 2],
        [1e308, 3],
      ]),
    ),
    undefined,
  );
  assert.equal(
    trendOf(
      pointsOf([
        [1, 5],
        [2, 5],
      ]),
    )?.rSquared,
    undefined,
  );
});
