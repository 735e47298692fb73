import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStepFormatter } from './time-steps.ts';

const cases = [
  ['date', ['2024-10-01', '2024-11-01', null], ['Oct 2024', 'Nov 2024', '–']],
  ['datetime', ['2024-10-01T00:00:00', '2025-01-01T00:00:00'], ['Oct 2024', 'Jan 2025']],
  ['date', ['2024-10-01', '2024-10-08'], ['Oct 1, 2024', 'Oct 8, 2024']],
  ['date', ['2024-10-01'], ['Oct 1, 2024']],
  ['datetime', ['2024-10-01T00:00:00', '2024-10-02T00:00:00'], ['Oct 1, 2024', 'Oct 2, 2024']],
  ['integer', [2024, 2025], ['2024', '2025']],
] as const;

for (const [type, values, texts] of cases) {
  test(`${values.join(', ')} are written as ${texts.join(', ')}`, () => {
    assert.deepEqual(values.map(createStepFormatter({ type }, values)), texts);
  });
}

test('times that are not all at midnight are written completely', () => {
  const values = ['2024-10-01T00:00:00', '2024-10-01T12:30:00'];
  assert.match(createStepFormatter({ type: 'datetime' }, values)(values[1]), /12:30/);
});
