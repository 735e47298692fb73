import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column, UploadFormat } from '#contract/data-sources/data-sources.ts';
import type { ImportFaults, ImportPreview } from '#contract/data-sources/imports.ts';
import { readJsonRows } from '../../formats/json-rows.ts';
import { QueryFailure } from '../../failure.ts';
import type { QueryLimits } from '../../limits.ts';
import type { FileJob, ImportJob, ImportResult, PreviewJob, PreviewResult } from '../../worker/messages.ts';
import { duckdbFailure } from '../errors.ts';
import { createInstance, quoteText } from '../instance.ts';
import { columnsOf, toBatches } from '../rows.ts';
import { readCsv, type CsvTable } from './csv-table.ts';
import { unreadableFile } from './unreadable.ts';

/** How a job of a worker that reads files runs. */
interface FileContext {
  /** The worker's own directory. */
  readonly directory: string;
  readonly limits: QueryLimits;
  readonly signal: AbortSignal;
}

const previewRows = 50;
const previewBytes = 2 * 1024 * 1024;

const noFaults: ImportFaults = { brokenRowCount: 0, badValueCount: 0, badRowCount: 0, faults: [] };

export const hasFaults = ({ brokenRowCount, badValueCount }: ImportFaults): boolean =>
  brokenRowCount > 0 || badValueCount > 0;

/**
 * Imports a file as the table `data` of a new DuckDB database file, unless it has faults that the job doesn't skip. If it
 * rejects, with `unreadable_file` or `too_large` for example, it removes the database file.
 */
export async function importFile(job: ImportJob, context: FileContext): Promise<ImportResult> {
  const { outputFile, skipsFaults = false } = job;
  try {
    return await withFile(job, context, outputFile, async (connection) => {
      const table = await openTable(connection, job, context);
      const faults = table?.faults ?? noFaults;
      if (hasFaults(faults) && !skipsFaults)
        return { kind: 'import', isImported: false, columns: [], rowCount: 0, faults };
      if (table !== undefined) await connection.run(`CREATE TABLE output.main.data AS ${table.select()}`);
      await connection.run('CHECKPOINT output');
      const columns = columnsOf(await connection.run('FROM output.main.data LIMIT 0'));
      requireColumns(columns, context.limits);
      const rowCount = await countRows(connection);
      await connection.run('DETACH output');
      return { kind: 'import', isImported: true, columns, rowCount, faults };
    });
  } catch (error) {
    await rm(outputFile, { force: true });
    await rm(`${outputFile}.wal`, { force: true });
    throw error;
  }
}

/** Returns what importing a file would create. */
export async function previewFile(job: PreviewJob, context: FileContext): Promise<PreviewResult> {
  const outputFile = join(context.directory, 'preview.duckdb');
  try {
    return await withFile(job, context, outputFile, async (connection) => {
      const table = await openTable(connection, job, context);
      const from = table === undefined ? 'FROM output.main.data' : table.select();
      const rowCount = await countRows(connection, table && 'cells.main.rows');
      const columns = columnsOf(await connection.run(`${from} LIMIT 0`));
      requireColumns(columns, context.limits);
      const rows = await firstRows(connection, from);
      const preview: ImportPreview = {
        ...(table && { options: table.options }),
        columns,
        rows,
        lines: table === undefined ? [] : (await firstLines(connection)).slice(0, rows.length),
        rowCount,
        notes: [...(table?.notes ?? [])],
        ...(table?.faults ?? noFaults),
      };
      return { kind: 'preview', preview };
    });
  } finally {
    await rm(outputFile, { force: true });
    await rm(`${outputFile}.wal`, { force: true });
  }
}

/**
 * Opens a DuckDB instance that can access only a file, whose content is not trusted, the database `output`, and the worker's
 * directory with the cells of CSV files. Translates errors.
 */
async function withFile<Result>(
  { inputFile, format, maxBytes }: FileJob,
  { directory, limits, signal }: FileContext,
  outputFile: string,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const instance = await createInstance(directory, limits);
  const connection = await instance.connect();
  const maxImportBytes = Math.min(maxBytes ?? Infinity, limits.maxImportBytes);
  const cellsFile = join(directory, 'cells.duckdb');
  let isTooLarge = false;
  const interrupt = (): void => connection.interrupt();
  const watch = setInterval(() => {
    isTooLarge ||= sizeOf(outputFile) > maxImportBytes || sizeOf(cellsFile) > limits.maxImportBytes;
    if (isTooLarge) interrupt();
  }, 100);
  signal.addEventListener('abort', interrupt);
  try {
    await connection.run(`ATTACH ${quoteText(outputFile)} AS output`);
    await connection.run(`ATTACH ${quoteText(cellsFile)} AS cells`);
    const readable = [inputFile, join(directory, 'clean.csv')].map(quoteText).join(', ');
    await connection.run(`SET allowed_paths = [${readable}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    return await use(connection);
  } catch (error) {
    if (isTooLarge) throw new QueryFailure('too_large', 'The imported table is too large.');
    throw unreadableFile(error, format);
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    instance.closeSync();
    await rm(cellsFile, { force: true });
    await rm(`${cellsFile}.wal`, { force: true });
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Returns the table of a CSV file, which isn't converted yet; undefined for other formats, which become `output.main.data`. */
async function openTable(
  connection: DuckDBConnection,
  { inputFile, format, options = {} }: FileJob,
  { directory, limits, signal }: FileContext,
): Promise<CsvTable | undefined> {
  const csv = { inputFile, directory, maxBytes: limits.maxImportBytes, signal };
  if (format === 'csv') return readCsv(connection, { ...csv, chosen: options });
  if (format === 'tsv') return readCsv(connection, { ...csv, chosen: { delimiter: '\t', ...options } });
  await readTyped(connection, inputFile, format);
  return undefined;
}

/** Detects the types from a sample, or from the whole file if a later row doesn't fit, which takes twice as long. */
async function readTyped(
  connection: DuckDBConnection,
  inputFile: string,
  format: Exclude<UploadFormat, 'csv' | 'tsv'>,
): Promise<void> {
  const create = (isWhole: boolean): Promise<unknown> =>
    connection.run(`CREATE OR REPLACE TABLE output.main.data AS FROM ${reader(inputFile, format, isWhole)}`);
  try {
    await create(false);
  } catch (error) {
    if (format === 'parquet' || duckdbFailure(error, '').code !== 'sql_error') throw error;
    await create(true);
  }
}

function reader(inputFile: string, format: Exclude<UploadFormat, 'csv' | 'tsv'>, isWhole: boolean): string {
  const file = quoteText(inputFile);
  const sample = isWhole ? ', sample_size = -1' : '';
  switch (format) {
    case 'json':
      return `read_json(${file}, hive_partitioning = false${sample})`;
    case 'ndjson':
      return `read_json(${file}, format = 'newline_delimited', hive_partitioning = false${sample})`;
    case 'parquet':
      return `read_parquet(${file}, hive_partitioning = false)`;
  }
}

function requireColumns(columns: readonly Column[], limits: QueryLimits): void {
  if (Buffer.byteLength(JSON.stringify(columns)) > limits.maxColumnBytes)
    throw new QueryFailure(
      'unreadable_file',
      'The file has too many columns, or their names and types are too long.',
    );
}

async function countRows(connection: DuckDBConnection, table = 'output.main.data'): Promise<number> {
  return Number((await connection.runAndReadAll(`SELECT count(*) FROM ${table}`)).value(0, 0));
}

async function firstRows(connection: DuckDBConnection, from: string): Promise<unknown[][]> {
  const result = await connection.run(`${from} LIMIT ${previewRows}`);
  const columns = columnsOf(result);
  const chunks = await result.fetchAllChunks();
  async function* each(): AsyncGenerator<(typeof chunks)[number]> {
    yield* chunks;
  }
  const batches = toBatches(result.columnTypes(), each());
  const { rowsJson } = await readJsonRows(
    { columns, batches },
    { maxRows: previewRows, maxBytes: previewBytes },
  );
  // Sound because the rows are a JSON array of arrays.
  return JSON.parse(Buffer.from(rowsJson).toString('utf8')) as unknown[][];
}

async function firstLines(connection: DuckDBConnection): Promise<number[]> {
  const reader = await connection.runAndReadAll(`SELECT line FROM cells.main.rows LIMIT ${previewRows}`);
  return reader.getRows().map(([line]) => Number(line));
}
