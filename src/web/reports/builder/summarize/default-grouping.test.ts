import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import { defaultBinWidth, defaultGranularity } from './default-grouping.ts';

test('dates are grouped into a readable number of periods', () => {
  const cases: [unknown, unknown, string, ColumnType?][] = [
    ['2026-01-01T00:00:00Z', '2026-01-02T12:00:00Z', 'hour'],
    ['2026-01-01', '2026-01-02', 'day', 'date'],
    ['2026-01-01', '2026-01-31', 'day'],
    ['2024-01-01', '2026-12-31', 'month'],
    ['1950-01-01', '2026-12-31', 'year'],
    [null, null, 'month'],
    [undefined, undefined, 'month'],
  ];
  for (const [lowest, highest, granularity, type = 'datetime'] of cases) {
    const message = `${String(lowest)} to ${String(highest)}`;
    assert.equal(defaultGranularity(lowest, highest, type), granularity, message);
  }
});

test('numbers are grouped into about ten steps of a round width, and few integers by each value', () => {
  const cases: [unknown, unknown, 'integer' | 'double', number | undefined][] = [
    [0, 100, 'integer', 10],
    [3, 987, 'integer', 100],
    [0, 0.7, 'double', 0.1],
    [0, 3, 'double', 0.5],
    [1, 12, 'integer', undefined],
    [5, 5, 'double', undefined],
    [null, null, 'double', undefined],
    ['0', '12345678901234567890', 'integer', 2_000_000_000_000_000_000],
  ];
  for (const [lowest, highest, type, width] of cases)
    assert.equal(defaultBinWidth(lowest, highest, type), width, `${String(lowest)} to ${String(highest)}`);
});
