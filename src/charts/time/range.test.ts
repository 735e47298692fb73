import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeBetween, rangeForPeople, rangeOfText, rangeToText } from './range.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

for (const [text, from, to] of [
  ['2026-01-05..2026-02-01', '2026-01-05T00:00', '2026-02-01T00:00'],
  ['2026-01-05T10:30..2026-01-05T11:00:05', '2026-01-05T10:30', '2026-01-05T11:00:05'],
] as const) {
  test(`the range ${text} is the same after it was read`, () => {
    assert.deepEqual(rangeOfText(text), { from: at(from), to: at(to) });
    assert.equal(rangeToText({ from: at(from), to: at(to) }), text);
  });
}

for (const text of [
  undefined,
  ['2026-01-05..2026-02-01'],
  '',
  '2026-01-05',
  '2026-02-01..2026-01-05',
  '2026-01-05..2026-01-05',
  '2026-01-05..2026-02-01..2026-03-01',
  '2026-13-05..2027-02-01',
  `2026-01-05..2026-02-01${' '.repeat(100_000)}`,
]) {
  test(`${JSON.stringify(text)?.slice(0, 60)} is no range`, () => {
    assert.equal(rangeOfText(text), undefined);
  });
}

test('a range between two times is in order and in seconds, and has at least one', () => {
  assert.deepEqual(rangeBetween(5_400, 1_300), { from: 1_000, to: 5_000 });
  assert.equal(rangeBetween(1_100, 1_300), undefined);
});

test('people read days, and times if the range is short', () => {
  const plain = (text: string) => text.replaceAll(/[\u2009\u202F]/g, ' ');
  const days = { from: at('2026-01-05T00:00'), to: at('2026-02-01T00:00') };
  assert.equal(plain(rangeForPeople(days, 'en-US')), 'Jan 5 – Feb 1, 2026');
  const hours = { from: at('2026-01-05T10:00'), to: at('2026-01-05T11:30') };
  assert.equal(plain(rangeForPeople(hours, 'en-US')), 'Jan 5, 2026, 10:00 – 11:30 AM');
});
