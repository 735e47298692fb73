import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api';
import type { Column, ConnectionWarning, SourceTable } from '#contract/data-sources/data-sources.ts';
import type { ParameterType } from '#shared/parameter-values.ts';

/** The value that is bound to a parameter, and its type. */
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
 * Some rows, column by column. Each value is plain text, as in a CSV file (`json`, lists and structs are JSON).
 * `jsonWriter` turns it into JSON according to the type of the column.
 */
export interface RowBatch {
  readonly rowCount: number;
  readonly columns: readonly (readonly (string | null)[])[];
}

/**
 * The rows of a running query. Read either `batches` or `native`, to the end or until you call `return`: that releases the
 * query's resources.
 */
export interface OpenedResult {
  readonly columns: readonly Column[];
  readonly batches: AsyncIterable<RowBatch>;
  /** The same rows in DuckDB's own form, if the source is DuckDB. */
  readonly native?: {
    readonly types: readonly DuckDBType[];
    readonly chunks: AsyncIterable<DuckDBDataChunk>;
  };
}

export interface QueryOptions {
  readonly signal: AbortSignal;
  /** All rows if left out. */
  readonly maxRows?: number;
}

/** A source that a worker has open, for one query at a time. All methods reject with `QueryFailure`. */
export interface OpenedSource {
  query(query: BoundQuery, options: QueryOptions): Promise<OpenedResult>;
  describe(signal: AbortSignal): Promise<SourceTable[]>;
  /** Tests the connection and returns its risks. */
  testConnection(signal: AbortSignal): Promise<ConnectionWarning[]>;
  close(): Promise<void>;
}
