import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsInTemplate, fillTemplate } from './template.ts';

const values = new Map([
  ['a', '1'],
  ['b c', '{{a}}'],
  ['empty', ''],
]);
const cases: readonly [text: string, columns: readonly string[], filled: string][] = [
  ['', [], ''],
  ['{{a}}, {{ a }}, {{b c}}', ['a', 'b c'], '1, 1, {{a}}'],
  ['{{empty}}{{none}}', ['empty', 'none'], '{{none}}'],
  ['{a} {{}} {{ {{a}} }}', ['a'], '{a} {{}} {{ 1 }}'],
  ['{{a', [], '{{a'],
  ['{{\na\n}}', ['a'], '1'],
  ['{{__proto__}}', ['__proto__'], '{{__proto__}}'],
];
for (const [text, columns, filled] of cases) {
  test(`the columns in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(columnsInTemplate(text), columns);
    assert.equal(
      fillTemplate(text, (column) => values.get(column)),
      filled,
    );
  });
}
