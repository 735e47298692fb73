import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { SourceTable } from '#contract/data-sources.ts';
import { duckdbFailure } from './errors.ts';
import { createGuard } from './guard/guard.ts';
import { createInstance, quoteName, quoteText } from './instance.ts';
import { columnsOf, toBatches } from './rows.ts';
import { keepStatements, type KeptStatements } from './prepared-statements.ts';
import { runLimited, runStreaming, type DuckdbAnswer } from './statement.ts';
import type { BoundQuery, OpenedResult, OpenedSource, QueryOptions } from '../opened-source.ts';
import { QueryFailure } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { FilesSource } from './description.ts';

/**
 * Opens the tables of uploaded files, read only, in a DuckDB instance that reaches nothing else: no other file, no
 * network, no setting. `directory` is the worker's own, for what does not fit into memory.
 */
export async function openDuckdbSource(
  source: FilesSource,
  directory: string,
  limits: QueryLimits,
): Promise<OpenedSource> {
  const { instance, damaged } = await open(source, directory, limits);
  const guard = createGuard(
    source.tables.map((table) => table.name),
    damaged,
  );
  const opened: Opened = { instance, guard, statements: keepStatements(instance) };
  return {
    query: (query, { signal, maxRows }) =>
      maxRows === undefined
        ? streamQuery(opened, query, signal)
        : runQuery(opened, query, { signal, maxRows }),
    // There is no role: a query can read the tables of the source, and nothing else.
    testConnection: async () => [],
    describe: (signal) =>
      withConnection(instance, signal, (connection) => describeTables(connection, source, damaged)),
    close: async () => instance.closeSync(),
  };
}

/** Opens each table by itself: the others serve when the file of one is damaged, or missing. */
async function open(
  source: FilesSource,
  directory: string,
  limits: QueryLimits,
): Promise<{ instance: DuckDBInstance; damaged: ReadonlyMap<string, string> }> {
  const damaged = new Map<string, string>();
  const instance = await createInstance(directory, limits);
  const connection = await instance.connect();
  try {
    for (const [index, table] of source.tables.entries()) {
      if (!(await attach(connection, index, table)))
        damaged.set(table.name.toLowerCase(), damageOf(table.name));
    }
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
  } catch (cause) {
    instance.closeSync();
    throw new QueryFailure('unreachable', 'The tables of the source cannot be opened.', { cause });
  } finally {
    connection.closeSync();
  }
  return { instance, damaged };
}

/** Returns false for a file that is no table of ours, or not whole. */
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

const damageOf = (name: string): string =>
  `The table ${name} cannot be opened: its file is damaged or missing. Upload the table again.`;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly guard: ReturnType<typeof createGuard>;
  readonly statements: KeptStatements;
}

/** Answers with the first rows. The statement is kept for the next run, unless this one fails or is given up. */
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
      const answer = await runLimited(statement, values);
      statements.keep(statement);
      return toResult(answer);
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

/** Answers with all rows as they are read. A connection of its own leaves the next query nothing of this one. */
async function streamQuery(
  { instance, guard }: Opened,
  query: BoundQuery,
  signal: AbortSignal,
): Promise<OpenedResult> {
  const { connection, release } = await connect(instance, signal);
  try {
    await guard(connection, query.sql);
    refuseStopped(signal);
    const answer = await runStreaming(connection, query, signal);
    return toResult({ ...answer, chunks: releasing(answer.chunks, release) });
  } catch (error) {
    release();
    throw duckdbFailure(error, query.sql);
  }
}

function toResult({ result, columns, chunks }: DuckdbAnswer): OpenedResult {
  const types = result.columnTypes();
  return { columns, batches: toBatches(types, chunks), native: { types, chunks } };
}

/** An interruption before the query begins is forgotten. */
function refuseStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new QueryFailure('cancelled', 'The query was stopped.');
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

/** Lets the signal interrupt what runs on the connection, until the function that is returned is called. */
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
