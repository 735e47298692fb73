import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { completionsAt } from './completion.ts';

const columns = [
  { name: 'amount', type: 'decimal' },
  { name: 'customers.name]', type: 'text' },
];

/** Completions at the end of a formula, written as the text before them and the labels, without those of operators. */
const cases: readonly [formula: string, from: number, labels: readonly string[]][] = [
  ['rou', 0, ['round']],
  ['1 + [AMO', 4, ['amount']],
  ['1 + [nam', 4, ['customers.name]']],
  ['[amount] ', 9, ['+', '-', '*', '/', '%', '=', '<>', '<', '<=', '>', '>=', 'and', 'or']],
  ['[amount] > 1 an', 13, ['and']],
  ['round([amount]) o', 16, ['or']],
  ['"[am', 4, []],
  ['count_d', 0, []],
];

describe('the completions', () => {
  for (const [formula, from, labels] of cases) {
    test(`after ${formula}`, () => {
      const found = completionsAt(formula, formula.length, columns, false);
      assert.deepEqual([found.from, found.completions.map(({ label }) => label)], [from, labels]);
    });
  }

  test('of a measure include the aggregates', () => {
    const { completions } = completionsAt('count_d', 7, columns, true);
    assert.deepEqual(
      completions.map(({ detail }) => detail),
      ['count_distinct(value)', 'count_distinct_if(value, condition)'],
    );
  });

  test('insert columns with their brackets', () => {
    const { completions } = completionsAt('nam', 3, columns, false);
    assert.deepEqual(
      completions.map(({ text }) => text),
      ['[customers.name]]]'],
    );
  });
});
