import type { DatabaseFault } from '#contract/server.ts';
import type { AnnouncementListener } from './announcements.ts';
import type { FaultListener } from './faults.ts';
import type { Engine, PreparedQuery } from './prepared-query.ts';

/** Reads: what is committed, and in a transaction also its own writes. */
export interface Reader {
  all<P, Row>(query: PreparedQuery<P, Row>, parameters: P): Promise<Row[]>;
  first<P, Row>(query: PreparedQuery<P, Row>, parameters: P): Promise<Row | undefined>;
}

export interface Transaction extends Reader {
  /** Runs a query for its effect; returns how many rows it touched. */
  run<P>(query: PreparedQuery<P, unknown>, parameters: P): Promise<number>;
  /** Runs one statement of the schema, as it is. */
  execute(statement: string): Promise<void>;
  /** Tells, once this is committed, every process over the database that the record with this id has changed. */
  announce(id: string): void;
  /** Lets others have their turn of the event loop when this work has computed for long without a query. */
  giveWay(): Promise<void>;
}

export interface Database extends Reader {
  readonly engine: Engine;
  /** The engine's words for the types that a schema uses. */
  readonly types: { readonly text: string };
  /**
   * Runs `work` in a transaction and returns its result once that is committed and on disk; when `work` throws,
   * nothing of it is kept. `work` awaits its transaction alone, never the network or a timer, and may run again
   * from the start when the engine asks for it.
   */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Lets `listener` hear of what transactions announce; returns what ends that. An announcement only hastens what
   * looking now and then would find: it can get lost, and some engines carry none from process to process.
   */
  onAnnounced(listener: AnnouncementListener): () => void;
  /** Like `write`, for work that may take long: migrations and sweeps. PostgreSQL applies no deadline to it. */
  writeSlowly<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Returns the current faults; throws `unavailable` if the database does not respond. */
  check(): Promise<readonly DatabaseFault[]>;
  /** Calls `listener` when a fault begins or ends, and now for each current one. Returns a function that unsubscribes it. */
  onFault(listener: FaultListener): () => void;
  /** Waits for the writes under way. */
  close(): Promise<void>;
}
