import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ChosenOptions, ImportPreview } from '#contract/data-sources/imports.ts';
import { QueryFailure } from '../../failure.ts';
import { defaultLimits } from '../../limits.ts';
import { previewFile } from './import-file.ts';

async function preview(
  context: TestContext,
  content: string | Buffer,
  options: ChosenOptions = {},
  format: 'csv' | 'tsv' = 'csv',
): Promise<ImportPreview> {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-csv-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const inputFile = join(directory, 'input');
  await writeFile(inputFile, content);
  const job = { kind: 'preview', inputFile, format, options } as const;
  const signal = new AbortController().signal;
  return (await previewFile(job, { directory, limits: defaultLimits, signal })).preview;
}

/** Returns the columns as `name type`. */
const columnsOf = ({ columns }: ImportPreview): string[] =>
  columns.map(({ name, type }) => `${name} ${type}`);

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Characters of windows-1252 that Latin-1 has at the same place. */
const windows1252 = (text: string): Buffer => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

const germanExcel = windows1252(
  [
    'Umsatzbericht März 2026;;;;;',
    ';;;;;',
    'Datum;Kunde;Kunden-Nr.;Betrag;Währung;Bemerkung',
    '01.03.2026;Müller & Söhne;00123;1.234,56;€;"Zeile eins\r\nZeile zwei"',
    '15.03.2026;Groß GmbH;00124;-89,00;€;sagt ""ja""',
    '31.03.2026;"Bäcker; Konditor";00125;12.000.000,5;€;',
    '',
    '',
  ].join('\r\n'),
);

test('a German export of Excel is read with its encoding, delimiter, decimal commas and dates', async (context) => {
  const read = await preview(context, germanExcel);
  assert.deepEqual(
    { ...read.options, columns: [] },
    {
      encoding: 'windows-1252',
      delimiter: ';',
      skipLines: 2,
      hasHeader: true,
      decimalMark: ',',
      dateOrder: 'day_first',
      columns: [],
    },
  );
  assert.deepEqual(columnsOf(read), [
    'Datum date',
    'Kunde text',
    'Kunden-Nr. text',
    'Betrag double',
    'Währung text',
    'Bemerkung text',
  ]);
  assert.deepEqual(read.rows, [
    ['2026-03-01', 'Müller & Söhne', '00123', 1234.56, '€', 'Zeile eins\r\nZeile zwei'],
    ['2026-03-15', 'Groß GmbH', '00124', -89, '€', 'sagt ""ja""'],
    ['2026-03-31', 'Bäcker; Konditor', '00125', 12_000_000.5, '€', null],
  ]);
  assert.deepEqual([read.lines, read.rowCount, read.faults], [[4, 6, 7], 3, []]);
});

test('Unicode text of Excel is read as UTF-16 with tabs', async (context) => {
  const text = 'Name\tStädte\tTime\r\nZoë\t3\t9:05 PM\r\nŁukasz\t12\t11:15 AM\r\n';
  const read = await preview(context, utf16(text));
  assert.deepEqual([read.options?.encoding, read.options?.delimiter], ['utf-16le', '\t']);
  assert.deepEqual(columnsOf(read), ['Name text', 'Städte integer', 'Time time']);
  assert.deepEqual(read.rows, [
    ['Zoë', 3, '21:05:00'],
    ['Łukasz', 12, '11:15:00'],
  ]);
  const bigEndian = Buffer.from(utf16(text)).swap16();
  assert.deepEqual((await preview(context, bigEndian)).rows, read.rows);
  assert.deepEqual((await preview(context, bigEndian.subarray(2))).options?.encoding, 'utf-16be');
});

test('a bank export of the US is read with amounts in dollars and the month first', async (context) => {
  const read = await preview(
    context,
    'Posted,Description,Amount,Balance\n' +
      '03/14/2026,"Coffee, beans",-$4.50,"$1,234.50"\n03/02/2026,Payroll,"$2,000.00","$3,234.50"\n' +
      '03/01/2026,Refund,($12.25),$99.00\n',
  );
  assert.equal(read.options?.dateOrder, 'month_first');
  assert.deepEqual(columnsOf(read), ['Posted date', 'Description text', 'Amount double', 'Balance double']);
  assert.deepEqual(read.rows, [
    ['2026-03-14', 'Coffee, beans', -4.5, 1234.5],
    ['2026-03-02', 'Payroll', 2000, 3234.5],
    ['2026-03-01', 'Refund', -12.25, 99],
  ]);
});

test('what could be read in two ways is text until a person chooses', async (context) => {
  const dates = 'day,value\n01/02/2026,1\n03/04/2026,2\n';
  const read = await preview(context, dates);
  assert.deepEqual(columnsOf(read), ['day text', 'value integer']);
  assert.match(read.notes[0] ?? '', /“day” could have the day or the month first/);
  const chosen = await preview(context, dates, { dateOrder: 'month_first' });
  assert.deepEqual([columnsOf(chosen)[0], chosen.rows[0]?.[0], chosen.notes], ['day date', '2026-01-02', []]);

  const thousands = 'a;b\nx;1.234\ny;5.678\n';
  const unmarked = await preview(context, thousands);
  assert.deepEqual(columnsOf(unmarked), ['a text', 'b text']);
  assert.match(unmarked.notes[0] ?? '', /“b” could have thousands or decimals/);
  assert.deepEqual((await preview(context, thousands, { decimalMark: '.' })).rows[0], ['x', 1.234]);
  assert.deepEqual((await preview(context, thousands, { decimalMark: ',' })).rows[0], ['x', 1234]);
});

test('a column has a type only if all of its values have it', async (context) => {
  const values = ['1', 'n/a', '3', '', '5'];
  const mixed = `id,number,code,big,money\n${values.map((value, index) => `${index},${value},0${index},12345678901234567890,${index % 2 === 0 ? '$' : '€'}1`).join('\n')}\n`;
  const read = await preview(context, mixed);
  assert.deepEqual(columnsOf(read), ['id integer', 'number text', 'code text', 'big text', 'money text']);

  const columns = ['id', 'number', 'code', 'big', 'money'].map((name) => ({
    name,
    type: name === 'number' ? ('integer' as const) : ('text' as const),
  }));
  const chosen = await preview(context, mixed, { columns });
  assert.deepEqual([chosen.badValueCount, chosen.badRowCount, chosen.brokenRowCount], [1, 1, 0]);
  assert.deepEqual(chosen.faults, [
    { line: 3, column: 'number', value: 'n/a', message: 'The value is not a whole number.' },
  ]);
  assert.deepEqual(
    chosen.rows.map((row) => row[1]),
    [1, null, 3, null, 5],
  );
});

test('a value that does not fit is found anywhere in a large file', async (context) => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `${index},2026-01-0${(index % 9) + 1}`);
  lines[50_000] = 'many,2026-01-01';
  const read = await preview(context, `n,day\n${lines.join('\n')}\n`);
  assert.deepEqual([columnsOf(read), read.rowCount], [['n text', 'day date'], 60_000]);
});

test('broken rows are listed with their lines, and the others are read', async (context) => {
  const good = Array.from({ length: 40_000 }, (_, index) => `${index},"x ${index}"`);
  good.splice(20_000, 0, '7,"never closed', '8', '9,"a"b', '10,a,b');
  const read = await preview(context, `id,name\n${good.join('\n')}\n\n\n`);
  assert.deepEqual([read.rowCount, read.brokenRowCount], [40_000, 4]);
  assert.deepEqual(
    read.faults.map(({ line, message }) => [line, message.slice(0, 30)]),
    [
      [20_002, 'A quote in this row is not clo'],
      [20_003, 'The row has 1 cell instead of '],
      [20_004, 'A quote in this row is not clo'],
      [20_005, 'The row has 3 cells instead of'],
    ],
  );
  const unclosed = await preview(context, 'a,b\n1,2\n3,"4\n5,6\n');
  assert.deepEqual(
    [unclosed.rowCount, unclosed.faults[0]?.line, unclosed.rows],
    [
      2,
      3,
      [
        [1, 2],
        [5, 6],
      ],
    ],
  );
});

test('names are repaired, and rows without a header have numbered columns', async (context) => {
  const read = await preview(context, 'Name,,name,"two\nlines",{{x}}\nx,1,2,3,4\n');
  assert.deepEqual(
    read.columns.map(({ name }) => name),
    ['Name', 'column_2', 'name_2', 'two lines', '{{x}}'],
  );
  const headless = await preview(context, '1,2026-01-01\n2,2026-01-02\n');
  assert.deepEqual(
    [headless.options?.hasHeader, columnsOf(headless)],
    [false, ['column_1 integer', 'column_2 date']],
  );
  const years = await preview(context, 'Land;2024;2025\nBayern;1;2\n');
  assert.deepEqual(columnsOf(years), ['Land text', '2024 integer', '2025 integer']);
});

const hostile: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
  'an empty file': ['', /no rows/],
  'blank lines': ['\n\n\r\n', /no rows/],
  'one line of 9 MB': ['x'.repeat(9_000_000), /longer than 1 MB/],
  'too many columns': [`${'a,'.repeat(100_000)}a\n`, /100001 columns.*up to 2000/],
  'only NUL': [Buffer.alloc(100_000), /NUL/],
  'an Excel workbook': [Buffer.from('PK\u0003\u0004......'), /Excel workbook.*Save it as CSV/],
  'columns that do not exist': ['a,b\n1,2\n', /2 columns with these options, but 1 were chosen/],
};
for (const [name, [content, message]] of Object.entries(hostile)) {
  test(`${name} is refused with a clear error`, async (context) => {
    const options: ChosenOptions =
      name === 'columns that do not exist' ? { columns: [{ name: 'a', type: 'text' }] } : {};
    await assert.rejects(preview(context, content, options), (error) => {
      assert.ok(error instanceof QueryFailure);
      assert.match(error.message, message);
      assert.equal(error.code, 'unreadable_file');
      return true;
    });
  });
}

test('hostile rows take linear time', async (context) => {
  const spaces = ' '.repeat(400_000);
  const read = await preview(
    context,
    `a,b\n${'1,"x\n'.repeat(100_000)}2,${spaces}x${'"'.repeat(400_000)}\n3,\0\n4,${'"'.repeat(800_001)}\n5,6\n`,
  );
  assert.ok(
    read.rowCount >= 2 && read.brokenRowCount > 90_000,
    JSON.stringify(read.faults.slice(-3)).slice(0, 500),
  );
});
