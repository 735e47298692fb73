import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { UploadFormat } from '#contract/data-sources.ts';
import { duckdbFailure } from './errors.ts';
import { createInstance, quoteText } from './instance.ts';
import { columnsOf } from './rows.ts';
import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { ImportResult, ImportJob } from '../worker/messages.ts';

/**
 * Imports a file as the table `data` of a new DuckDB database file. The instance can access only these two files, since the
 * content of the first is not trusted. If it rejects, with `unreadable_file` or `too_large` for example, it removes the
 * database file.
 */
export async function importFile(
  { inputFile, format, outputFile, maxBytes }: ImportJob,
  directory: string,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<ImportResult> {
  const instance = await createInstance(directory, limits);
  const connection = await instance.connect();
  const maxImportBytes = Math.min(maxBytes ?? Infinity, limits.maxImportBytes);
  let isTooLarge = false;
  const interrupt = (): void => connection.interrupt();
  const watch = setInterval(() => {
    isTooLarge ||= (statSync(outputFile, { throwIfNoEntry: false })?.size ?? 0) > maxImportBytes;
    if (isTooLarge) interrupt();
  }, 100);
  signal.addEventListener('abort', interrupt);
  try {
    await connection.run(`ATTACH ${quoteText(outputFile)} AS output`);
    await connection.run(`SET allowed_paths = [${quoteText(inputFile)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    await readInto(connection, inputFile, format);
    await connection.run('CHECKPOINT output');
    const counted = await connection.runAndReadAll('SELECT count(*) FROM output.main.data');
    const columns = columnsOf(await connection.run('FROM output.main.data LIMIT 0'));
    if (Buffer.byteLength(JSON.stringify(columns)) > limits.maxColumnBytes)
      throw new QueryFailure(
        'unreadable_file',
        'The file has too many columns, or their names and types are too long.',
      );
    await connection.run('DETACH output');
    return { kind: 'import', columns, rowCount: Number(counted.value(0, 0)) };
  } catch (error) {
    await rm(outputFile, { force: true });
    await rm(`${outputFile}.wal`, { force: true });
    if (isTooLarge) throw new QueryFailure('too_large', 'The imported table is too large.');
    throw importFailure(error, inputFile);
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

/** Detects the types from a sample, or from the whole file if a later row doesn't fit, which takes twice as long. */
async function readInto(
  connection: DuckDBConnection,
  inputFile: string,
  format: UploadFormat,
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

function reader(inputFile: string, format: UploadFormat, isWhole: boolean): string {
  const file = quoteText(inputFile);
  const sample = isWhole ? ', sample_size = -1' : '';
  switch (format) {
    case 'csv':
      return `read_csv(${file}, hive_partitioning = false${sample})`;
    case 'tsv':
      return `read_csv(${file}, delim = '\t', hive_partitioning = false${sample})`;
    case 'json':
      return `read_json(${file}, hive_partitioning = false${sample})`;
    case 'ndjson':
      return `read_json(${file}, format = 'newline_delimited', hive_partitioning = false${sample})`;
    case 'parquet':
      return `read_parquet(${file}, hive_partitioning = false)`;
  }
}

/** Returns the failure with DuckDB's message, which helps to repair the file, but without the file's path on the server. */
function importFailure(error: unknown, inputFile: string): QueryFailure {
  const failure = duckdbFailure(error, '');
  if (failure.code !== 'sql_error') return failure;
  const message = failure.message.replaceAll(inputFile, 'the file').slice(0, 1000);
  return new QueryFailure('unreadable_file', message, { cause: error });
}
