import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparklinePath } from '../values/sparkline.ts';
import { figureOf } from './figure.ts';

const result = {
  columns: [
    { name: 'month', type: 'date', sourceType: '' },
    { name: 'sales', type: 'integer', sourceType: '' },
  ],
  rows: [
    ['2026-03-01', 120],
    ['2026-01-01', 80],
    [null, 999],
    ['2026-02-01', 100],
  ],
} as const;

const figure = (trend?: object, rows: readonly (readonly unknown[])[] = result.rows) => {
  const { text, comparison, history } =
    figureOf(
      { kind: 'number', value: 'sales', ...(trend && { trend: { by: 'month', ...trend } }) },
      { ...result, rows },
    ) ?? {};
  return { text, comparison: comparison?.text, history };
};

test('a number with a trend is the latest one, and is compared with the one before', () => {
  assert.deepEqual(figure(), { text: '120', comparison: undefined, history: undefined });
  assert.deepEqual(figure({}, [...result.rows].toReversed()), {
    text: '120',
    comparison: '20% more than Feb 2026',
    history: [80, 100, 120],
  });
  assert.deepEqual(figure({ compareWith: 'first', hasSparkline: false, showAs: 'difference' }), {
    text: '120',
    comparison: '40 more than Jan 2026',
    history: undefined,
  });
  assert.equal(figure({ compareWith: 'none' }).comparison, undefined);
});

test('a trend of one row or none has no change and no line', () => {
  assert.deepEqual(figure({}, [['2026-01-01', 5]]), { text: '5', comparison: undefined, history: undefined });
  assert.deepEqual(figure({}, []), { text: '–', comparison: undefined, history: undefined });
  assert.equal(figureOf({ kind: 'number', value: 'gone' }, result), undefined);
});

test('a sparkline has gaps for missing values, and the peaks of many values', () => {
  const size = { width: 100, height: 10 };
  assert.equal(sparklinePath([0, 10, undefined, 5], size), 'M0 10L33.3 0M100 5h0');
  assert.equal(sparklinePath([], size), '');
  assert.equal(sparklinePath([undefined], size), '');
  assert.equal(sparklinePath([7], size), 'M50 5h0');
  assert.equal(sparklinePath([-1.7e308, 1.7e308], size), 'M0 10L100 0');
  const many = Array.from({ length: 50_000 }, (_, index) => (index === 31_234 ? 1_000 : index % 10));
  const path = sparklinePath(many, size);
  assert.equal(path.match(/L/g)?.length, 120);
  assert.ok(path.includes(' 0L'), 'the peak is shown');
});
