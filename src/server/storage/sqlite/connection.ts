import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A connection to a file of SQLite; what it prepares, it prepares once. */
export interface Connection {
  readonly database: DatabaseSync;
  /** To read with. */
  statement(text: string): StatementSync;
  /** Runs a statement that returns no rows; returns how many it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

/** Opens a file, and makes it when it is not there. */
export function connect(file: string): Connection {
  // Waiting in SQLite blocks the event loop, so only opening does it; see `whenUnlocked`.
  const database = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  // 16 MiB: moving the log into the file stops all writes, and a page that changes often is moved once for many.
  database.exec('pragma wal_autocheckpoint = 4000');
  database.exec('pragma busy_timeout = 0');
  const toRun = prepareOnce((text) => {
    const statement = database.prepare(text);
    // Each run also returns the last row id of the connection. FTS5 makes rows past 2^53, which are no number to Node:
    // it would refuse every write behind one.
    statement.setReadBigInts(true);
    return statement;
  });
  return {
    database,
    statement: prepareOnce((text) => database.prepare(text)),
    run: (text, ...values) => Number(toRun(text).run(...values).changes),
  };
}

/** Ends a transaction that can't be committed. Never throws: the next transaction recovers from a failure here. */
export function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('rollback');
  } catch {
    // The error that led to the rollback says more.
  }
}

function prepareOnce(make: (text: string) => StatementSync): (text: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (text) => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = make(text);
      statements.set(text, statement);
    }
    return statement;
  };
}

/**
 * The reads of one turn of the event loop share a snapshot: to take and leave the lock that a read needs costs more
 * than most reads do.
 */
export function turnSnapshot({ database }: Connection): { begin(): void; end(): void } {
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      database.exec('commit');
    } catch {
      // After a read of a damaged page the commit fails, too. The read has reported it; here it would end the process.
      rollBack(database);
    }
  };
  const begin = () => {
    if (isOpen) return;
    if (!database.isTransaction) database.exec('begin');
    isOpen = true;
    setImmediate(end);
  };
  return { begin, end };
}
