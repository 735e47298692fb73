import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Column } from '#contract/data-sources/data-sources.ts';
import { exactCsv, spreadsheetCsv, type CsvWriter } from '../formats/csv-rows.ts';
import { readJsonRows } from '../formats/json-rows.ts';
import type { OpenedResult, OpenedSource } from '../opened-source.ts';
import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { JobResult, Job, RunResult, StreamFormat } from './messages.ts';
import type { QueryOutput } from '../output.ts';

/** Everything that a worker uses to execute a job. */
export interface JobContext {
  source(): Promise<OpenedSource>;
  /** The worker's own directory, for temporary files. */
  readonly directory: string;
  readonly limits: QueryLimits;
  readonly output: QueryOutput;
  /** Sends the columns of a stream, before its first bytes. */
  started(columns: readonly Column[]): void;
  readonly signal: AbortSignal;
}

/** Executes one job. Rejects with `QueryFailure`. */
export async function executeJob(job: Job, context: JobContext): Promise<JobResult> {
  const { source, signal, limits } = context;
  switch (job.kind) {
    case 'run':
      return run(job, await source(), context);
    case 'describe': {
      const tables = await (await source()).describe(signal);
      if (isLarger(tables, limits.maxCatalogBytes))
        throw new QueryFailure('result_too_large', 'The source has too many tables and columns to list.');
      return { kind: 'describe', tables };
    }
    case 'test':
      return { kind: 'test', warnings: await (await source()).testConnection(signal) };
    case 'stream': {
      const result = await (await source()).query(job.query, { signal });
      await requireColumns(result, limits);
      return { kind: 'stream', rowCount: await streams[job.format](result, context) };
    }
    case 'preview':
    case 'import': {
      const { importFile, previewFile } = await import('../duckdb/imports/import-file.ts');
      return job.kind === 'import' ? importFile(job, context) : previewFile(job, context);
    }
  }
}

async function run(
  { query, maxRows, maxBytes }: Extract<Job, { kind: 'run' }>,
  source: OpenedSource,
  { signal, limits }: Pick<JobContext, 'signal' | 'limits'>,
): Promise<RunResult> {
  const startedAt = performance.now();
  // One more row than needed shows whether there are more.
  const result = await source.query(query, { signal, maxRows: maxRows + 1 });
  await requireColumns(result, limits);
  const rows = await readJsonRows(result, { maxRows, maxBytes });
  return {
    kind: 'run',
    rows: { columns: result.columns, ...rows, durationMs: performance.now() - startedAt },
  };
}

/** Throws `result_too_large` if the columns would take too much memory on the server, where they become objects. */
async function requireColumns({ columns, batches }: OpenedResult, limits: QueryLimits): Promise<void> {
  if (!isLarger(columns, limits.maxColumnBytes)) return;
  // The query's resources are released only when reading ends.
  const reading = batches[Symbol.asyncIterator]();
  await reading.next();
  await reading.return?.();
  throw new QueryFailure(
    'result_too_large',
    'The result has too many columns, or their names and types are too long.',
  );
}

const isLarger = (description: readonly unknown[], maxBytes: number): boolean =>
  Buffer.byteLength(JSON.stringify(description)) > maxBytes;

/** Each function writes the rows in its format to the output, and returns the number of rows. */
const streams: Record<StreamFormat, (result: OpenedResult, context: JobContext) => Promise<number>> = {
  csv: streamCsv(exactCsv),
  'spreadsheet-csv': streamCsv(spreadsheetCsv),
  parquet: streamParquet,
};

function streamCsv(writer: CsvWriter) {
  return async ({ columns, batches }: OpenedResult, { output, started }: JobContext): Promise<number> => {
    let rowCount = 0;
    let head = writer.head(columns);
    for await (const batch of batches) {
      // Sent only now, so that a query that fails before its first row gets an error response instead of an empty file.
      if (head !== '') started(columns);
      await output.write(head + writer.lines(batch));
      head = '';
      rowCount += batch.rowCount;
    }
    if (head !== '') started(columns);
    await output.write(head);
    return rowCount;
  };
}

async function streamParquet(
  result: OpenedResult,
  { directory, limits, output, started, signal }: JobContext,
): Promise<number> {
  const { writeParquet } = await import('../formats/parquet-file.ts');
  const { file, rowCount } = await writeParquet(result, directory, limits, signal);
  try {
    started(result.columns);
    // The job ends when its file was sent or the download is cancelled.
    for await (const bytes of createReadStream(file, { signal })) await output.write(bytes as Uint8Array);
    return rowCount;
  } finally {
    await rm(file, { force: true });
  }
}
