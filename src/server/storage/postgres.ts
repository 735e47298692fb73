import { setTimeout as delay } from 'node:timers/promises';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { AtriumError, outcomeUnknown, StartError } from '../base/errors.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { createPostgresAnnouncements } from './postgres-announcements.ts';
import { queryBuilder, type BuiltQuery, type PreparedQuery } from './prepared-query.ts';

const attempts = 10;

/**
 * Opens a pool of connections to PostgreSQL, or to an engine that speaks its protocol. Transactions are READ
 * COMMITTED and run again when others came in between. Throws a `StartError` when the server cannot
 * be reached, or acknowledges commits before they are on disk.
 */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: 20, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks is replaced at its next use; without a listener the process would end.
  pool.on('error', () => {});
  // So it would when a connection breaks in a transaction; the query under way rejects, which is all that counts.
  pool.on('connect', (client) => client.on('error', () => {}));
  await requireDurableCommits(pool);

  const build = queryBuilder({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });

  const announcements = createPostgresAnnouncements(url, pool);
  const underWay = new Set<Promise<unknown>>();

  function write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const writing = writeRepeatedly(work);
    const forget = () => underWay.delete(writing);
    underWay.add(writing);
    writing.then(forget, forget);
    return writing;
  }

  async function writeRepeatedly<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { result, announced } = await inTransaction(pool, build, work);
        announcements.publish(announced);
        return result;
      } catch (error) {
        if (!isWorthRepeating(error) || (isReferenceToNothing(error) && attempt > 2))
          throw toAtriumError(error);
        if (attempt === attempts) {
          throw new AtriumError('unavailable', 'Too many change the same thing at once. Try again.', {
            cause: error,
          });
        }
        // Those who ran into each other come back at different times.
        await delay(Math.random() * attempt * 10);
      }
    }
  }

  return {
    ...toReader(pool, build),
    engine: 'PostgreSQL',
    // Byte order, as in SQLite: cursors of lists rely on one order that no locale changes.
    types: { text: 'text collate "C"' },
    write,
    onAnnounced: announcements.listen,
    ping: async () => {
      await query(pool, 'select 1', []);
    },
    close: async () => {
      // The pool by itself waits for connections in use, and forgets who waits for one.
      await Promise.allSettled(underWay);
      await announcements.close();
      await pool.end();
    },
  };
}

async function requireDurableCommits(pool: pg.Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ synchronous_commit: string }>('show synchronous_commit');
    if (rows[0]?.synchronous_commit !== 'off') return;
  } catch (error) {
    await pool.end();
    throw new StartError(`DATABASE_URL: the database does not answer: ${reasonOf(error)}`, { cause: error });
  }
  await pool.end();
  throw new StartError(
    'DATABASE_URL: this database acknowledges commits before they are on disk; set its synchronous_commit to on.',
  );
}

async function inTransaction<Result>(
  pool: pg.Pool,
  build: Build,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<{ result: Result; announced: string[] }> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin isolation level read committed');
    const announced: string[] = [];
    const result = await work(toTransaction(client, build, announced));
    const { command } = await commit(client);
    // After a statement that failed, a commit rolls back and tells of no error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed: nothing was kept.');
    return { result, announced };
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Throws an error with `outcomeUnknown` unless the server says what became of the transaction. */
async function commit(client: pg.PoolClient): Promise<pg.QueryResult> {
  try {
    return await client.query('commit');
  } catch (error) {
    throw isRolledBack(error) ? error : outcomeUnknown(error);
  }
}

/**
 * Whether a failed commit stored nothing for certain: a constraint (class 23), a conflict with others (40), a state in
 * which it cannot commit (25, 55), a lack of resources (53), or a cancel (57014). 40003 says that the server itself
 * does not know.
 */
const isRolledBack = (error: unknown): boolean => /^(23|25|40(?!003)|53|55|57014)/.test(codeOf(error));

type Build = <P, R>(query: PreparedQuery<P, R>) => BuiltQuery;
type Queryable = Pick<pg.ClientBase, 'query'> | pg.Pool;

async function query(on: Queryable, text: string, values: unknown[]): Promise<pg.QueryResult> {
  try {
    return await on.query(text, values);
  } catch (error) {
    throw isWorthRepeating(error) ? error : toAtriumError(error);
  }
}

function toReader(on: Queryable, build: Build): Reader {
  async function all<P, Row>(prepared: PreparedQuery<P, Row>, parameters: P): Promise<Row[]> {
    const { text, bind } = build(prepared);
    return (await query(on, text, bind(parameters as object))).rows as Row[];
  }
  return { all, first: async (prepared, parameters) => (await all(prepared, parameters))[0] };
}

function toTransaction(client: pg.PoolClient, build: Build, announced: string[]): Transaction {
  return {
    ...toReader(client, build),
    async run(prepared, parameters) {
      const { text, bind } = build(prepared);
      return (await query(client, text, bind(parameters as object))).rowCount ?? 0;
    },
    async execute(statement) {
      await query(client, statement, []);
    },
    announce: (id) => void announced.push(id),
  };
}

/** SQLSTATE 40001 serialization failure, 40P01 deadlock: nothing was committed, and a second try may well be. */
const isWorthRepeating = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isReferenceToNothing(error);

/** SQLSTATE 23503: what was read a moment ago may have been removed since, which the second try finds; or it is a fault. */
const isReferenceToNothing = (error: unknown): boolean => codeOf(error) === '23503';

/** Classes 08 (connection), 53 (resources), 57P (shutdown), and what the network or the pool says. */
function toAtriumError(error: unknown): unknown {
  const unavailable =
    /^(08|53|57P)/.test(codeOf(error)) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'].includes(
      codeOf(error),
    ) ||
    /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(reasonOf(error));
  if (!unavailable) return error;
  return new AtriumError('unavailable', 'The database does not answer.', { cause: error });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
