import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueNotice } from './token-expiry.ts';

const dayMs = 86_400_000;
const createdAt = '2026-11-21T09:00:00.000Z';
const created = Date.parse(createdAt);

/** Returns the notice of a token that was created for some days, when so many are left. */
const due = (days: number, left: number, type = 'bearer') =>
  dueNotice(
    { type, createdAt, expiresAt: new Date(created + days * dayMs).toISOString() },
    created + (days - left) * dayMs,
  );

test('a notice is due 30 days and 7 days before the end of a token', () => {
  assert.deepEqual(
    [365, 31, 30.001, 30, 8, 7.001, 7, 1, 0.001, 0, -1].map((left) => due(365, left)),
    [undefined, undefined, undefined, 30, 30, 30, 7, 7, 7, undefined, undefined],
  );
});

test('nobody is notified before the end of a token that was created for a short time', () => {
  assert.deepEqual(
    [due(60, 30), due(59, 29), due(14, 7), due(13, 6), due(1, 1)],
    [30, undefined, 7, undefined, undefined],
  );
});

test('people are notified a week before the end of what they have authorized', () => {
  assert.deepEqual([due(90, 30, 'authorization'), due(90, 7, 'authorization')], [undefined, 7]);
});
