import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellText, columnWidth } from './cell-text.ts';

test('a value is shown as the source wrote it', () => {
  const values = [null, 0, '', '12345678901234567890', false, [1, 'a'], { a: null }];
  assert.deepEqual(values.map(cellText), [
    undefined,
    '0',
    '',
    '12345678901234567890',
    'false',
    '[1,"a"]',
    '{"a":null}',
  ]);
});

test('a column is as wide as its name or its values, within bounds', () => {
  const column = { name: 'region', sourceType: 'VARCHAR' };
  // Names are bold.
  assert.equal(columnWidth(column, 0, []), 11);
  assert.equal(columnWidth(column, 0, [['North Rhine']]), 14);
  assert.equal(columnWidth(column, 0, [['x'.repeat(500)]]), 44);
  assert.equal(columnWidth({ name: 'n', sourceType: 'INT' }, 0, [[null]]), 8);
});
