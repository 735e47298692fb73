import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { duckdbFailure } from '../duckdb/errors.ts';
import { createInstance, quoteName, quoteText } from '../duckdb/instance.ts';
import type { OpenedResult } from '../opened-source.ts';
import { conversionOfText, conversionOfValue, type ParquetConversion } from './parquet-conversions.ts';
import type { QueryLimits } from '../limits.ts';

/**
 * Writes the rows to a Parquet file in `directory` and returns its path. It uses a separate DuckDB instance, which never runs
 * the author's SQL: the instance that runs queries can't write files.
 */
export async function writeParquet(
  result: OpenedResult,
  directory: string,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<{ file: string; rowCount: number }> {
  const file = join(directory, 'result.parquet');
  // Runs alongside the instance that runs the query. What doesn't fit into memory is written to disk.
  const memoryBytes = Math.floor(limits.memoryBytes / 4);
  const ownDirectory = join(directory, 'parquet');
  await mkdir(ownDirectory, { recursive: true });
  const instance = await createInstance(ownDirectory, { ...limits, memoryBytes });
  const connection = await instance.connect();
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    // Locked down because column types become part of the SQL, and their names come from authors and uploaded files.
    await connection.run(`SET allowed_paths = [${quoteText(file)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const { rowCount, conversions } =
      result.native === undefined
        ? await stageTexts(connection, result)
        : await stageChunks(connection, result.native);
    const expressions = await chooseConversions(connection, conversions);
    const select = selectAs(result.columns, expressions);
    await connection.run(`COPY (${select}) TO ${quoteText(file)} (FORMAT parquet, USE_TMP_FILE false)`);
    return { file, rowCount };
  } catch (error) {
    throw duckdbFailure(error, '');
  } finally {
    signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

interface Staged {
  readonly rowCount: number;
  readonly conversions: readonly ParquetConversion[];
}

async function stageChunks(
  connection: DuckDBConnection,
  { types, chunks }: NonNullable<OpenedResult['native']>,
): Promise<Staged> {
  const definitions = types.map((type, index) => `c${index} ${type.toString()}`);
  await connection.run(`CREATE TABLE data (${definitions.join(', ')})`);
  const appender = await connection.createAppender('data');
  let rowCount = 0;
  for await (const chunk of chunks) {
    appender.appendDataChunk(chunk);
    rowCount += chunk.rowCount;
  }
  appender.closeSync();
  return {
    rowCount,
    conversions: types.map((type, index) => conversionOfValue(type.toString(), `c${index}`)),
  };
}

async function stageTexts(connection: DuckDBConnection, { columns, batches }: OpenedResult): Promise<Staged> {
  await connection.run(`CREATE TABLE data (${columns.map((_, index) => `c${index} VARCHAR`).join(', ')})`);
  const appender = await connection.createAppender('data');
  let rowCount = 0;
  for await (const batch of batches) {
    for (let row = 0; row < batch.rowCount; row += 1) {
      for (const column of batch.columns) {
        const text = column[row] ?? null;
        if (text === null) appender.appendNull();
        else appender.appendVarchar(text);
      }
      appender.endRow();
    }
    rowCount += batch.rowCount;
    appender.flushSync();
  }
  appender.closeSync();
  return { rowCount, conversions: columns.map((column, index) => conversionOfText(column, `c${index}`)) };
}

/** Returns for each column the exact expression if it works for all values, otherwise the fallback. */
async function chooseConversions(
  connection: DuckDBConnection,
  conversions: readonly ParquetConversion[],
): Promise<string[]> {
  const fits = conversions.map(({ exact, fallback }) => `count(${exact}) = count(${fallback})`);
  const [row = []] = (await connection.runAndReadAll(`SELECT ${fits.join(', ')} FROM data`)).getRows();
  return conversions.map(({ exact, fallback }, index) => (row[index] === true ? exact : fallback));
}

function selectAs(columns: readonly Column[], expressions: readonly string[]): string {
  const items = expressions.map(
    (expression, index) => `${expression} AS ${quoteName(uniqueName(columns, index))}`,
  );
  return `SELECT ${items.join(', ')} FROM data`;
}

/** Returns a unique column name: Parquet doesn't allow equal names, ignoring case. */
function uniqueName(columns: readonly Column[], index: number): string {
  const name = columns[index]?.name ?? '';
  const before = columns
    .slice(0, index)
    .filter((other) => other.name.toLowerCase() === name.toLowerCase()).length;
  return before === 0 ? name : `${name}_${before}`;
}
