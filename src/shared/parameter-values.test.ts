import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterValue } from './parameter-values.ts';

const cases: readonly [...Parameters<typeof parameterValue>, value: ReturnType<typeof parameterValue>][] = [
  ['text', '007', '007'],
  ['text', '', ''],
  ['text', ['a', 'b'], 'b'],
  ['text', [], ''],
  ['number', '-1.5', -1.5],
  ['number', '+2', 2],
  ['number', '.5', 0.5],
  ['number', '5.', 5],
  ['number', '1e3', 1000],
  ['number', '', null],
  ['number', [], null],
  ['number', '1e999', '1e999'],
  ['number', '0x10', '0x10'],
  ['number', ' ', ' '],
  ['number', '.', '.'],
  ['number', '1,5', '1,5'],
  ['number', 'Infinity', 'Infinity'],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', '', null],
  ['boolean', 'TRUE', 'TRUE'],
  ['date', '2026-01-31', '2026-01-31'],
  ['date', '', null],
  ['datetime', '', null],
  ['list', 'a', ['a']],
  ['list', '', ['']],
  ['list', ['a', 'b'], ['a', 'b']],
];
for (const [type, given, value] of cases) {
  test(`${JSON.stringify(given)} is ${JSON.stringify(value)} for the type ${type}`, () => {
    assert.deepEqual(parameterValue(type, given), value);
  });
}
