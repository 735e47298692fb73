import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Column } from '#contract/data-sources.ts';
import { exactCsv, spreadsheetCsv, type CsvWriter } from '../formats/csv-rows.ts';
import { readJsonRows } from '../formats/json-rows.ts';
import type { OpenedResult, OpenedSource } from '../opened-source.ts';
import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { Answer, Order, RunAnswer, StreamFormat } from './messages.ts';
import type { QueryOutput } from '../output.ts';

/** What a worker has to do its orders with. */
export interface Tools {
  source(): Promise<OpenedSource>;
  /** The worker's own, for files that nobody else sees. */
  readonly directory: string;
  readonly limits: QueryLimits;
  readonly output: QueryOutput;
  /** Tells the columns of a stream, after which its bytes come. */
  started(columns: readonly Column[]): void;
  readonly signal: AbortSignal;
}

/** Does one order. Rejects with `QueryFailure`. */
export async function obeyOrder(order: Order, tools: Tools): Promise<Answer> {
  const { source, signal, limits } = tools;
  switch (order.kind) {
    case 'run':
      return run(order, await source(), tools);
    case 'describe': {
      const tables = await (await source()).describe(signal);
      if (isLarger(tables, limits.maxCatalogBytes))
        throw new QueryFailure('cut_short', 'The source has more tables and columns than can be listed.');
      return { kind: 'describe', tables };
    }
    case 'test':
      return { kind: 'test', warnings: await (await source()).testConnection(signal) };
    case 'stream': {
      const result = await (await source()).query(order.query, { signal });
      await requireColumns(result, limits);
      return { kind: 'stream', rowCount: await streams[order.format](result, tools) };
    }
    case 'import': {
      const { importFile } = await import('../duckdb/file-import.ts');
      return importFile(order, tools.directory, tools.limits, signal);
    }
  }
}

async function run(
  { query, maxRows, maxBytes }: Extract<Order, { kind: 'run' }>,
  source: OpenedSource,
  { signal, limits }: Pick<Tools, 'signal' | 'limits'>,
): Promise<RunAnswer> {
  const startedAt = performance.now();
  // One more than wanted tells whether there are more.
  const result = await source.query(query, { signal, maxRows: maxRows + 1 });
  await requireColumns(result, limits);
  const rows = await readJsonRows(result, { maxRows, maxBytes });
  return {
    kind: 'run',
    rows: { columns: result.columns, ...rows, durationMs: performance.now() - startedAt },
  };
}

/** Throws `cut_short` for columns that would take much of the server's memory, where they are no bytes but objects. */
async function requireColumns({ columns, batches }: OpenedResult, limits: QueryLimits): Promise<void> {
  if (!isLarger(columns, limits.maxColumnBytes)) return;
  // What the query holds is freed by the end of reading alone.
  const reading = batches[Symbol.asyncIterator]();
  await reading.next();
  await reading.return?.();
  throw new QueryFailure('cut_short', 'The columns are too many, or their names and types too long.');
}

const isLarger = (description: readonly unknown[], maxBytes: number): boolean =>
  Buffer.byteLength(JSON.stringify(description)) > maxBytes;

/** Each writes the rows in its format to the output, and returns how many there were. */
const streams: Record<StreamFormat, (result: OpenedResult, tools: Tools) => Promise<number>> = {
  csv: streamCsv(exactCsv),
  'spreadsheet-csv': streamCsv(spreadsheetCsv),
  parquet: streamParquet,
};

function streamCsv(writer: CsvWriter) {
  return async ({ columns, batches }: OpenedResult, { output, started }: Tools): Promise<number> => {
    let rowCount = 0;
    let head = writer.head(columns);
    for await (const batch of batches) {
      // Only now: a query that fails before its first row is answered as one that is shown.
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
  { directory, limits, output, started, signal }: Tools,
): Promise<number> {
  const { writeParquet } = await import('../formats/parquet-file.ts');
  const { file, rowCount } = await writeParquet(result, directory, limits, signal);
  try {
    started(result.columns);
    // The order is over when its file is sent, or nobody wants it any more.
    for await (const bytes of createReadStream(file, { signal })) await output.write(bytes as Uint8Array);
    return rowCount;
  } finally {
    await rm(file, { force: true });
  }
}
