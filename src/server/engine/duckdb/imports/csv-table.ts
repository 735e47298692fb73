import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  maxListedFaults,
  type ChosenOptions,
  type ImportFault,
  type ImportFaults,
  type ImportOptions,
  type ImportType,
} from '#contract/data-sources/imports.ts';
import { writeCleanFile } from '../../csv/clean-file.ts';
import { guessDialect, readStart } from '../../csv/dialect.ts';
import { guessTypes } from '../../csv/guess.ts';
import { columnNames } from '../../csv/names.ts';
import { maxRowBytes } from '../../csv/row.ts';
import { guessEncoding, readText } from '../../csv/text.ts';
import { QueryFailure } from '../../failure.ts';
import { quoteName, quoteText } from '../instance.ts';
import { conversion, trimmedText, type ConversionOptions } from './conversions.ts';

/** The rows of a CSV file as texts, in the table `cells.main.rows`, with the options by which they become a table. */
export interface CsvTable {
  readonly options: ImportOptions;
  readonly notes: readonly string[];
  readonly faults: ImportFaults;
  /** Returns the SELECT of the converted rows. */
  select(): string;
}

/** A text file of the worker, and the directory in which it may write. */
interface CsvSource {
  readonly inputFile: string;
  readonly directory: string;
  readonly chosen: ChosenOptions;
  /** The maximum size of each file that it writes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a CSV file: first its rows, without broken ones, then the types of its columns. Options that aren't chosen are guessed;
 * a column has a type only if all of its values have it. Throws `unreadable_file` and `invalid_parameters`.
 */
export async function readCsv(
  connection: DuckDBConnection,
  { inputFile, directory, chosen, maxBytes, signal }: CsvSource,
): Promise<CsvTable> {
  const encoding = chosen.encoding ?? (await guessEncoding(inputFile, signal));
  const start = await readStart(readText(inputFile, encoding, signal));
  refuseOtherFormats(start);
  const dialect = await guessDialect(start, chosen);
  const cleanFile = join(directory, 'clean.csv');
  const output = { path: cleanFile, maxBytes };
  const clean = await writeCleanFile(readText(inputFile, encoding, signal), dialect, output);
  await loadCells(connection, cleanFile, dialect.delimiter, clean.columnCount);
  await rm(cleanFile);
  if (chosen.columns !== undefined && chosen.columns.length !== clean.columnCount)
    throw new QueryFailure(
      'unreadable_file',
      `The file has ${clean.columnCount} columns with these options, but ${chosen.columns.length} were chosen.`,
    );
  const names = columnNames(clean.header, clean.columnCount);
  const { types, notes, ...formats } = await findTypes(connection, names, dialect.delimiter, chosen);
  const columns = chosen.columns ?? names.map((name, index) => ({ name, type: types[index] ?? 'text' }));
  const options = { encoding, ...dialect, ...formats, columns };
  // All values fit the types that were guessed.
  const values = chosen.columns === undefined ? noBadValues : await findBadValues(connection, options);
  const faults = [...clean.faults, ...values.faults].toSorted((one, other) => one.line - other.line);
  return {
    options,
    notes,
    faults: {
      brokenRowCount: clean.brokenRowCount,
      badValueCount: values.badValueCount,
      badRowCount: values.badRowCount,
      faults: faults.slice(0, maxListedFaults),
    },
    select: () => {
      const selected = columns.map(
        ({ name, type }, index) => `${conversion(cell(index), type, formats)} AS ${quoteName(name)}`,
      );
      return `SELECT ${selected.join(', ')} FROM cells.main.rows`;
    },
  };
}

/** Files that people take for CSV, by how they start. */
const otherFormats: readonly (readonly [start: string, name: string])[] = [
  ['PK\u0003\u0004', 'an Excel workbook or a ZIP archive'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel workbook'],
  ['%PDF', 'a PDF document'],
  ['PAR1', 'a Parquet file'],
  ['\u001f\u008b', 'a compressed file'],
];

function refuseOtherFormats(start: Buffer): void {
  const text = start.toString('utf8', 0, 16);
  const format = otherFormats.find(([mark]) => text.startsWith(mark));
  if (format !== undefined)
    throw new QueryFailure(
      'unreadable_file',
      `The file is ${format[1]}, not a text file. Save it as CSV, and upload that.`,
    );
}

const cell = (index: number): string => `c${index}`;
const trimmed = (index: number): string => trimmedText(cell(index));

async function loadCells(
  connection: DuckDBConnection,
  file: string,
  delimiter: string,
  columnCount: number,
): Promise<void> {
  const columns = Array.from({ length: columnCount }, (_, index) => `${cell(index)}: 'VARCHAR'`);
  // By default, a buffer has sixteen of the longest lines, which is more memory than a query may have.
  const maxLineBytes = 4 * maxRowBytes;
  await connection.run(`CREATE TABLE cells.main.rows AS FROM read_csv(${quoteText(file)}, auto_detect = false,
    delim = ${quoteText(delimiter)}, quote = '"', escape = '"', header = false, new_line = '\\n', encoding = 'utf-8',
    columns = {line: 'BIGINT', ${columns.join(', ')}}, max_line_size = ${maxLineBytes}, buffer_size = ${maxLineBytes}, hive_partitioning = false)`);
}

const maxSampleCells = 400_000;
const maxSampleRows = 10_000;

async function findTypes(
  connection: DuckDBConnection,
  names: readonly string[],
  delimiter: ImportOptions['delimiter'],
  chosen: ChosenOptions,
): Promise<ConversionOptions & { readonly types: readonly ImportType[]; readonly notes: readonly string[] }> {
  const limit = Math.max(100, Math.min(maxSampleRows, Math.floor(maxSampleCells / names.length)));
  // Some from everywhere: the first rows may be unlike the others.
  const reader =
    await connection.runAndReadAll(`SELECT ${names.map((_, index) => `left(${trimmed(index)}, 100)`).join(', ')}
    FROM cells.main.rows USING SAMPLE reservoir(${limit} ROWS) REPEATABLE (1)`);
  const values = reader.getColumns().map((column) =>
    column.flatMap((value) => {
      const text = typeof value === 'string' ? value : '';
      return text === '' ? [] : [text];
    }),
  );
  const guess = guessTypes(values, delimiter, chosen);
  const types = [...guess.types];
  const formats = { decimalMark: guess.decimalMark, dateOrder: guess.dateOrder };
  const notes: string[] = [];
  if (chosen.columns !== undefined) return { ...formats, types, notes };
  // The sample did not decide the order of day and month. The whole file may.
  if (guess.unordered.length > 0) {
    const fits = async (dateOrder: ImportOptions['dateOrder']): Promise<boolean> =>
      (await findUnfit(connection, types, guess.unordered, { ...formats, dateOrder })).length === 0;
    const [isDayFirst, isMonthFirst] = [await fits('day_first'), await fits('month_first')];
    if (isMonthFirst && !isDayFirst) formats.dateOrder = 'month_first';
    if (isDayFirst === isMonthFirst) for (const index of guess.unordered) types[index] = 'text';
    if (isDayFirst && isMonthFirst)
      notes.push(
        `${listOf(guess.unordered, names)} could have the day or the month first, and so the dates are text. Choose the order of dates.`,
      );
  }
  if (guess.unmarked.length > 0)
    notes.push(
      `${listOf(guess.unmarked, names)} could have thousands or decimals, and so the numbers are text. Choose the decimal mark.`,
    );
  const typed = types.flatMap((type, index) => (type === 'text' ? [] : [index]));
  for (const index of await findUnfit(connection, types, typed, formats)) types[index] = 'text';
  return { ...formats, types, notes };
}

const listOf = (indexes: readonly number[], names: readonly string[]): string =>
  indexes
    .slice(0, 5)
    .map((index) => `“${names[index]}”`)
    .join(', ') + (indexes.length > 5 ? ' and others' : '');

/** Few enough for one query. */
const columnsPerQuery = 100;

function isUnfit(index: number, type: ImportType, formats: ConversionOptions): string {
  return `(${trimmed(index)} <> '' AND ${conversion(cell(index), type, formats)} IS NULL)`;
}

/** Returns the columns with a value that doesn't fit their type. */
async function findUnfit(
  connection: DuckDBConnection,
  types: readonly ImportType[],
  indexes: readonly number[],
  formats: ConversionOptions,
): Promise<number[]> {
  const counts = await countUnfit(connection, types, indexes, formats);
  return indexes.filter((_, position) => (counts[position] ?? 0) > 0);
}

async function countUnfit(
  connection: DuckDBConnection,
  types: readonly ImportType[],
  indexes: readonly number[],
  formats: ConversionOptions,
): Promise<number[]> {
  const counts: number[] = [];
  for (let from = 0; from < indexes.length; from += columnsPerQuery) {
    const counted = indexes
      .slice(from, from + columnsPerQuery)
      .map((index) => `count(*) FILTER (${isUnfit(index, types[index] ?? 'text', formats)})`);
    const reader = await connection.runAndReadAll(`SELECT ${counted.join(', ')} FROM cells.main.rows`);
    counts.push(...(reader.getRows()[0] ?? []).map(Number));
  }
  return counts;
}

const noBadValues = { badValueCount: 0, badRowCount: 0, faults: [] };

const shownCharacters = 100;

const expectations: Readonly<Record<ImportType, string>> = {
  text: 'The value is not text.',
  integer: 'The value is not a whole number.',
  double: 'The value is not a number.',
  date: 'The value is not a date.',
  datetime: 'The value is not a date and time.',
  instant: 'The value is not a date and time with a time zone.',
  time: 'The value is not a time.',
  boolean: 'The value is neither true nor false.',
};

/** Counts and lists the values that don't fit the types of their columns. */
async function findBadValues(
  connection: DuckDBConnection,
  { columns, ...formats }: ImportOptions,
): Promise<Pick<ImportFaults, 'badValueCount' | 'badRowCount' | 'faults'>> {
  const types = columns.map(({ type }) => type);
  const typed = types.flatMap((type, index) => (type === 'text' ? [] : [index]));
  const counts = await countUnfit(connection, types, typed, formats);
  const bad = typed.filter((_, position) => (counts[position] ?? 0) > 0);
  if (bad.length === 0) return noBadValues;
  const faults: ImportFault[] = [];
  for (const index of bad.slice(0, maxListedFaults)) {
    const { name, type } = columns[index] as (typeof columns)[number];
    const reader = await connection.runAndReadAll(`SELECT line, left(${cell(index)}, ${shownCharacters})
      FROM cells.main.rows WHERE ${isUnfit(index, type, formats)} ORDER BY line LIMIT ${maxListedFaults}`);
    for (const [line, value] of reader.getRows())
      faults.push({ line: Number(line), column: name, value: String(value), message: expectations[type] });
  }
  const anyBad = bad.map((index) => isUnfit(index, types[index] ?? 'text', formats)).join(' OR ');
  const rows = await connection.runAndReadAll(`SELECT count(*) FROM cells.main.rows WHERE ${anyBad}`);
  return {
    badValueCount: counts.reduce((sum, count) => sum + count, 0),
    badRowCount: Number(rows.value(0, 0)),
    faults,
  };
}
