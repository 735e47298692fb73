import { QueryFailure, type QueryFailureCode } from '../failure.ts';
import type { QueryPool } from './pool.ts';
import type { WorkerKey } from './turns.ts';

/** What a worker did, or was asked to do. */
export interface ObservedQuery {
  readonly workerKey: WorkerKey;
  /** How long it waited for its turn. */
  readonly waitMs: number;
  /** How long it then ran; undefined if it never got its turn. */
  readonly runMs: number | undefined;
  readonly outcome: 'ok' | QueryFailureCode;
}

/** Called when a query has ended, whether it succeeded or not. */
export type QueryObserver = (query: ObservedQuery) => void;

/** Returns the pool, which also calls `observe` for each query. */
export function observePool(pool: QueryPool, observe: QueryObserver): QueryPool {
  return {
    ...pool,
    async withWorker(workerKey, options, use) {
      const askedAt = performance.now();
      let startedAt: number | undefined;
      let outcome: ObservedQuery['outcome'] = 'ok';
      try {
        return await pool.withWorker(workerKey, options, (worker) => {
          startedAt = performance.now();
          return use(worker);
        });
      } catch (error) {
        outcome = error instanceof QueryFailure ? error.code : 'worker_lost';
        throw error;
      } finally {
        const now = performance.now();
        const runMs = startedAt === undefined ? undefined : now - startedAt;
        observe({ workerKey, waitMs: (startedAt ?? now) - askedAt, runMs, outcome });
      }
    },
  };
}
