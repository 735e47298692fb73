import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { SourceTable } from '#contract/data-sources/data-sources.ts';
import { duckdbFailure } from './errors.ts';
import { createGuard } from './guard/guard.ts';
import { createInstance, quoteName, quoteText } from './instance.ts';
import { columnsOf, toBatches } from './rows.ts';
import { createStatementCache, type StatementCache } from './prepared-statements.ts';
import { runLimited, runStreaming, type DuckdbResult } from './statement.ts';
import type { BoundQuery, OpenedResult, OpenedSource, QueryOptions } from '../opened-source.ts';
import { QueryFailure, queryStopped } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { FilesSource } from './description.ts';

/**
 * Opens uploaded tables, read-only, in a DuckDB instance that can't access anything else: no other files, no network, no
 * settings. `directory` is the worker's own, for intermediate results that don't fit into memory.
 */
export async function openDuckdbSource(
  source: FilesSource,
  directory: string,
  limits: QueryLimits,
): Promise<OpenedSource> {
  const { instance, damaged } = await open(source, directory, limits);
  const guard = createGuard(
    source.tables.map((table) => table.name),
    new Map([...inTrash(source), ...damaged]),
  );
  const opened: Opened = { instance, guard, statements: createStatementCache(instance) };
  return {
    query: (query, { signal, maxRows }) =>
      maxRows === undefined
        ? streamQuery(opened, query, signal)
        : runQuery(opened, query, { signal, maxRows }),
    // There is nothing to warn about: a query can read the tables of the source and nothing else.
    testConnection: async () => [],
    describe: (signal) =>
      withConnection(instance, signal, (connection) => describeTables(connection, source, damaged)),
    close: async () => instance.closeSync(),
  };
}

/** Opens each table separately, so that one with a damaged or missing file doesn't affect the others. */
async function open(
  source: FilesSource,
  directory: string,
  limits: QueryLimits,
): Promise<{ instance: DuckDBInstance; damaged: ReadonlyMap<string, string> }> {
  const damaged = new Map<string, string>();
  const unavailable = new Map(source.unavailableTables?.map(({ name, fault }) => [name, fault]));
  const instance = await createInstance(directory, limits);
  const connection = await instance.connect();
  try {
    for (const [index, table] of source.tables.entries()) {
      const { name } = table;
      if (unavailable.has(name) || !(await attach(connection, index, table)))
        damaged.set(name.toLowerCase(), unavailable.get(name) ?? damageOf(name));
    }
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
  } catch (cause) {
    instance.closeSync();
    throw new QueryFailure('unreachable', 'The tables of the data source cannot be opened.', { cause });
  } finally {
    connection.closeSync();
  }
  return { instance, damaged };
}

/** Returns false if the file is not a table, or is damaged. */
async function attach(
  connection: DuckDBConnection,
  index: number,
  { name, file }: FilesSource['tables'][number],
): Promise<boolean> {
  try {
    await connection.run(`ATTACH ${quoteText(file)} AS t${index} (READ_ONLY)`);
    await connection.run(`CREATE VIEW main.${quoteName(name)} AS FROM t${index}.main.data`);
    return true;
  } catch {
    return false;
  }
}

/** Returns the error message of each table in the trash, unless another one has its name. */
const inTrash = ({ tables, deletedTables = [] }: FilesSource): [string, string][] => {
  const used = new Set(tables.map(({ name }) => name));
  return deletedTables
    .filter((name) => !used.has(name))
    .map((name) => [name.toLowerCase(), `The table ${name} is in the trash. Restore it to run this query.`]);
};

const damageOf = (name: string): string =>
  `The table ${name} cannot be opened: its file is damaged or missing. Upload the table again.`;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly guard: ReturnType<typeof createGuard>;
  readonly statements: StatementCache;
}

/** Returns the first rows. The statement is cached for the next run, unless this one fails or is stopped. */
async function runQuery(
  { guard, statements }: Opened,
  { sql, values }: BoundQuery,
  { signal, maxRows }: QueryOptions & { readonly maxRows: number },
): Promise<OpenedResult> {
  try {
    const statement = await statements.take(sql, maxRows, (connection) => guard(connection, sql));
    const { connection } = statement;
    const release = interruptible(connection, signal);
    try {
      refuseStopped(signal);
      const result = await runLimited(statement, values);
      statements.giveBack(statement);
      return toOpenedResult(result);
    } catch (error) {
      connection.closeSync();
      throw error;
    } finally {
      release();
    }
  } catch (error) {
    throw duckdbFailure(error, sql);
  }
}

/** Returns all rows as they are read. It uses a new connection, so that nothing of this query is left for the next one. */
async function streamQuery(
  { instance, guard }: Opened,
  query: BoundQuery,
  signal: AbortSignal,
): Promise<OpenedResult> {
  const { connection, release } = await connect(instance, signal);
  try {
    await guard(connection, query.sql);
    refuseStopped(signal);
    const result = await runStreaming(connection, query, signal);
    return toOpenedResult({ ...result, chunks: releasing(result.chunks, release) });
  } catch (error) {
    release();
    throw duckdbFailure(error, query.sql);
  }
}

function toOpenedResult({ result, columns, chunks }: DuckdbResult): OpenedResult {
  const types = result.columnTypes();
  return { columns, batches: toBatches(types, chunks), native: { types, chunks } };
}

/** Throws if the query was stopped before it started, since DuckDB ignores an earlier interrupt. */
function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw queryStopped();
}

/** Yields the items, and calls `release` at the end, also after an error. */
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

async function connect(instance: DuckDBInstance, signal: AbortSignal): Promise<Connected> {
  const connection = await instance.connect();
  const release = interruptible(connection, signal);
  return {
    connection,
    release: () => {
      release();
      connection.closeSync();
    },
  };
}

/** Lets the signal interrupt queries on the connection. Returns a function that ends this. */
function interruptible(connection: DuckDBConnection, signal: AbortSignal): () => void {
  const interrupt = (): void => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  return () => signal.removeEventListener('abort', interrupt);
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

async function describeTables(
  connection: DuckDBConnection,
  source: FilesSource,
  damaged: ReadonlyMap<string, string>,
): Promise<SourceTable[]> {
  const counts = await connection.runAndReadAll(
    "SELECT database_name, estimated_size FROM duckdb_tables() WHERE table_name = 'data'",
  );
  const countOf = new Map(counts.getRows().map(([alias, count]) => [alias, Number(count)]));
  const tables: SourceTable[] = [];
  for (const [index, { name }] of source.tables.entries()) {
    const fault = damaged.get(name.toLowerCase());
    if (fault !== undefined) {
      tables.push({ schema: 'main', name, columns: [], fault });
      continue;
    }
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
