import pg from 'pg';
import Cursor from 'pg-cursor';
import type { ConnectionWarning } from '#contract/data-sources/data-sources.ts';
import type {
  BoundQuery,
  BoundValue,
  OpenedResult,
  OpenedSource,
  QueryOptions,
  RowBatch,
} from '../opened-source.ts';
import { cancelQuery } from './cancel.ts';
import { loadTables, loadTypes } from './catalog.ts';
import { connectPostgresql } from './connection.ts';
import { postgresqlFailure } from './errors.ts';
import { findPrologue } from './prologue.ts';
import { postgresqlColumn, postgresqlTextWriter, type PostgresqlTypes } from './values.ts';
import { findConnectionWarnings } from './warnings.ts';
import { QueryFailure, queryStopped } from '../failure.ts';
import type { QueryLimits } from '../limits.ts';
import type { PostgresqlSource } from './description.ts';
import { firstWord } from '../first-word.ts';

const batchRows = 2_000;
const queryCanceled = '57014';

interface Session {
  readonly client: pg.Client;
  readonly types: PostgresqlTypes;
  /** Returns the statements that start a transaction. */
  readonly prologue: (timeoutMs: number) => string;
}

/** Opens a PostgreSQL database for read-only queries. They share one connection, which is reset after each query. */
export async function openPostgresqlSource(
  source: PostgresqlSource,
  limits: QueryLimits,
): Promise<OpenedSource> {
  let session: Session | undefined;

  async function connect(): Promise<Session> {
    const client = await connectPostgresql(source);
    // A connection can break between queries. The next query opens another one.
    client.on('error', () => forget());
    client.on('end', () => forget());
    session = { client, types: await loadTypes(client), prologue: await findPrologue(client) };
    return session;
  }

  function forget(): void {
    session = undefined;
  }

  /** Starts a read-only transaction. The caller has to end it. */
  async function begin(signal: AbortSignal, timeoutMs: number): Promise<Session & { end(): Promise<void> }> {
    const current = session ?? (await connect());
    const { client, prologue } = current;
    let cancelling: Promise<void> | undefined;
    const cancel = (): void => {
      cancelling = cancelQuery(source, client);
    };
    signal.addEventListener('abort', cancel);
    async function end(): Promise<void> {
      signal.removeEventListener('abort', cancel);
      await cancelling;
      // A cancel request that arrives late would stop the next query of the connection.
      if (cancelling !== undefined || !(await makeReusable(client))) {
        forget();
        await client.end().catch(() => undefined);
      }
    }
    try {
      await client.query(prologue(timeoutMs));
      // PostgreSQL ignores a cancel request that arrives before the query starts.
      if (signal.aborted) throw queryStopped();
    } catch (error) {
      await end();
      throw error;
    }
    return { ...current, end };
  }

  async function query(
    { sql, values }: BoundQuery,
    { signal, maxRows }: QueryOptions,
  ): Promise<OpenedResult> {
    requireReading(sql);
    const { client, types, end } = await begin(
      signal,
      maxRows === undefined ? limits.streamTimeoutMs : limits.timeoutMs,
    ).catch((error: unknown) => {
      throw postgresqlFailure(error, signal);
    });
    const cursor = client.query(
      new Cursor(sql, values.map(boundText), {
        rowMode: 'array',
        types: { getTypeParser: () => (text) => text },
      }),
    );
    try {
      const { rows, fields } = await read(cursor);
      return {
        columns: fields.map((field) => postgresqlColumn(types, field)),
        batches: readBatches(
          cursor,
          rows,
          fields.map(({ dataTypeID }) => postgresqlTextWriter(types, dataTypeID)),
          signal,
          end,
        ),
      };
    } catch (error) {
      await end();
      throw postgresqlFailure(error, signal, sql);
    }
  }

  /** Runs queries of Atrium itself, whose results are small. */
  async function inTransaction<Result>(
    signal: AbortSignal,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { end, ...current } = await begin(signal, limits.timeoutMs);
      try {
        return await work(current);
      } finally {
        await end();
      }
    } catch (error) {
      throw postgresqlFailure(error, signal);
    }
  }

  return {
    query,
    describe: (signal) => inTransaction(signal, ({ client, types }) => loadTables(client, types)),
    testConnection: (signal) => inTransaction(signal, ({ client }) => findWarnings(client)),
    close: async () => session?.client.end(),
  };
}

/** Servers that speak PostgreSQL's protocol but lack part of its catalog still work as sources. */
const findWarnings = (client: pg.Client): Promise<ConnectionWarning[]> =>
  findConnectionWarnings(client).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code === queryCanceled) throw error;
    const message = `The privileges of the role could not be checked: ${error.message}`;
    return [{ code: 'privileges_unknown', message }];
  });

/** Ends the transaction and resets the connection. Returns whether the next query may use it. */
async function makeReusable(client: pg.Client): Promise<boolean> {
  try {
    const results: unknown = await client.query(`ROLLBACK; ${findConnectingFunctions}`);
    // Sound because node-postgres returns a list for several statements: the second result is that of the SELECT.
    const [, found] = results as readonly pg.QueryResult[];
    if (found?.rowCount !== 0) return false;
    await client.query('DISCARD ALL');
    return true;
  } catch {
    return false;
  }
}

/**
 * `DISCARD ALL` doesn't close connections of dblink: a later query could use one that another person has opened with their
 * password.
 */
const findConnectingFunctions =
  "SELECT FROM pg_catalog.pg_proc WHERE proname IN ('dblink_connect', 'dblink_connect_u') LIMIT 1";

const readingWords = new Set(['select', 'with', 'values', 'table', 'show', 'explain', '(']);

/** Rejects statements that would end or change the transaction, or start COPY, before they are sent. */
function requireReading(sql: string): void {
  if (!readingWords.has(firstWord(sql).toLowerCase())) {
    throw new QueryFailure('sql_error', 'Only SELECT statements can be run.', { offset: 0 });
  }
}

function boundText({ value }: BoundValue): unknown {
  return typeof value === 'number' ? String(value) : value;
}

interface Batch {
  readonly rows: (string | null)[][];
  readonly fields: pg.FieldDef[];
}

function read(cursor: Cursor): Promise<Batch> {
  return new Promise((resolve, reject) => {
    cursor.read(batchRows, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ rows, fields: result.fields });
    });
  });
}

async function* readBatches(
  cursor: Cursor,
  first: (string | null)[][],
  writers: readonly ((text: string) => string)[],
  signal: AbortSignal,
  end: () => Promise<void>,
): AsyncGenerator<RowBatch, void> {
  let isOpen = true;
  async function readNext(): Promise<(string | null)[][]> {
    try {
      return (await read(cursor)).rows;
    } catch (error) {
      // The cursor has closed itself, and closing it again would never resolve.
      isOpen = false;
      throw postgresqlFailure(error, signal);
    }
  }
  try {
    for (let rows = first; rows.length > 0;) {
      const batch = rows;
      yield {
        rowCount: batch.length,
        columns: writers.map((toText, index) =>
          batch.map((row) => {
            const text = row[index] ?? null;
            return text === null ? null : toText(text);
          }),
        ),
      };
      rows = batch.length < batchRows ? [] : await readNext();
    }
  } finally {
    if (isOpen) await cursor.close();
    await end();
  }
}
