import type { Column, ConnectionWarning, SourceTable, UploadFormat } from '#contract/data-sources.ts';
import type { BoundQuery } from '../opened-source.ts';
import type { PlainFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { SourceData } from '../source-description.ts';

/** `spreadsheet-csv` is CSV without formulas. */
export type StreamFormat = 'csv' | 'spreadsheet-csv' | 'parquet';

/** What a worker is told: first what it serves, then one order after the other. */
export type Message =
  | {
      readonly kind: 'open';
      /** Left out for a worker that imports a file. */
      readonly source: SentSource | undefined;
      readonly directory: string;
      readonly limits: QueryLimits;
    }
  | { readonly kind: 'cancel' }
  | Order;

/** A source, and the folder of the engine that opens it. */
export interface SentSource {
  readonly folder: string;
  readonly data: SourceData;
}

export type Order =
  | { readonly kind: 'run'; readonly query: BoundQuery; readonly maxRows: number; readonly maxBytes: number }
  | { readonly kind: 'stream'; readonly query: BoundQuery; readonly format: StreamFormat }
  | { readonly kind: 'describe' }
  | { readonly kind: 'test' }
  | ImportOrder;

export interface ImportOrder {
  readonly kind: 'import';
  readonly inputFile: string;
  readonly format: UploadFormat;
  readonly outputFile: string;
  /** How large the table may be, where that is less than the engine's own limit. */
  readonly maxBytes?: number;
}

/** What a worker tells: of a stream first the columns; then, of each order, how it ended. */
export type Report =
  | { readonly kind: 'started'; readonly columns: readonly Column[] }
  | { readonly kind: 'done'; readonly answer: Answer; readonly outputBytes: number }
  | {
      readonly kind: 'failed';
      readonly failure: PlainFailure;
      readonly outputBytes: number;
      /** The worker ends itself. */
      readonly isEnding?: true;
    };

export type Answer = RunAnswer | StreamAnswer | DescribeAnswer | TestAnswer | ImportAnswer;

export interface RunAnswer {
  readonly kind: 'run';
  readonly rows: QueryRows;
}

/** The answer to a query, its rows ready to be sent. */
export interface QueryRows {
  readonly columns: readonly Column[];
  /** A JSON array of arrays, in UTF-8. */
  readonly rowsJson: Uint8Array;
  readonly rowCount: number;
  readonly isCutOff: boolean;
  readonly durationMs: number;
}

export interface StreamAnswer {
  readonly kind: 'stream';
  readonly rowCount: number;
}

export interface DescribeAnswer {
  readonly kind: 'describe';
  readonly tables: readonly SourceTable[];
}

export interface TestAnswer {
  readonly kind: 'test';
  readonly warnings: readonly ConnectionWarning[];
}

export interface ImportAnswer {
  readonly kind: 'import';
  readonly columns: readonly Column[];
  readonly rowCount: number;
}

/** The descriptor, in a worker, of the pipe that the bytes of streams go through. */
export const outputDescriptor = 4;
