import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPosition, toWallTime } from './wall-clock.ts';

const at = Date.parse('2026-01-31T12:34:56.789Z');

test('times without a zone are what people read', () => {
  assert.deepEqual([toWallTime(at, true), toPosition(at, true)], [at, at]);
});

test('an instant is read in the zone of the reader, and found again', () => {
  const wall = toWallTime(at, false);
  assert.equal(wall, at - new Date(at).getTimezoneOffset() * 60_000);
  assert.equal(toPosition(wall, false), at);
});
