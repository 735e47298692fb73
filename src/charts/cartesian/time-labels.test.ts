import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimeLabels } from './time-labels.ts';

const cases = [
  ['2023-11-01', 'Nov 2023'],
  ['2024-01-01', '2024'],
  ['2024-04-03', 'Apr 3\n2024'],
  ['2024-04-03T10:00Z', '10:00 AM\nApr 3, 2024'],
] as const;

for (const [tick, label] of cases) {
  test(`the label of ${tick} has the year`, () => {
    const written = createTimeLabels(true, 'en-US')(Date.parse(tick));
    assert.equal(written.replaceAll('\u202f', ' '), label);
  });
}

test('the labels are in the locale of the reader', () => {
  assert.equal(createTimeLabels(true, 'de')(Date.parse('2024-10-01')), 'Okt. 2024');
});
