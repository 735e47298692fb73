import type { DatabaseFault } from '#contract/server.ts';
import type { FirstRows } from '../base/paging.ts';
import type { Allowances } from './allowances.ts';
import type { AnnouncementListener } from './announcements.ts';
import type { FaultListener } from './faults.ts';
import type { Engine, PreparedQuery } from './prepared-query.ts';

/** Reads what is committed and, in a transaction, its own writes. */
export interface Reader {
  all<P, Row>(query: PreparedQuery<P, Row>, parameters: P): Promise<Row[]>;
  first<P, Row>(query: PreparedQuery<P, Row>, parameters: P): Promise<Row | undefined>;
  /**
   * Returns the first rows of a query with a `limit`: at most that many, and no more than fit into the bytes of a page, but at least
   * one. Rows that don't fit are never in memory together.
   */
  page<P extends { readonly limit: number }, Row>(
    query: PreparedQuery<P, Row>,
    parameters: P,
    maxBytes?: number,
  ): Promise<FirstRows<Row> & { readonly sizeBytes: number }>;
}

export interface Transaction extends Reader {
  readonly allowances: Allowances;
  /** Runs a query for its effect; returns how many rows it changed. */
  run<P>(query: PreparedQuery<P, unknown>, parameters: P): Promise<number>;
  /** Runs one statement of the schema, unchanged. */
  execute(statement: string): Promise<void>;
  /** Announces to every process of the database, once this is committed, that the record with this id has changed. */
  announce(id: string): void;
  /** Yields to the event loop if this work has computed for long without a query. */
  giveWay(): Promise<void>;
}

/** Called after a commit, with the number of writes that shared it and how long it took to reach the disk. */
export type CommitListener = (writeCount: number, durationMs: number) => void;

/** What a database uses at the moment. */
export interface DatabaseUsage {
  /** Connections by their purpose. The embedded database has one for writing, for which writes wait. */
  readonly pools: readonly {
    readonly name: string;
    readonly usedCount: number;
    readonly waitingCount: number;
  }[];
  /** The size of the write-ahead log; only of the embedded database. */
  readonly walBytes: number | undefined;
}

export interface Database extends Reader {
  readonly engine: Engine;
  /** What this process may store; it is the same in all transactions. */
  readonly allowances: Allowances;
  /** The names of the engine's types that a schema uses. */
  readonly types: { readonly text: string };
  /**
   * Returns a reader for large reads, which sees everything that was committed before, like the database itself. It is
   * that of a read replica if there is one that has caught up, which costs two small queries.
   */
  findReader(): Promise<Reader>;
  /**
   * Runs `work` in a transaction and returns its result once that is committed and on disk. If `work` throws, nothing
   * is stored. `work` may only await its transaction, never the network or a timer, and may be run again from the start
   * if the engine requires it.
   */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Calls `listener` for announcements of transactions; returns a function that removes it. Announcements only make
   * changes visible sooner than polling: they can get lost, and some engines don't send them to other processes.
   */
  onAnnounced(listener: AnnouncementListener): () => void;
  /** Like `write`, for work that may take long: migrations and sweeps. PostgreSQL applies no deadline to it. */
  writeSlowly<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Makes what was deleted from tables unreadable in the files of the database, as far as the engine can: SQLite writes the file
   * again and empties its log, and writes wait meanwhile; PostgreSQL frees the rows. Without tables, only the log is emptied.
   */
  erase(tables: readonly string[]): Promise<void>;
  usage(): DatabaseUsage;
  /** Calls `listener`, the only one, after each commit. It must return at once. */
  onCommit(listener: CommitListener): void;
  /** Returns the current faults; throws `unavailable` if the database does not respond. */
  check(): Promise<readonly DatabaseFault[]>;
  /**
   * Calls `listener` when a fault starts or ends, and now for each current one. Returns a function that unsubscribes
   * it.
   */
  onFault(listener: FaultListener): () => void;
  /** Waits for running writes. */
  close(): Promise<void>;
}
