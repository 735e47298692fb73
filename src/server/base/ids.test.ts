import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './ids.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('later ids sort later, even within a millisecond and if the clock is set back', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 });
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, newId);
  context.mock.timers.setTime(before - 3_600_000);
  ids.push(newId());
  context.mock.timers.setTime(before + 3_600_000);
  ids.push(newId());
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, uuid);
  const times = ids.map(timeOf);
  // If a millisecond has too many ids, the next milliseconds are used.
  assert.deepEqual([times[0], times[9_999], times.at(-1)], [before, before + 2, before + 3_600_000]);
});
