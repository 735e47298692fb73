import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { RowBudget } from '../row-budget.ts';

/** A connection to a SQLite file, which prepares each statement once. */
export interface Connection {
  readonly database: DatabaseSync;
  /** Returns a query for rows. */
  query(text: string): Query;
  /** Runs a statement that returns no rows; returns how many it changed. */
  run(text: string, ...values: SQLInputValue[]): number;
}

export interface Query {
  all(...values: SQLInputValue[]): unknown[];
  /** Returns the first row, or undefined. */
  first(...values: SQLInputValue[]): unknown;
  /** Returns the rows that `budget` accepts, until it is used up. */
  within(budget: RowBudget, ...values: SQLInputValue[]): unknown[];
}

/** Opens a file, and creates it if it doesn't exist. */
export function connect(file: string): Connection {
  // Waiting in SQLite blocks the event loop, so only opening does it; see `whenUnlocked`.
  const database = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  // Overwrites what is deleted, which costs no measurable time.
  database.exec('pragma secure_delete = on');
  // 16 MiB: a checkpoint blocks all writes, and copies a page only once, however often it changed.
  database.exec('pragma wal_autocheckpoint = 4000');
  database.exec('pragma busy_timeout = 0');
  const toRun = prepareOnce((text) => {
    const statement = database.prepare(text);
    // Each run also returns the last row id of the connection. FTS5 creates ids above 2^53, which Node can't return as
    // a number: it would refuse every write after one.
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
    // The error that led to the rollback is more useful.
  }
}

/**
 * The objects that node:sqlite returns for rows are dictionaries without a prototype, which are slow to create, read
 * and copy. So rows are read as arrays, and converted into ordinary objects.
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
    within: (budget, ...values) => {
      const rows: unknown[] = [];
      for (const row of statement.iterate(...values) as unknown as Iterable<unknown[]>) {
        if (!budget.accepts(sizeOf(row))) break;
        rows.push(toRow(row));
      }
      return rows;
    },
  };
}

/** Numbers and nulls hardly count. */
const sizeOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 8), 0);

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
 * Returns a snapshot that all reads in one turn of the event loop share: acquiring and releasing the lock for a read
 * costs more than most reads. `onBegun` may already read from it.
 */
export function turnSnapshot({ database }: Connection, onBegun: () => void): { begin(): void; end(): void } {
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      database.exec('commit');
    } catch {
      // After a read of a damaged page, the commit fails as well. The read has reported it; here it would end the
      // process.
      rollBack(database);
    }
  };
  const begin = () => {
    if (isOpen) return;
    if (!database.isTransaction) database.exec('begin');
    isOpen = true;
    setImmediate(end);
    try {
      onBegun();
    } catch (error) {
      end();
      throw error;
    }
  };
  return { begin, end };
}
