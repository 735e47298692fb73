import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gaugeScale } from './scale.ts';

const cases: readonly (readonly [
  Parameters<typeof gaugeScale>[0],
  Parameters<typeof gaugeScale>[1],
  readonly [number, number],
])[] = [
  [{}, [73, 80], [0, 80]],
  [{}, [0.034], [0, 0.04]],
  [{}, [1234], [0, 1500]],
  [{}, [-7, 3], [-8, 3]],
  [{}, [-7], [-8, 0]],
  [{}, [undefined], [0, 1]],
  [{}, [], [0, 1]],
  [{ min: 10 }, [5], [10, 20]],
  [{ min: 0, max: 0 }, [5], [0, 1]],
  [{ min: 50, max: 100 }, [5, 200], [50, 100]],
  [{}, [9.9e249], [0, 1e250]],
];

for (const [configured, shown, [min, max]] of cases) {
  test(`a gauge of ${JSON.stringify(shown)} with ${JSON.stringify(configured)} goes from ${min} to ${max}`, () => {
    assert.deepEqual(gaugeScale(configured, shown), { min, max });
  });
}
