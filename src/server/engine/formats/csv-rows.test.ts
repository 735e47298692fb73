import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { exactCsv, spreadsheetCsv, type CsvWriter } from './csv-rows.ts';

/** Values, and what is written for spreadsheets if that differs. */
const cells: readonly (readonly [string | null, string?])[] = [
  ['plain'],
  [null],
  ['a, "b"'],
  ['-5'],
  ['+49.5e-3'],
  ['-1234567890123456789.5'],
  ['2026-01-02'],
  ['a=b'],
  ['1-2@x'],
  ['=1+1', "'=1+1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['+1+cmd', "'+1+cmd"],
  ['-2+3', "'-2+3"],
  ['-', "'-"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['a;=1', "a;'=1"],
  ['a\n=1', "a\n'=1"],
  ['a",=1'],
  ['a\t@x', "a\t'@x"],
  ['＝1', "'＝1"],
];

const column = (name: string) => ({ name, type: 'text', sourceType: 'VARCHAR' }) as const;

/** Writes the cells as one column, and returns the names and values that DuckDB reads. */
async function roundTrip(context: TestContext, writer: CsvWriter, name: string): Promise<(string | null)[]> {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-csv-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'cells.csv');
  const values = cells.map(([value]) => value);
  // A second column, so that a row with only null is not an empty line.
  const columns = [values, values.map(() => 'x')];
  writeFileSync(
    file,
    writer.head([column(name), column('other')]) + writer.lines({ rowCount: values.length, columns }),
  );
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `FROM read_csv('${file}', auto_detect = false, header = false, delim = ',', quote = '"',
      escape = '"', new_line = '\\r\\n', columns = {'a': 'VARCHAR', 'b': 'VARCHAR'})`,
  );
  connection.closeSync();
  return read.getRows().map(([value]) => (value === null ? null : String(value)));
}

describe('a CSV file', () => {
  it('has exactly the values of the source', async (context) => {
    assert.deepEqual(await roundTrip(context, exactCsv, '=name'), [
      '=name',
      ...cells.map(([value]) => value),
    ]);
  });

  it('for spreadsheets has an apostrophe before each formula, and is exact otherwise', async (context) => {
    assert.deepEqual(await roundTrip(context, spreadsheetCsv, '=name'), [
      "'=name",
      ...cells.map(([value, shown]) => shown ?? value),
    ]);
  });
});
