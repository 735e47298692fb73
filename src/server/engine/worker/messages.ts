import type {
  Column,
  ConnectionWarning,
  SourceTable,
  UploadFormat,
} from '#contract/data-sources/data-sources.ts';
import type { ChosenOptions, ImportFaults, ImportPreview } from '#contract/data-sources/imports.ts';
import type { BoundQuery } from '../opened-source.ts';
import type { PlainFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { SourceData } from '../source-description.ts';

/** `spreadsheet-csv` is CSV without formulas. */
export type StreamFormat = 'csv' | 'spreadsheet-csv' | 'parquet';

/** A message from the server to a worker: first the source to open, then one job after another. */
export type Message =
  | {
      readonly kind: 'open';
      /** Left out for a worker that imports a file. */
      readonly source: SentSource | undefined;
      readonly directory: string;
      readonly limits: QueryLimits;
    }
  | { readonly kind: 'cancel' }
  | Job;

/** A source, and the folder of the engine that opens it. */
export interface SentSource {
  readonly folder: string;
  readonly data: SourceData;
}

export type Job =
  | { readonly kind: 'run'; readonly query: BoundQuery; readonly maxRows: number; readonly maxBytes: number }
  | { readonly kind: 'stream'; readonly query: BoundQuery; readonly format: StreamFormat }
  | { readonly kind: 'describe' }
  | { readonly kind: 'test' }
  | PreviewJob
  | ImportJob;

/** A file to read, and how. */
export interface FileJob {
  readonly inputFile: string;
  readonly format: UploadFormat;
  /** Those of a text file; what is left out is guessed. */
  readonly options?: ChosenOptions;
  /** The maximum size of the table, if it is less than the engine's own limit. */
  readonly maxBytes?: number;
}

export interface PreviewJob extends FileJob {
  readonly kind: 'preview';
}

export interface ImportJob extends FileJob {
  readonly kind: 'import';
  readonly outputFile: string;
  /** Whether broken rows are left out, and values that don't fit their column left empty. Otherwise, they prevent the import. */
  readonly skipsFaults?: boolean;
}

/** A message from a worker to the server: for a stream, its columns first; for each job, its result or failure. */
export type Reply =
  | { readonly kind: 'started'; readonly columns: readonly Column[] }
  | { readonly kind: 'done'; readonly result: JobResult; readonly outputBytes: number }
  | {
      readonly kind: 'failed';
      readonly failure: PlainFailure;
      readonly outputBytes: number;
      /** The worker is about to end itself. */
      readonly isEnding?: true;
    };

export type JobResult = RunResult | StreamResult | DescribeResult | TestResult | PreviewResult | ImportResult;

export interface RunResult {
  readonly kind: 'run';
  readonly rows: QueryRows;
}

/** The result of a query, with its rows ready to send. */
export interface QueryRows {
  readonly columns: readonly Column[];
  /** A JSON array of arrays, in UTF-8. */
  readonly rowsJson: Uint8Array;
  readonly rowCount: number;
  readonly isCutOff: boolean;
  readonly durationMs: number;
}

export interface StreamResult {
  readonly kind: 'stream';
  readonly rowCount: number;
}

export interface DescribeResult {
  readonly kind: 'describe';
  readonly tables: readonly SourceTable[];
}

export interface TestResult {
  readonly kind: 'test';
  readonly warnings: readonly ConnectionWarning[];
}

export interface PreviewResult {
  readonly kind: 'preview';
  readonly preview: ImportPreview;
}

export interface ImportResult {
  readonly kind: 'import';
  /** False if the file has faults that aren't skipped. */
  readonly isImported: boolean;
  readonly faults: ImportFaults;
  readonly columns: readonly Column[];
  readonly rowCount: number;
}

/** The file descriptor, in a worker, of the pipe for the bytes of streams. */
export const outputDescriptor = 4;
