import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import type { Column, ConnectionWarning, SourceTable } from '#contract/data-sources.ts';
import type { ParameterType } from '#shared/parameter-values.ts';

/** What is bound in the place of a parameter. */
export interface BoundValue {
  readonly type: ParameterType;
  readonly value: string | number | boolean | readonly string[] | null;
}

/** A query whose parameters are `$1` to `$n`. */
export interface BoundQuery {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/**
 * Some rows, column by column. Each value is its plain text, as it would stand in a CSV file (`json`, lists and
 * structs are JSON), which `jsonWriter` turns into JSON by the type of the column.
 */
export interface RowBatch {
  readonly rowCount: number;
  readonly columns: readonly (readonly (string | null)[])[];
}

/** Of `batches` and `native` the one or the other is read, to its end or until `return` is called: that frees what the query holds. */
export interface OpenedResult {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<RowBatch>;
  /** The same rows as DuckDB has them, from a source that is one. */
  readonly native?: {
    readonly types: readonly DuckDBType[];
    readonly chunks: AsyncIterable<DuckDBDataChunk>;
  };
}

export interface QueryOptions {
  readonly signal: AbortSignal;
  /** Left out, all of the rows are read. */
  readonly maxRows?: number;
}

/** A source that a worker has open, for one query at a time. All reject with `QueryFailure`. */
export interface OpenedSource {
  query(query: BoundQuery, options: QueryOptions): Promise<OpenedResult>;
  describe(signal: AbortSignal): Promise<SourceTable[]>;
  /** Tries the connection, and returns what is risky about it. */
  testConnection(signal: AbortSignal): Promise<ConnectionWarning[]>;
  close(): Promise<void>;
}
