import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A connection to a file of SQLite; what it prepares, it prepares once. */
export interface Connection {
  readonly database: DatabaseSync;
  /** A query, which returns rows. */
  query(text: string): Query;
  /** Runs a statement that returns no rows; returns how many it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

export interface Query {
  all(...values: SQLInputValue[]): unknown[];
  /** Returns the first row, or undefined. */
  first(...values: SQLInputValue[]): unknown;
}

/** Opens a file, and creates it if it doesn't exist. */
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
    query: prepareOnce((text) => toQuery(database.prepare(text))),
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

/**
 * The rows that node:sqlite returns as objects are dictionaries without a prototype, slow to make, to read and to copy; so
 * they are read as arrays here, and made into ordinary objects.
 */
function toQuery(statement: StatementSync): Query {
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  const toRow = (values: readonly unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
    return row;
  };
  // Sound because the statement returns arrays, though its types say that it returns objects.
  return {
    all: (...values) => (statement.all(...values) as unknown as unknown[][]).map(toRow),
    first: (...values) => {
      const row = statement.get(...values) as unknown as unknown[] | undefined;
      return row && toRow(row);
    },
  };
}

function prepareOnce<Statement>(make: (text: string) => Statement): (text: string) => Statement {
  const statements = new Map<string, Statement>();
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
