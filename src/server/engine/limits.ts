import { availableParallelism } from 'node:os';

const mebibyte = 1024 * 1024;

/** What a query, and all queries of an organization or a source together, may take. */
export interface QueryLimits {
  /** Of a query that is shown, from its start to its last row. */
  readonly timeoutMs: number;
  /** Of one that is downloaded, which goes at the pace of the client. */
  readonly streamTimeoutMs: number;
  /** How long a worker has to give up a query before it is killed. */
  readonly graceMs: number;
  /** Rows of one answer. More are left out, and the answer says so. */
  readonly maxRows: number;
  /** Bytes of the rows of one answer as JSON. More are left out, and the answer says so. */
  readonly maxBytes: number;
  /** Bytes of what describes an answer, its columns, as JSON. An answer with more fails. */
  readonly maxColumnBytes: number;
  /** The same of all tables of a source that are listed. */
  readonly maxCatalogBytes: number;
  /** What the engine in a worker may use for its work. */
  readonly memoryBytes: number;
  /** What a worker may use for JavaScript. */
  readonly heapBytes: number;
  /** What a worker may write to disk for what does not fit into memory. */
  readonly temporaryDiskBytes: number;
  /** Of the database file that an uploaded file becomes. */
  readonly maxImportBytes: number;
  /** Of a worker. */
  readonly threads: number;
  readonly maxWorkers: number;
  readonly maxWorkersOfOrganization: number;
  /** For each person, across all organizations. */
  readonly maxWorkersOfPerson: number;
  /** As many queries go to one source at once. */
  readonly maxWorkersOfSource: number;
  /**
   * Of these, queries of uploaded tables that are not slow yet: side by side on the same cores each would take as long
   * as all of them.
   */
  readonly maxQuickWorkersOfFiles: number;
  readonly maxWaitingOfOrganization: number;
  readonly maxWaitingOfPerson: number;
  /** After which a worker without a query ends. */
  readonly idleMs: number;
  /** After which a query is slow: it has to let shorter ones go first. */
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
  maxWorkersOfOrganization: 4,
  maxWorkersOfPerson: 4,
  maxWorkersOfSource: 3,
  maxQuickWorkersOfFiles: Math.max(1, Math.floor(availableParallelism() / threads)),
  maxWaitingOfOrganization: 200,
  maxWaitingOfPerson: 200,
  idleMs: 30_000,
  slowAfterMs: 500,
};
