import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { AtriumError, outcomeUnknown } from '../base/errors.ts';
import { createListeners } from './announcements.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { queryBuilder, type BuiltQuery, type PreparedQuery } from './prepared-query.ts';
import { connect, turnSnapshot, type Connection } from './sqlite-connection.ts';

/** SQLite has one writer at a time, so rows need no locks, and it has no words for them. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
}

interface PendingWrite {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  | { readonly result: unknown; readonly announced: readonly string[] }
  | { readonly error: unknown };

/**
 * Opens the embedded database, creating the file when it is not there. Two connections: one reads what is
 * committed, one writes with group commit: the writes that arrive in two turns of the event loop share a
 * transaction and its one flush to the disk, each under a savepoint of its own, and each is acknowledged only
 * after the commit.
 */
export function openSqlite(file: string): Database {
  const build = queryBuilder({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessQueryCompiler(),
  });
  const writer = connect(file);
  const reader = connect(file);
  const snapshot = turnSnapshot(reader);
  const announced: string[] = [];
  const transaction = toTransaction(writer, build, announced);
  const listeners = createListeners();

  let pending: PendingWrite[] = [];
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    // The answers of the last batch bring new requests one turn later: two turns, and they share one flush.
    await nextTurn();
    await nextTurn();
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      const outcomes = await commit(batch);
      settle(batch, outcomes);
      for (const outcome of outcomes)
        if ('announced' in outcome) for (const id of outcome.announced) listeners.announced(id);
    }
    flushing = undefined;
  }

  async function commit(batch: readonly PendingWrite[]): Promise<Outcome[]> {
    try {
      // An open snapshot would keep the log from starting over, and it would grow without bound.
      snapshot.end();
      const outcomes = await commitTogether(writer, transaction, announced, batch);
      // Whoever learns of a write also reads it.
      snapshot.end();
      return outcomes;
    } catch (error) {
      // Not even a rollback is possible: nobody may wait for ever.
      return batch.map(() => ({ error }));
    }
  }

  return {
    ...toReader(reader, build, snapshot.begin),
    engine: 'SQLite',
    types: { text: 'text' },
    write: <Result>(work: (transaction: Transaction) => Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        // Sound because `resolve` is only ever called with what this `work` returned.
        pending.push({ work, resolve: resolve as (result: unknown) => void, reject });
        flushing ??= flush();
      }),
    onAnnounced: listeners.add,
    ping: async () => {
      reader.statement('select version from schema_version').get();
    },
    close: async () => {
      await flushing;
      snapshot.end();
      for (const { database } of [reader, writer]) if (database.isOpen) database.close();
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns what became of each write of a batch: all that did not throw are on disk, or none is. */
async function commitTogether(
  connection: Connection,
  transaction: Transaction,
  announced: string[],
  batch: readonly PendingWrite[],
): Promise<Outcome[]> {
  const { database } = connection;
  const outcomes: Outcome[] = [];
  try {
    database.exec('begin immediate');
    for (const { work } of batch) {
      announced.length = 0;
      const outcome = await attempt(connection, transaction, work);
      outcomes.push('error' in outcome ? outcome : { ...outcome, announced: [...announced] });
    }
    commitToDisk(database);
    return outcomes;
  } catch (error) {
    // A full disk or an unreadable page: nothing of the batch was acknowledged, so each write fails.
    const failure = { error: toAtriumError(error) };
    try {
      if (database.isTransaction) database.exec('rollback');
    } catch {
      // The connection is unusable, which the next write reports; these fail for the reason that came first.
    }
    return batch.map(() => failure);
  }
}

/** Throws an error with `outcomeUnknown` when the commit may have reached the disk. */
function commitToDisk(database: DatabaseSync): void {
  try {
    database.exec('commit');
  } catch (error) {
    throw isRolledBack(error) ? error : outcomeUnknown(error);
  }
}

/**
 * SQLITE_BUSY, FULL, CONSTRAINT: nothing was committed. After an I/O error the log may hold the whole transaction,
 * and the next start would then recover it.
 */
const isRolledBack = (error: unknown): boolean => [5, 13, 19].includes(resultCodeOf(error) ?? 0);

/** Returns the primary result code of SQLite (https://sqlite.org/rescode.html), or undefined. */
const resultCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

/** SQLITE_BUSY, IOERR, FULL, CANTOPEN: the file, or who else has it open, is at fault. */
function toAtriumError(error: unknown): unknown {
  const code = resultCodeOf(error);
  if (code === undefined || ![5, 10, 13, 14].includes(code)) return error;
  return new AtriumError('unavailable', 'The database cannot be written to at the moment.', { cause: error });
}

/** Runs one write of a batch; what it throws undoes it alone, unless SQLite has given up the whole transaction. */
async function attempt(
  { database, run }: Connection,
  transaction: Transaction,
  work: PendingWrite['work'],
): Promise<{ readonly result: unknown } | { readonly error: unknown }> {
  run('savepoint one_write');
  try {
    const result = await work(transaction);
    run('release one_write');
    return { result };
  } catch (error) {
    if (!database.isTransaction) throw error;
    run('rollback to one_write');
    run('release one_write');
    return { error: toAtriumError(error) };
  }
}

function settle(batch: readonly PendingWrite[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    if ('result' in outcome) batch[index]?.resolve(outcome.result);
    else batch[index]?.reject(outcome.error);
  }
}

type Build = <P, R>(query: PreparedQuery<P, R>) => BuiltQuery;

/** `prepareToRead` is called before each read. */
function toReader({ statement }: Connection, build: Build, prepareToRead: () => void): Reader {
  return {
    async all<P, Row>(query: PreparedQuery<P, Row>, parameters: P) {
      const { text, bind } = build(query);
      prepareToRead();
      return statement(text).all(...toValues(bind(parameters as object))) as Row[];
    },
    async first<P, Row>(query: PreparedQuery<P, Row>, parameters: P) {
      const { text, bind } = build(query);
      prepareToRead();
      return statement(text).get(...toValues(bind(parameters as object))) as Row | undefined;
    },
  };
}

function toTransaction(connection: Connection, build: Build, announced: string[]): Transaction {
  return {
    ...toReader(connection, build, () => {}),
    async run<P>(query: PreparedQuery<P, unknown>, parameters: P) {
      const { text, bind } = build(query);
      return connection.run(text, ...toValues(bind(parameters as object)));
    },
    async execute(statement) {
      connection.database.exec(statement);
    },
    announce: (id) => void announced.push(id),
  };
}

/** Sound because the tables have texts, integers and nulls alone. */
const toValues = (values: unknown[]): SQLInputValue[] => values as SQLInputValue[];
