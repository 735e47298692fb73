import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValueFormat } from '#shared/visualizations/format.ts';
import { axisFormatter } from './axis-formatter.ts';

const compact: ValueFormat = { kind: 'number', isCompact: true };

const cases: readonly [format: ValueFormat, ticks: readonly number[], labels: readonly string[]][] = [
  [compact, [1_000_000, 1_001_000, 1_002_000], ['1M', '1.001M', '1.002M']],
  [compact, [0, 500, 1_000, 1_500], ['0', '500', '1K', '1.5K']],
  [compact, [0, 0.1, 0.1 + 0.2, 0.00025], ['0', '0.1', '0.3', '0.00025']],
  [compact, [5e12, 6e24, -2.5e15], ['5T', '6E24', '-2.5E15']],
  [{ kind: 'number', decimals: 0 }, [0, 0.5, 1], ['0', '0.5', '1']],
  [{ kind: 'number', decimals: 2 }, [0, 0.5], ['0.00', '0.50']],
  [{ kind: 'percent' }, [0, 0.0005, 0.25], ['0%', '0.05%', '25%']],
  [{ kind: 'currency', currency: 'USD', isCompact: true }, [1_200_000, 1_250_000], ['$1.2M', '$1.25M']],
  [{ kind: 'auto' }, [1_000, 1_000.125], ['1,000', '1,000.125']],
];

for (const [format, ticks, labels] of cases) {
  test(`the labels of ${ticks.join(', ')} as ${JSON.stringify(format)} are distinct and short`, () => {
    assert.deepEqual(ticks.map(axisFormatter(format)), labels);
  });
}
