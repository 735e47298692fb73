import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime, timestamp } from './clock.ts';

test('a date or time of RFC 3339 is parsed in any time zone', () => {
  const read = {
    '2026-11-21': '2026-11-21T00:00:00.000Z',
    '2026-11-21T09:00Z': '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:00:00Z': '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:00:00.5Z': '2026-11-21T09:00:00.500Z',
    '2026-11-21T09:00:00+02:00': '2026-11-21T07:00:00.000Z',
    '2026-11-21T23:30:00-01:00': '2026-11-22T00:30:00.000Z',
    '2024-02-29': '2024-02-29T00:00:00.000Z',
  };
  for (const [text, expected] of Object.entries(read)) {
    assert.equal(timestamp(parseTime(text) ?? Number.NaN), expected, text);
  }
});

test('a day that does not exist is refused', () => {
  for (const text of [
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-11-21T25:00:00Z',
    '',
    'x',
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
});
