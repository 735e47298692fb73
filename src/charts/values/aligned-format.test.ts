import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnType } from '#shared/columns.ts';
import { createAlignedFormatter } from './aligned-format.ts';
import type { ValueFormat } from '#shared/visualizations/format.ts';

const cases: [string, ColumnType, ValueFormat | undefined, unknown[], string[]][] = [
  ['zeros fill a fraction', 'double', undefined, [1, 2.5, 1234.25, null], ['1.00', '2.50', '1,234.25', '–']],
  ['exact decimals', 'decimal', undefined, ['0.125', '3', '-12.5'], ['0.125', '3.000', '-12.500']],
  ['percentages', 'double', { kind: 'percent' }, [0.5, 0.215], ['50.0%', '21.5%']],
  ['a prefix with a mark', 'double', { kind: 'number', prefix: 'ca. ' }, [1, 2.5], ['ca. 1.0', 'ca. 2.5']],
  ['integers', 'integer', undefined, [2005, 12345], ['2005', '12,345']],
  ['given decimals', 'double', { kind: 'number', decimals: 1 }, [1, 2.25], ['1.0', '2.3']],
  ['very small values', 'double', undefined, [0.00000012, 5], ['0.00000012', '5']],
  ['text', 'text', undefined, ['1.5', '2'], ['1.5', '2']],
  ['what is no number', 'double', undefined, ['NaN', 1.5], ['NaN', '1.5']],
];

for (const [name, type, format, values, texts] of cases) {
  test(`in a column, ${name}: ${texts.join(' | ')}`, () => {
    assert.deepEqual(values.map(createAlignedFormatter({ type }, format, values, 'en-US')), texts);
  });
}

test('a value beyond the sample keeps the digits that it needs, and the mark is that of the locale', () => {
  const write = createAlignedFormatter({ type: 'decimal' }, undefined, ['1.5'], 'de-DE');
  assert.deepEqual(['2', '2.125'].map(write), ['2,0', '2,125']);
});
