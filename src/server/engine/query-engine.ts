import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionWarning, SourceTable } from '#contract/data-sources.ts';
import type { QueryParameter } from './parameter-casts.ts';
import { bindParameters, type MarkedQuery } from './parameters.ts';
import { QueryFailure } from './failure.ts';
import { defaultLimits, type QueryLimits } from './limits.ts';
import type { Answer, ImportAnswer, ImportOrder, QueryRows, StreamFormat } from './worker/messages.ts';
import { createQueryPool, type QueryPool } from './pool/pool.ts';
import { startQueryStream, type QueryStream } from './stream.ts';
import type { Seat } from './pool/turns.ts';
import { startQueryWorker } from './pool/worker.ts';
import type { QuerySandbox } from './sandbox/sandbox.ts';
import { takeFile } from './sandbox/take-file.ts';
import type { SourceDescription, WorkerSource } from './source-description.ts';
import { placesIn } from './text-offsets.ts';

export interface QueryEngineOptions {
  readonly sandbox: QuerySandbox;
  readonly limits?: Partial<QueryLimits>;
  /** For workers whose source has none of its own; the system's by default. */
  readonly temporaryDirectory?: string;
  /** A file (PEM) of certificates to trust beside those of Node. */
  readonly trustedCertificates?: string | undefined;
  /** Called when the system starts no process for a query, which then fails. */
  readonly onStartFailure?: (error: Error) => void;
}

export interface SourceRequest {
  /** Processes are never shared between organizations. */
  readonly organizationId: string;
  readonly source: SourceDescription;
  /** The ids of the people who wait for the results, who may come and go; left out for a job of the server. */
  readonly askers?: readonly string[];
}

export interface QueryRequest extends SourceRequest {
  /** One SELECT, with parameters as `{{name}}`. */
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[];
  /** Less than the engine's own limits, where given. */
  readonly maxRows?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number;
}

export interface ImportRequest extends Omit<ImportOrder, 'kind'>, Pick<SourceRequest, 'askers'> {
  readonly organizationId: string;
  /** The organization's own, on the disk of `outputFile`. */
  readonly tempDirectory: string;
}

export type ImportedTable = Omit<ImportAnswer, 'kind'>;

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Runs the SQL of sources in processes of their own. All reject with `QueryFailure`. */
export interface QueryEngine {
  /** Returns the rows as JSON text, ready to be sent. */
  run(request: QueryRequest, options?: AbortOptions): Promise<QueryRows>;
  /**
   * Resolves with the first rows, to a body that goes at the pace of its reader. One that is destroyed before its end
   * stops the query; a query that fails destroys it.
   */
  stream(request: QueryRequest, format: StreamFormat, options?: AbortOptions): Promise<QueryStream>;
  /** Reads an uploaded file into a table of a `files` source. */
  importFile(request: ImportRequest, options?: AbortOptions): Promise<ImportedTable>;
  /** Returns the tables that SQL can name, with their columns. */
  describe(request: SourceRequest, options?: AbortOptions): Promise<readonly SourceTable[]>;
  /** Tries the connection to a source, and returns what is risky about it. */
  testConnection(request: SourceRequest, options?: AbortOptions): Promise<readonly ConnectionWarning[]>;
  /** Looks again whose turn it is, after other people have come to wait for a query. */
  reconsider: QueryPool['reconsider'];
  /** The processes there are, for metrics and tests. */
  workers: QueryPool['workers'];
  waiting: QueryPool['waiting'];
  /** Stops what runs, and resolves when no process is left. */
  close(): Promise<void>;
}

const testTimeoutMs = 10_000;

export function createQueryEngine(options: QueryEngineOptions): QueryEngine {
  const { sandbox, trustedCertificates, onStartFailure } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const temporaryDirectory = options.temporaryDirectory ?? tmpdir();
  const pool = createQueryPool(limits, ({ source }) => {
    const parentDirectory = directoryOf(source) ?? temporaryDirectory;
    mkdirSync(parentDirectory, { recursive: true });
    return startQueryWorker({
      source,
      sandbox,
      limits,
      parentDirectory,
      trustedCertificates,
      onStartFailure,
    });
  });

  async function run(request: QueryRequest, { signal }: AbortOptions = {}): Promise<QueryRows> {
    const query = mark(request);
    const { sql, values } = query;
    const order = {
      kind: 'run',
      query: { sql, values },
      maxRows: Math.min(request.maxRows ?? limits.maxRows, limits.maxRows),
      maxBytes: Math.min(request.maxBytes ?? limits.maxBytes, limits.maxBytes),
    } as const;
    const timeoutMs = Math.min(request.timeoutMs ?? limits.timeoutMs, limits.timeoutMs);
    try {
      const answer = await pool.lend(seatOf(request), { askers: request.askers, signal }, (worker) =>
        worker.ask(order, { timeoutMs, signal }),
      );
      return expect('run', answer).rows;
    } catch (error) {
      return throwPlaced(error, request.sql, query);
    }
  }

  async function describe(
    request: SourceRequest,
    { signal }: AbortOptions = {},
  ): Promise<readonly SourceTable[]> {
    const answer = await pool.lend(seatOf(request), { askers: request.askers, signal }, (worker) =>
      worker.ask({ kind: 'describe' }, { timeoutMs: limits.timeoutMs, signal }),
    );
    return expect('describe', answer).tables;
  }

  async function stream(
    request: QueryRequest,
    format: StreamFormat,
    { signal }: AbortOptions = {},
  ): Promise<QueryStream> {
    const query = mark(request);
    const { sql, values } = query;
    const order = { kind: 'stream', query: { sql, values }, format } as const;
    const timeoutMs = Math.min(request.timeoutMs ?? limits.streamTimeoutMs, limits.streamTimeoutMs);
    return startQueryStream(pool, seatOf(request), order, {
      askers: request.askers,
      timeoutMs,
      signal,
    }).catch((error: unknown) => throwPlaced(error, request.sql, query));
  }

  async function importFile(request: ImportRequest, { signal }: AbortOptions = {}): Promise<ImportedTable> {
    const { organizationId, inputFile, format, outputFile, tempDirectory, maxBytes } = request;
    const source = { engine: undefined, file: inputFile, tempDirectory };
    const seat = { organizationId, sourceKey: 'import', source };
    return pool.lend(seat, { askers: request.askers, signal }, async (worker) => {
      const made = join(worker.directory, 'table.duckdb');
      const order = {
        kind: 'import',
        inputFile: worker.pathOf(inputFile),
        format,
        outputFile: worker.pathOf(made),
        ...(maxBytes !== undefined && { maxBytes }),
      } as const;
      const answer = await worker.ask(order, { timeoutMs: limits.streamTimeoutMs, signal });
      const { columns, rowCount } = expect('import', answer);
      takeFile(made, outputFile);
      return { columns, rowCount };
    });
  }

  async function testConnection(
    request: SourceRequest,
    { signal }: AbortOptions = {},
  ): Promise<readonly ConnectionWarning[]> {
    const timeoutMs = Math.min(testTimeoutMs, limits.timeoutMs);
    const answer = await pool.lend(seatOf(request), { askers: request.askers, signal }, (worker) =>
      worker.ask({ kind: 'test' }, { timeoutMs, signal }),
    );
    return expect('test', answer).warnings;
  }

  return {
    run,
    stream,
    importFile,
    describe,
    testConnection,
    reconsider: pool.reconsider,
    workers: pool.workers,
    waiting: pool.waiting,
    close: pool.close,
  };
}

/** Returns where a source wants its workers to write; undefined if it does not matter. */
const directoryOf = (source: WorkerSource): string | undefined =>
  source.engine === undefined ? source.tempDirectory : source.engine.files?.tempDirectory(source);

const mark = ({ source, sql, parameters = [] }: QueryRequest): MarkedQuery =>
  bindParameters(source.engine.types, sql, parameters);

function seatOf({ organizationId, source }: SourceRequest): Seat {
  // A digest, since the description holds a password.
  return {
    organizationId,
    source,
    sourceKey: createHash('sha256').update(JSON.stringify(source)).digest('base64'),
  };
}

function expect<Kind extends Answer['kind']>(kind: Kind, answer: Answer): Extract<Answer, { kind: Kind }> {
  if (answer.kind !== kind) throw new TypeError(`The worker answered ${answer.kind} to ${kind}`);
  // Sound by the comparison, which does not narrow a type parameter.
  return answer as Extract<Answer, { kind: Kind }>;
}

/** Throws the failure with the line and the column in the author's own text. */
function throwPlaced(error: unknown, sql: string, query: MarkedQuery): never {
  if (!(error instanceof QueryFailure) || error.offset === undefined) throw error;
  const offset = query.authorOffset(error.offset);
  throw new QueryFailure(error.code, error.message, { offset, ...placesIn(sql)(offset), cause: error.cause });
}
