import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import type { Column } from '#contract/data-sources.ts';
import { duckdbFailure } from './duckdb-errors.ts';
import { bindDuckdbValue } from './duckdb-parameters.ts';
import { columnsOf, readChunks } from './duckdb-rows.ts';
import type { BoundQuery } from './opened-source.ts';
import { trimStatement } from './sql-scanner.ts';

export interface DuckdbAnswer {
  readonly result: DuckDBResult;
  readonly columns: readonly Column[];
  readonly chunks: AsyncIterable<DuckDBDataChunk>;
}

const prefix = 'SELECT * FROM (\n';

/**
 * Runs a statement that the guard has let pass for its first `maxRows` rows, at once: each chunk of a stream costs a
 * way to another thread, and a filter can make thousands of small ones.
 */
export async function runLimited(
  connection: DuckDBConnection,
  { sql, values }: BoundQuery,
  maxRows: number,
): Promise<DuckdbAnswer> {
  // By itself the text is one SELECT, so that it ends where this bracket does.
  const limited = `${prefix}${trimStatement(sql)}\n) LIMIT ${maxRows}`;
  try {
    const statement = await prepare(connection, limited, values);
    const result = await statement.run();
    return {
      result,
      columns: await originalNames(connection, sql, columnsOf(result)),
      chunks: chunksOf(result),
    };
  } catch (error) {
    throw duckdbFailure(error, limited, prefix.length);
  }
}

async function* chunksOf(result: DuckDBMaterializedResult): AsyncGenerator<DuckDBDataChunk, void> {
  for (let index = 0; index < result.chunkCount; index += 1) yield result.getChunk(index);
}

/** Runs a statement for all of its rows, one chunk after the other. */
export async function runStreaming(
  connection: DuckDBConnection,
  { sql, values }: BoundQuery,
  signal: AbortSignal,
): Promise<DuckdbAnswer> {
  try {
    const statement = await prepare(connection, sql, values);
    const result = await statement.stream();
    return { result, columns: columnsOf(result), chunks: readChunks(statement, result, sql, signal) };
  } catch (error) {
    throw duckdbFailure(error, sql);
  }
}

async function prepare(
  connection: DuckDBConnection,
  sql: string,
  values: BoundQuery['values'],
): Promise<DuckDBPreparedStatement> {
  const statement = await connection.prepare(sql);
  for (const [index, value] of values.entries()) bindDuckdbValue(statement, index + 1, value);
  return statement;
}

/** Of two columns of one name DuckDB renames the second in a subquery: `a` becomes `a_1`. */
async function originalNames(
  connection: DuckDBConnection,
  sql: string,
  columns: readonly Column[],
): Promise<readonly Column[]> {
  if (!columns.some(({ name }) => /_\d+$/.test(name))) return columns;
  const statement = await connection.prepare(sql);
  return columns.map((column, index) => ({ ...column, name: statement.columnName(index) }));
}
