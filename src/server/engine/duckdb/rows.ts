import {
  ResultReturnType,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
} from '@duckdb/node-api';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { duckdbFailure } from './errors.ts';
import { columnTypeOf, sourceTypeOf, textWriter } from './values.ts';
import type { RowBatch } from '../opened-source.ts';
import { QueryFailure, queryStopped } from '../failure.ts';

export function columnsOf(result: DuckDBResult): Column[] {
  const names = result.columnNames();
  return result.columnTypes().map((type, index) => ({
    name: names[index] ?? '',
    type: columnTypeOf(type),
    sourceType: sourceTypeOf(type),
  }));
}

/** Returns the rows chunk by chunk, as DuckDB computes them; rejects with `QueryFailure`. */
export async function* readChunks(
  statement: DuckDBPreparedStatement,
  result: DuckDBResult,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<DuckDBDataChunk, void> {
  try {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk !== null && chunk.rowCount > 0) yield chunk;
      else if (result.returnType === ResultReturnType.INVALID) await failAgain(statement, signal);
      else return;
    }
  } catch (error) {
    throw duckdbFailure(error, sql);
  }
}

/**
 * Runs the query again to get its error. A result that fails midway ends as if there were no more rows: the binding doesn't
 * read the error, and only the type of the result shows that there was one.
 */
async function failAgain(statement: DuckDBPreparedStatement, signal: AbortSignal): Promise<never> {
  if (signal.aborted) throw queryStopped();
  await statement.run();
  throw new QueryFailure('worker_lost', 'The query failed midway, but not when it was run again.');
}

export async function* toBatches(
  types: readonly DuckDBType[],
  chunks: AsyncIterable<DuckDBDataChunk>,
): AsyncGenerator<RowBatch, void> {
  const writers = types.map(textWriter);
  for await (const chunk of chunks) yield batchOf(chunk, writers);
}

function batchOf(chunk: DuckDBDataChunk, writers: readonly ReturnType<typeof textWriter>[]): RowBatch {
  const { rowCount } = chunk;
  const columns = writers.map((toText, columnIndex) => {
    const vector = chunk.getColumnVector(columnIndex);
    const texts: (string | null)[] = [];
    for (let row = 0; row < rowCount; row += 1) {
      const value = vector.getItem(row);
      texts.push(value === null ? null : toText(value));
    }
    return texts;
  });
  return { rowCount, columns };
}
