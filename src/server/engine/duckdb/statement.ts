import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { trimStatement } from '#shared/sql/statement.ts';
import { duckdbFailure } from './errors.ts';
import { bindDuckdbValue } from './parameters.ts';
import { columnsOf, readChunks } from './rows.ts';
import type { BoundQuery } from '../opened-source.ts';

export interface DuckdbResult {
  readonly result: DuckDBResult;
  readonly columns: readonly Column[];
  readonly chunks: AsyncIterable<DuckDBDataChunk>;
}

const prefix = 'SELECT * FROM (\n';

/** A statement wrapped in one with `LIMIT`. Values are bound at each run. */
export interface LimitedStatement {
  readonly sql: string;
  readonly maxRows: number;
  readonly prepared: DuckDBPreparedStatement;
  /** The column names of the author's text. */
  readonly columnNames: readonly string[];
}

/** Prepares a query that the guard has allowed. */
export async function prepareLimited(
  connection: DuckDBConnection,
  sql: string,
  maxRows: number,
): Promise<LimitedStatement> {
  const limited = limitedText(sql, maxRows);
  try {
    const prepared = await connection.prepare(limited);
    return { sql, maxRows, prepared, columnNames: await originalNames(connection, sql, prepared) };
  } catch (error) {
    throw duckdbFailure(error, limited, prefix.length);
  }
}

/**
 * Runs a statement and materializes its rows: each chunk of a stream would cost a switch to another thread, and a filter can
 * produce thousands of small chunks.
 */
export async function runLimited(
  { sql, maxRows, prepared, columnNames }: LimitedStatement,
  values: BoundQuery['values'],
): Promise<DuckdbResult> {
  try {
    bind(prepared, values);
    const result = await prepared.run();
    const columns = columnsOf(result).map((column, index) => ({
      ...column,
      name: columnNames[index] ?? column.name,
    }));
    return { result, columns, chunks: chunksOf(result) };
  } catch (error) {
    throw duckdbFailure(error, limitedText(sql, maxRows), prefix.length);
  }
}

/** Safe because the guard has checked that the text is one SELECT, so it can't close the parenthesis. */
const limitedText = (sql: string, maxRows: number): string =>
  `${prefix}${trimStatement(sql)}\n) LIMIT ${maxRows}`;

async function* chunksOf(result: DuckDBMaterializedResult): AsyncGenerator<DuckDBDataChunk, void> {
  for (let index = 0; index < result.chunkCount; index += 1) yield result.getChunk(index);
}

/** Runs a statement for all of its rows, one chunk at a time. */
export async function runStreaming(
  connection: DuckDBConnection,
  { sql, values }: BoundQuery,
  signal: AbortSignal,
): Promise<DuckdbResult> {
  try {
    const statement = await connection.prepare(sql);
    bind(statement, values);
    const result = await statement.stream();
    return { result, columns: columnsOf(result), chunks: readChunks(statement, result, sql, signal) };
  } catch (error) {
    throw duckdbFailure(error, sql);
  }
}

function bind(statement: DuckDBPreparedStatement, values: BoundQuery['values']): void {
  for (const [index, value] of values.entries()) bindDuckdbValue(statement, index + 1, value);
}

/** Returns the author's column names. DuckDB renames the second of two equal names in a subquery: `a` becomes `a_1`. */
async function originalNames(
  connection: DuckDBConnection,
  sql: string,
  limited: DuckDBPreparedStatement,
): Promise<string[]> {
  const names = namesOf(limited);
  return names.some((name) => /_\d+$/.test(name)) ? namesOf(await connection.prepare(sql)) : names;
}

const namesOf = (statement: DuckDBPreparedStatement): string[] =>
  Array.from({ length: statement.columnCount }, (_, index) => statement.columnName(index));
