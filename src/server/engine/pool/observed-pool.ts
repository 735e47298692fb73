import { QueryFailure, type QueryFailureCode } from '../failure.ts';
import type { JobResult } from '../worker/messages.ts';
import type { QueryPool } from './pool.ts';
import type { WorkerKey } from './turns.ts';

/** What a worker did, or was asked to do. */
export interface ObservedQuery {
  readonly workerKey: WorkerKey;
  readonly requesterIds: readonly string[];
  readonly reportId: string | undefined;
  /** How long it waited for its turn. */
  readonly waitMs: number;
  /** How long it then ran; undefined if it never got its turn. */
  readonly runMs: number | undefined;
  readonly outcome: 'ok' | QueryFailureCode;
  /** Why it failed, in words that can contain data of the query. */
  readonly failure: string | undefined;
  /** The rows of its result, if it has one that isn't a stream. */
  readonly rowCount: number | undefined;
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
      let failure: string | undefined;
      let rowCount: number | undefined;
      // A copy, since the list changes while the query runs.
      const requesterIds = [...(options.requesterIds ?? [])];
      try {
        const result = await pool.withWorker(workerKey, options, (worker) => {
          startedAt = performance.now();
          return use(worker);
        });
        rowCount = rowCountOf(result);
        return result;
      } catch (error) {
        outcome = error instanceof QueryFailure ? error.code : 'worker_lost';
        failure = error instanceof Error ? error.message : String(error);
        throw error;
      } finally {
        const now = performance.now();
        const runMs = startedAt === undefined ? undefined : now - startedAt;
        const { reportId } = options;
        const waitMs = (startedAt ?? now) - askedAt;
        observe({ workerKey, requesterIds, reportId, waitMs, runMs, outcome, failure, rowCount });
      }
    },
  };
}

/** Returns the number of rows if the result is one of a `run`. */
function rowCountOf(result: unknown): number | undefined {
  const { rows } = (result ?? {}) as Partial<Extract<JobResult, { kind: 'run' }>>;
  return rows?.rowCount;
}
