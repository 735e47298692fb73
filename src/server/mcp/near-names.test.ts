import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchCpuTime } from '../../../tests/support/cpu-time.ts';
import { nearNames } from './near-names.ts';

test('near names are those with few other letters, or that contain each other', () => {
  const names = ['amount', 'Amounts', 'customer_id', 'day', 'order_amount', 'region', 'x'];
  const cases: readonly [wanted: string, found: string[]][] = [
    ['amont', ['amount']],
    ['AMOUNT', ['amount', 'Amounts', 'order_amount']],
    ['customerid', ['customer_id']],
    ['dya', ['day']],
    ['yad', []],
    ['cutsomer_di', ['customer_id']],
    ['dy', ['day']],
    ['regions', ['region']],
    ['nothing', []],
    ['', []],
  ];
  for (const [wanted, found] of cases) assert.deepEqual(nearNames(wanted, names), found, wanted);
});

test('near names are found in little time, however many and long the names are', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `${index}${'x'.repeat(500)}`);
  const cpuMs = watchCpuTime();
  nearNames('x'.repeat(100_000), names);
  assert.ok(cpuMs() < 500, `${cpuMs()} ms`);
});
