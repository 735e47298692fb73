import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, expiryAfter, expiryAtEndOf, expiryChoices, firstChoice } from './expiry.ts';

const now = Date.UTC(2026, 10, 21, 9);

test('the choices of an expiry end at the longest that the organization permits', () => {
  assert.deepEqual(expiryChoices(365), [7, 30, 90, 365]);
  assert.deepEqual(expiryChoices(60), [7, 30, 60]);
  assert.deepEqual(expiryChoices(3), [3]);
  assert.deepEqual(expiryChoices(365, 14), [7, 14, 30, 90, 365]);
  assert.deepEqual(expiryChoices(10, 14), [7, 10]);
  assert.deepEqual(
    [firstChoice(365), firstChoice(10), firstChoice(365, 14), firstChoice(10, 14)],
    [30, 10, 14, 10],
  );
});

test('a token that replaces another is valid as long as that one', () => {
  assert.equal(daysOf({ createdAt: '2026-11-21T09:00:00.000Z', expiresAt: '2026-12-21T08:59:10.000Z' }), 30);
  assert.equal(daysOf({ createdAt: '2026-11-21T09:00:00.000Z', expiresAt: '2026-11-21T10:00:00.000Z' }), 1);
});

test('no choice exceeds the maximum, even if the clock of the browser is a little ahead', () => {
  assert.equal(expiryAfter(7, 365, now), '2026-11-28T09:00:00.000Z');
  assert.equal(expiryAfter(10, 10, now), '2026-12-01T08:55:00.000Z');
  assert.equal(expiryAtEndOf('2026-12-01', 10, now), '2026-12-01T08:55:00.000Z');
  assert.equal(expiryAtEndOf('2026-11-25', 10, now), new Date('2026-11-25T23:59:59').toISOString());
});
