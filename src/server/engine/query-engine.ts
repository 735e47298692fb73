import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionWarning, SourceTable } from '#contract/data-sources/data-sources.ts';
import type { ImportPreview } from '#contract/data-sources/imports.ts';
import type { QueryParameter } from './parameter-casts.ts';
import { bindParameters, type MappedQuery } from './parameters.ts';
import { faultyFile, QueryFailure } from './failure.ts';
import { defaultLimits, type QueryLimits } from './limits.ts';
import type { FileJob, JobResult, ImportResult, QueryRows, StreamFormat } from './worker/messages.ts';
import { createQueryPool, type QueryPool } from './pool/pool.ts';
import { observePool, type QueryObserver } from './pool/observed-pool.ts';
import { startQueryStream, type QueryStream } from './stream.ts';
import type { WorkerKey } from './pool/turns.ts';
import type { WorkerDeath } from './pool/worker-death.ts';
import { startQueryWorker, type QueryWorker } from './pool/worker.ts';
import type { QuerySandbox } from './sandbox/sandbox.ts';
import { takeFile } from './sandbox/take-file.ts';
import type { SourceDescription, WorkerSource } from './source-description.ts';
import { positionsIn } from './text-offsets.ts';

export interface QueryEngineOptions {
  readonly sandbox: QuerySandbox;
  readonly limits?: Partial<QueryLimits>;
  /** Used by workers whose source has no directory of its own; the system's by default. */
  readonly temporaryDirectory?: string;
  /** A PEM file of certificates to trust in addition to Node's. */
  readonly trustedCertificates?: string | undefined;
  /** Called when the system can't start a process for a query, which then fails. */
  readonly onStartFailure?: (error: Error) => void;
  readonly onQueryEnded?: QueryObserver | undefined;
  /** Called when a worker has ended although nobody has ended it. */
  readonly onWorkerDied?: (death: WorkerDeath, workerKey: WorkerKey) => void;
  /** Replaced in tests. */
  readonly countOomKills?: () => number | undefined;
}

export interface SourceRequest {
  /** Processes are never shared between organizations. */
  readonly organizationId: string;
  readonly source: SourceDescription;
  /** The id of the stored data source, for metrics and the log. */
  readonly sourceId?: string;
  /** The id of the saved report whose query it is, for the log. */
  readonly reportId?: string | undefined;
  /** The ids of the people who wait for the result; may change while it is pending. Left out for a job of the server. */
  readonly requesterIds?: readonly string[];
}

export interface QueryRequest extends SourceRequest {
  /** One SELECT, with parameters as `{{name}}`. */
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[];
  /** These lower the engine's own limits. */
  readonly maxRows?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number;
}

/** A file to read, in a worker of its own. */
interface FileRequest extends FileJob, Pick<SourceRequest, 'requesterIds'> {
  readonly organizationId: string;
  /** The organization's own directory, on the same disk as the table. */
  readonly tempDirectory: string;
}

export type PreviewRequest = FileRequest;

export interface ImportRequest extends FileRequest {
  readonly outputFile: string;
  readonly skipsFaults?: boolean;
}

export type ImportedTable = Pick<ImportResult, 'columns' | 'rowCount'>;

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Runs SQL in worker processes. All methods reject with `QueryFailure`. */
export interface QueryEngine {
  /** Returns the rows as JSON, ready to send. */
  run(request: QueryRequest, options?: AbortOptions): Promise<QueryRows>;
  /**
   * Resolves when the first rows are available, with a body that is read at the pace of the client. Destroying the body
   * stops the query; a query that fails destroys the body.
   */
  stream(request: QueryRequest, format: StreamFormat, options?: AbortOptions): Promise<QueryStream>;
  /** Returns what importing an uploaded file would create. */
  previewFile(request: PreviewRequest, options?: AbortOptions): Promise<ImportPreview>;
  /** Reads an uploaded file into a table of a `files` source. Rejects with `unreadable_file` and every fault. */
  importFile(request: ImportRequest, options?: AbortOptions): Promise<ImportedTable>;
  /** Returns the tables that queries can read, with their columns. */
  describe(request: SourceRequest, options?: AbortOptions): Promise<readonly SourceTable[]>;
  /** Tests the connection to a source and returns its risks. */
  testConnection(request: SourceRequest, options?: AbortOptions): Promise<readonly ConnectionWarning[]>;
  /** Decides again whose turn it is, after more people have started to wait for a query. */
  reconsider: QueryPool['reconsider'];
  /** The running processes, for metrics and tests. */
  workers: QueryPool['workers'];
  waiting: QueryPool['waiting'];
  /** Stops all queries, and resolves when no process is left. */
  close(): Promise<void>;
}

const testTimeoutMs = 10_000;

export function createQueryEngine(options: QueryEngineOptions): QueryEngine {
  const { sandbox, trustedCertificates, onStartFailure } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const temporaryDirectory = options.temporaryDirectory ?? tmpdir();
  const unobserved = createQueryPool(limits, (workerKey) => {
    const { source } = workerKey;
    const parentDirectory = directoryOf(source) ?? temporaryDirectory;
    mkdirSync(parentDirectory, { recursive: true });
    return startQueryWorker({
      source,
      sandbox,
      limits,
      parentDirectory,
      trustedCertificates,
      onStartFailure,
      onDied: (death) => options.onWorkerDied?.(death, workerKey),
      countOomKills: options.countOomKills,
    });
  });
  const pool =
    options.onQueryEnded === undefined ? unobserved : observePool(unobserved, options.onQueryEnded);

  async function run(request: QueryRequest, { signal }: AbortOptions = {}): Promise<QueryRows> {
    const query = bind(request);
    const { sql, values } = query;
    const job = {
      kind: 'run',
      query: { sql, values },
      maxRows: Math.min(request.maxRows ?? limits.maxRows, limits.maxRows),
      maxBytes: Math.min(request.maxBytes ?? limits.maxBytes, limits.maxBytes),
    } as const;
    const timeoutMs = Math.min(request.timeoutMs ?? limits.timeoutMs, limits.timeoutMs);
    try {
      const result = await pool.withWorker(
        workerKeyOf(request),
        { requesterIds: request.requesterIds, reportId: request.reportId, signal },
        (worker) => worker.execute(job, { timeoutMs, signal }),
      );
      return expect('run', result).rows;
    } catch (error) {
      return throwWithPosition(error, request.sql, query);
    }
  }

  async function describe(
    request: SourceRequest,
    { signal }: AbortOptions = {},
  ): Promise<readonly SourceTable[]> {
    const result = await pool.withWorker(
      workerKeyOf(request),
      { requesterIds: request.requesterIds, signal },
      (worker) => worker.execute({ kind: 'describe' }, { timeoutMs: limits.timeoutMs, signal }),
    );
    return expect('describe', result).tables;
  }

  async function stream(
    request: QueryRequest,
    format: StreamFormat,
    { signal }: AbortOptions = {},
  ): Promise<QueryStream> {
    const query = bind(request);
    const { sql, values } = query;
    const job = { kind: 'stream', query: { sql, values }, format } as const;
    const timeoutMs = Math.min(request.timeoutMs ?? limits.streamTimeoutMs, limits.streamTimeoutMs);
    return startQueryStream(pool, workerKeyOf(request), job, {
      requesterIds: request.requesterIds,
      reportId: request.reportId,
      timeoutMs,
      signal,
    }).catch((error: unknown) => throwWithPosition(error, request.sql, query));
  }

  /** Runs a job on a file in a worker that can read only this file, and executes no other job. */
  function withFileWorker<Result>(
    { organizationId, inputFile, tempDirectory, requesterIds }: FileRequest,
    { signal }: AbortOptions,
    use: (execute: QueryWorker['execute'], worker: QueryWorker) => Promise<Result>,
  ): Promise<Result> {
    const source = { engine: undefined, file: inputFile, tempDirectory };
    const workerKey = { organizationId, sourceKey: 'import', source };
    return pool.withWorker(workerKey, { requesterIds, signal }, (worker) => use(worker.execute, worker));
  }

  async function previewFile(request: PreviewRequest, aborting: AbortOptions = {}): Promise<ImportPreview> {
    return withFileWorker(request, aborting, async (execute, worker) => {
      const { inputFile, format, options = {} } = request;
      const job = { kind: 'preview', inputFile: worker.pathOf(inputFile), format, options } as const;
      const timeoutMs = limits.streamTimeoutMs;
      return expect('preview', await execute(job, { timeoutMs, ...aborting })).preview;
    });
  }

  async function importFile(request: ImportRequest, aborting: AbortOptions = {}): Promise<ImportedTable> {
    return withFileWorker(request, aborting, async (execute, worker) => {
      const { inputFile, format, options = {}, outputFile, maxBytes, skipsFaults = false } = request;
      const created = join(worker.directory, 'table.duckdb');
      const job = {
        kind: 'import',
        inputFile: worker.pathOf(inputFile),
        format,
        options,
        outputFile: worker.pathOf(created),
        skipsFaults,
        ...(maxBytes !== undefined && { maxBytes }),
      } as const;
      const result = await execute(job, { timeoutMs: limits.streamTimeoutMs, ...aborting });
      const { isImported, faults, columns, rowCount } = expect('import', result);
      if (!isImported) throw faultyFile(faults);
      takeFile(created, outputFile);
      return { columns, rowCount };
    });
  }

  async function testConnection(
    request: SourceRequest,
    { signal }: AbortOptions = {},
  ): Promise<readonly ConnectionWarning[]> {
    const timeoutMs = Math.min(testTimeoutMs, limits.timeoutMs);
    const result = await pool.withWorker(
      workerKeyOf(request),
      { requesterIds: request.requesterIds, signal },
      (worker) => worker.execute({ kind: 'test' }, { timeoutMs, signal }),
    );
    return expect('test', result).warnings;
  }

  return {
    run,
    stream,
    previewFile,
    importFile,
    describe,
    testConnection,
    reconsider: pool.reconsider,
    workers: pool.workers,
    waiting: pool.waiting,
    close: pool.close,
  };
}

/** Returns the directory in which workers of a source must write; undefined if any will do. */
const directoryOf = (source: WorkerSource): string | undefined =>
  source.engine === undefined ? source.tempDirectory : source.engine.files?.tempDirectory(source);

const bind = ({ source, sql, parameters = [] }: QueryRequest): MappedQuery =>
  bindParameters(source.engine.types, sql, parameters);

function workerKeyOf({ organizationId, source, sourceId }: SourceRequest): WorkerKey {
  // A digest, since the description contains a password.
  return {
    organizationId,
    source,
    sourceId,
    sourceKey: createHash('sha256').update(JSON.stringify(source)).digest('base64'),
  };
}

function expect<Kind extends JobResult['kind']>(
  kind: Kind,
  result: JobResult,
): Extract<JobResult, { kind: Kind }> {
  if (result.kind !== kind) throw new TypeError(`The worker replied to ${kind} with ${result.kind}`);
  // Sound because of the comparison, which does not narrow a type parameter.
  return result as Extract<JobResult, { kind: Kind }>;
}

/** Throws the failure with the line and the column in the author's own text. */
function throwWithPosition(error: unknown, sql: string, query: MappedQuery): never {
  if (!(error instanceof QueryFailure) || error.offset === undefined) throw error;
  const offset = query.authorOffset(error.offset);
  throw new QueryFailure(error.code, error.message, {
    offset,
    ...positionsIn(sql)(offset),
    cause: error.cause,
  });
}
