import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfPerson } from '../base/tenant.ts';
import { createAllowances, type Amount } from './allowances.ts';

const key = keyOfPerson('ada');

/** Measures usages, each measurement of which takes `tookMs`, after other times have passed. */
function startMeasuring(tookMs: number) {
  let now = 1_000;
  let count = 0;
  const allowances = createAllowances(() => now);
  const measure = (): Promise<Amount> =>
    allowances.usage(key, async () => {
      now += tookMs;
      count += 1;
      return { records: 10, bytes: 1_000 };
    });
  return { allowances, measure, pass: (ms: number) => void (now += ms), countOf: () => count };
}

test('what takes long to measure is measured for a twentieth of the time, and counts what is stored meanwhile', async () => {
  const { allowances, measure, pass, countOf } = startMeasuring(300);
  assert.deepEqual(await measure(), { records: 10, bytes: 1_000 });
  allowances.add(key, { records: 1, bytes: 70 });
  allowances.grant(key, { records: 5, bytes: 500 });
  assert.ok(allowances.take(key, { records: 2, bytes: 200 }));
  pass(5_999);
  assert.deepEqual(await measure(), { records: 13, bytes: 1_270 });
  assert.equal(countOf(), 1);
  pass(2);
  assert.deepEqual(await measure(), { records: 10, bytes: 1_000 });
  assert.equal(countOf(), 2);
});

test('no measurement is used for longer than a minute, and a quick one only once', async () => {
  const long = startMeasuring(30_000);
  await long.measure();
  long.pass(59_999);
  await long.measure();
  long.pass(2);
  await long.measure();
  assert.equal(long.countOf(), 2);
  const quick = startMeasuring(10);
  await quick.measure();
  await quick.measure();
  assert.equal(quick.countOf(), 2);
});
