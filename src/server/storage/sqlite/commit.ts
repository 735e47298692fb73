import type { DatabaseSync } from 'node:sqlite';
import { outcomeUnknown } from '../../base/errors.ts';
import type { CommitListener, Transaction } from '../database.ts';
import type { Connection } from './connection.ts';
import { isRolledBack } from './errors.ts';

/** A write that waits for its turn. */
export interface PendingWrite {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of a write. */
export type Outcome =
  | { readonly result: unknown; readonly announced: readonly string[] }
  | { readonly error: unknown };

/**
 * Runs the writes of a batch in the open transaction and commits. Returns their outcomes; throws if none is on disk.
 */
export async function commitTogether(
  connection: Connection,
  transaction: Transaction,
  announced: string[],
  batch: readonly PendingWrite[],
  failed: (error: unknown) => unknown,
  committed: CommitListener,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { work } of batch) {
    announced.length = 0;
    const outcome = await attempt(connection, transaction, work, failed);
    outcomes.push('error' in outcome ? outcome : { ...outcome, announced: [...announced] });
  }
  const beganAt = performance.now();
  commitToDisk(connection.database);
  committed(batch.length, performance.now() - beganAt);
  return outcomes;
}

/** Throws an error with `outcomeUnknown` if the commit may have reached the disk. */
function commitToDisk(database: DatabaseSync): void {
  try {
    database.exec('commit');
  } catch (error) {
    throw isRolledBack(error) ? error : outcomeUnknown(error);
  }
}

/**
 * Runs one write of a batch. If it throws, only this write is rolled back, unless SQLite has aborted the whole
 * transaction.
 */
async function attempt(
  { database, run }: Connection,
  transaction: Transaction,
  work: PendingWrite['work'],
  failed: (error: unknown) => unknown,
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
    return { error: failed(error) };
  }
}

/** Resolves or rejects each write of a batch. */
export function settle(batch: readonly PendingWrite[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    if ('result' in outcome) batch[index]?.resolve(outcome.result);
    else batch[index]?.reject(outcome.error);
  }
}
