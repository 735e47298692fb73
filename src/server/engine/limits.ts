import { availableParallelism } from 'node:os';

const mebibyte = 1024 * 1024;

/** The limits of one query, and of all queries of a person, an organization or a source together. */
export interface QueryLimits {
  /** For a query whose result is shown, from its start to its last row. */
  readonly timeoutMs: number;
  /** For a query whose result is downloaded, at the pace of the client. */
  readonly streamTimeoutMs: number;
  /** How long a worker has to cancel a query before it is killed. */
  readonly graceMs: number;
  /** Rows of one result. Any more are left out, and `isCutOff` is set. */
  readonly maxRows: number;
  /** Bytes of the rows of one result as JSON. Rows past that are left out, and `isCutOff` is set. */
  readonly maxBytes: number;
  /** Bytes of the columns of a result as JSON: their names and types. A query whose columns are larger fails. */
  readonly maxColumnBytes: number;
  /** Bytes of the list of a source's tables and columns as JSON. If it is larger, listing them fails. */
  readonly maxCatalogBytes: number;
  /** Memory for the engine in a worker. */
  readonly memoryBytes: number;
  /** Memory for JavaScript in a worker. */
  readonly heapBytes: number;
  /** Disk space for intermediate results of a worker that don't fit into memory. */
  readonly temporaryDiskBytes: number;
  /** The size of the database file that an uploaded file is converted to. */
  readonly maxImportBytes: number;
  /** Threads of one worker. */
  readonly threads: number;
  readonly maxWorkers: number;
  readonly maxWorkersPerOrganization: number;
  /** Across all organizations. */
  readonly maxWorkersPerPerson: number;
  /** How many queries of one source run at once. */
  readonly maxWorkersPerSource: number;
  /**
   * How many queries of one source of uploaded tables run at once that aren't slow yet: side by side on the same cores,
   * each would take as long as all of them together.
   */
  readonly maxQuickWorkersPerFilesSource: number;
  readonly maxWaitingPerOrganization: number;
  readonly maxWaitingPerPerson: number;
  /** How long a worker waits for another query before it ends. */
  readonly idleMs: number;
  /** How long a query runs before it counts as slow and lets shorter ones go first. */
  readonly slowAfterMs: number;
}

const threads = 2;

export const defaultLimits: QueryLimits = {
  timeoutMs: 60_000,
  streamTimeoutMs: 600_000,
  graceMs: 1_000,
  maxRows: 50_000,
  maxBytes: 32 * mebibyte,
  maxColumnBytes: mebibyte,
  maxCatalogBytes: 16 * mebibyte,
  memoryBytes: 512 * mebibyte,
  heapBytes: 256 * mebibyte,
  temporaryDiskBytes: 2048 * mebibyte,
  maxImportBytes: 8192 * mebibyte,
  threads,
  maxWorkers: 8,
  maxWorkersPerOrganization: 4,
  maxWorkersPerPerson: 4,
  maxWorkersPerSource: 3,
  maxQuickWorkersPerFilesSource: Math.max(1, Math.floor(availableParallelism() / threads)),
  maxWaitingPerOrganization: 200,
  maxWaitingPerPerson: 200,
  idleMs: 30_000,
  slowAfterMs: 500,
};
