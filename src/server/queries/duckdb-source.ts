import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { SourceTable } from '#contract/data-sources.ts';
import { duckdbFailure } from './duckdb-errors.ts';
import { createGuard } from './duckdb-guard.ts';
import { createInstance, quoteName, quoteText } from './duckdb-instance.ts';
import { columnsOf, toBatches } from './duckdb-rows.ts';
import { runLimited, runStreaming } from './duckdb-statement.ts';
import type { BoundQuery, OpenedResult, OpenedSource, QueryOptions } from './opened-source.ts';
import { QueryFailure } from './query-failure.ts';
import type { QueryLimits } from './query-limits.ts';
import type { FilesSource } from './source-description.ts';

/**
 * Opens the tables of uploaded files, read only, in a DuckDB instance that reaches nothing else: no other file, no
 * network, no setting. `directory` is the worker's own, for what does not fit into memory.
 */
export async function openDuckdbSource(
  source: FilesSource,
  directory: string,
  limits: QueryLimits,
): Promise<OpenedSource> {
  const instance = await open(source, directory, limits);
  const guard = createGuard(source.tables.map((table) => table.name));
  return {
    query: (query, options) => runQuery(instance, guard, query, options),
    describe: (signal) =>
      withConnection(instance, signal, (connection) => describeTables(connection, source)),
    close: async () => instance.closeSync(),
  };
}

async function open(source: FilesSource, directory: string, limits: QueryLimits): Promise<DuckDBInstance> {
  const instance = await createInstance(directory, limits);
  const connection = await instance.connect();
  try {
    for (const [index, table] of source.tables.entries()) {
      await connection.run(`ATTACH ${quoteText(table.file)} AS t${index} (READ_ONLY)`);
      await connection.run(`CREATE VIEW main.${quoteName(table.name)} AS FROM t${index}.main.data`);
    }
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
  } catch (cause) {
    instance.closeSync();
    throw new QueryFailure('unreachable', 'A table of the source cannot be opened.', { cause });
  } finally {
    connection.closeSync();
  }
  return instance;
}

async function runQuery(
  instance: DuckDBInstance,
  guard: ReturnType<typeof createGuard>,
  query: BoundQuery,
  { signal, maxRows }: QueryOptions,
): Promise<OpenedResult> {
  const { connection, release } = await connect(instance, signal);
  try {
    await guard(connection, query.sql);
    // An interruption before the query begins is forgotten.
    if (signal.aborted) throw new QueryFailure('cancelled', 'The query was stopped.');
    const answer =
      maxRows === undefined
        ? await runStreaming(connection, query, signal)
        : await runLimited(connection, query, maxRows);
    const chunks = releasing(answer.chunks, release);
    const types = answer.result.columnTypes();
    return { columns: answer.columns, batches: toBatches(types, chunks), native: { types, chunks } };
  } catch (error) {
    release();
    throw duckdbFailure(error, query.sql);
  }
}

/** Passes on what is read, and calls `release` at the end, however that comes. */
async function* releasing<Item>(items: AsyncIterable<Item>, release: () => void): AsyncGenerator<Item, void> {
  try {
    yield* items;
  } finally {
    release();
  }
}

interface Connected {
  readonly connection: DuckDBConnection;
  release(): void;
}

/** A connection of its own for each query leaves the next nothing of the one before. */
async function connect(instance: DuckDBInstance, signal: AbortSignal): Promise<Connected> {
  const connection = await instance.connect();
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  return {
    connection,
    release: () => {
      signal.removeEventListener('abort', interrupt);
      connection.closeSync();
    },
  };
}

async function withConnection<Result>(
  instance: DuckDBInstance,
  signal: AbortSignal,
  use: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const { connection, release } = await connect(instance, signal);
  try {
    return await use(connection);
  } catch (error) {
    throw duckdbFailure(error, '');
  } finally {
    release();
  }
}

async function describeTables(connection: DuckDBConnection, source: FilesSource): Promise<SourceTable[]> {
  const counts = await connection.runAndReadAll(
    "SELECT database_name, estimated_size FROM duckdb_tables() WHERE table_name = 'data'",
  );
  const countOf = new Map(counts.getRows().map(([alias, count]) => [alias, Number(count)]));
  const tables: SourceTable[] = [];
  for (const [index, { name }] of source.tables.entries()) {
    const result = await connection.run(`FROM main.${quoteName(name)} LIMIT 0`);
    const rowCount = countOf.get(`t${index}`);
    tables.push({
      schema: 'main',
      name,
      columns: columnsOf(result),
      ...(rowCount === undefined ? {} : { rowCount }),
    });
  }
  return tables;
}
