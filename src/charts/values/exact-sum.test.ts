import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactSum } from './exact-sum.ts';

for (const [values, sum] of [
  [[], undefined],
  [[null, 'many', true, NaN, Infinity], undefined],
  [[1, 2, null, '3'], '6'],
  [[0.1, 0.2], '0.3'],
  [['0.10', '0.20', -0.3], '0'],
  [[-0.05, -0.01], '-0.06'],
  [['123456789012345678901234567890', 1], '123456789012345678901234567891'],
  [[1e21, 1e-7], '1000000000000000000000.0000001'],
  [['1.5', '1e2'], '101.5'],
] as const) {
  test(`the sum of ${JSON.stringify(values)} is ${sum ?? 'unknown'}`, () => {
    assert.equal(exactSum(values), sum);
  });
}
