import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormatter } from '../values/formats.ts';
import { waterfallSteps } from './steps.ts';

const measure = { name: 'change', type: 'decimal', sourceType: '', index: 0 } as const;
const format = createFormatter(measure);
const itemsOf = (values: readonly string[]) =>
  values.map((value, index) => ({
    name: `n${index}`,
    value: Number(value),
    text: format(value),
    row: [value],
  }));
const steps = (values: readonly string[], total?: string) =>
  waterfallSteps(itemsOf(values), measure, format, total).map(({ name, from, to, totalText }) => ({
    name,
    from,
    to,
    totalText,
  }));

test('each bar goes from the total before it to the total after it, also across zero', () => {
  assert.deepEqual(steps(['5', '-8', '2'], 'Sum'), [
    { name: 'n0', from: 0, to: 5, totalText: '5' },
    { name: 'n1', from: 5, to: -3, totalText: '-3' },
    { name: 'n2', from: -3, to: -1, totalText: '-1' },
    { name: 'Sum', from: 0, to: -1, totalText: '-1' },
  ]);
  assert.deepEqual(steps([], 'Sum'), []);
});

test('totals are exact, and those of many bars include the ones that are combined', () => {
  assert.equal(steps(['0.1', '0.2', '-0.3'], 'Sum').at(-1)?.totalText, '0');
  const many = steps(
    Array.from({ length: 50_000 }, () => '0.1'),
    'Sum',
  );
  assert.equal(many.length, 101);
  assert.deepEqual(many.at(-2)?.name, 'Other (49,901)');
  assert.deepEqual(many.at(-1)?.totalText, '5,000');
});
