import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from '../../ui/text/bytes.ts';
import { mediaTypeOf, suggestSourceName, suggestTableName, tableNameFault, withFiles } from './uploads.ts';

test('the table name suggested for a file is valid', () => {
  const names = [
    'Sales 2026.csv',
    'Umsätze – März.csv',
    '2026.parquet',
    '.json',
    'a.b.c.tsv',
    'x'.repeat(99),
  ];
  assert.deepEqual(
    names.map((name) => suggestTableName(name)),
    ['sales_2026', 'umsatze_marz', 'table_2026', 'table', 'a_b_c', 'x'.repeat(63)],
  );
  assert.equal(suggestTableName('sales.csv', new Set(['sales', 'sales_2'])), 'sales_3');
  assert.equal(suggestTableName('x'.repeat(99), new Set(['x'.repeat(63)])), `${'x'.repeat(61)}_2`);
});

test('a data source is named after its file', () => {
  assert.deepEqual(['Umsätze_2026.csv', 'bank  export.v2.txt', '.csv'].map(suggestSourceName), [
    'Umsätze 2026',
    'bank export.v2',
    'Files',
  ]);
});

test('a table name that the server would refuse is reported before the upload', () => {
  const words = 'Use up to 63 lowercase letters, digits and underscores, starting with a letter';
  assert.deepEqual(
    ['sales', 'Sales', '', '1a', 'a-b', 'x'.repeat(64)].map((name) => tableNameFault(name, [])),
    [undefined, words, words, words, words, words],
  );
  assert.equal(tableNameFault('sales', ['sales']), 'Another file here uses this table name');
});

test('files that are chosen together get different table names', () => {
  let count = 0;
  const files = [new File(['a'], 'a.csv'), new File(['a'], 'A.json'), new File(['a'], 'a.exe')];
  const uploads = withFiles([], files, () => String((count += 1)));
  assert.deepEqual(
    uploads.map(({ id, table, state }) => [id, table, state.kind]),
    [
      ['1', 'a', 'waiting'],
      ['2', 'a_2', 'waiting'],
      ['3', 'a_3', 'failed'],
    ],
  );
});

test('the media type of a file follows from its extension', () => {
  assert.deepEqual(['a.CSV', 'b.jsonl', 'c.parquet', 'd', 'e.xlsx'].map(mediaTypeOf), [
    'text/csv',
    'application/x-ndjson',
    'application/vnd.apache.parquet',
    undefined,
    undefined,
  ]);
});

test('bytes are shown with a suitable unit', () => {
  assert.deepEqual([0, 999, 1_000, 1_500_000, 25_000_000, 3e12].map(formatBytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.5 MB',
    '25 MB',
    '3.0 TB',
  ]);
});
