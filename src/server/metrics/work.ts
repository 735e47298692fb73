import type { QueryObserver } from '../engine/pool/observed-pool.ts';
import { deathCauses, type WorkerDeath } from '../engine/pool/worker-death.ts';
import type { CommitListener } from '../storage/database.ts';
import { createCounter, createHistogram, createLabelLimit, type Metric } from './series.ts';

const commitBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const groupBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const queryBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];
const maxSources = 100;

/** Counts what happens between scrapes. Each function is given to the part that calls it. */
export interface WorkMetrics {
  readonly metrics: readonly Metric[];
  readonly onCommit: CommitListener;
  readonly onQueryEnded: QueryObserver;
  readonly onWorkerDied: (death: WorkerDeath) => void;
  readonly onResultFound: (isFromCache: boolean) => void;
  /** `reason` is one of a few words. */
  readonly onSignInFailure: (reason: string) => void;
  readonly onQuotaRefused: (quota: 'records' | 'bytes') => void;
}

export function createWorkMetrics(): WorkMetrics {
  const commits = createHistogram(
    'atrium_database_commit_duration_seconds',
    'Time of a commit until it is on disk.',
    commitBounds,
  );
  const groups = createHistogram(
    'atrium_database_commit_writes',
    'Writes that shared a commit.',
    groupBounds,
  );
  const waits = createHistogram(
    'atrium_query_queue_wait_seconds',
    'Time that a query waited for a process.',
    queryBounds,
  );
  const durations = createHistogram(
    'atrium_query_duration_seconds',
    'Time of a query in its process, by the ID of its data source.',
    queryBounds,
  );
  const queries = createCounter('atrium_queries_total', 'Queries that have ended, by outcome.');
  const deaths = createCounter(
    'atrium_query_worker_deaths_total',
    'Query processes that ended unexpectedly.',
  );
  const lookups = createCounter(
    'atrium_result_cache_lookups_total',
    'Results that were looked up in the cache.',
  );
  const failures = createCounter('atrium_sign_in_failures_total', 'Failed sign-ins.');
  const refusals = createCounter('atrium_quota_refusals_total', 'Writes that a quota refused.');
  for (const quota of ['records', 'bytes']) refusals.series({ quota });
  // From the start, so that the first death is an increase.
  for (const cause of Object.keys(deathCauses)) deaths.series({ cause });
  const observeCommit = commits.series({});
  const observeGroup = groups.series({});
  const observeWait = waits.series({});
  const hits = lookups.series({ result: 'hit' });
  const misses = lookups.series({ result: 'miss' });
  const limitSource = createLabelLimit(maxSources);
  const vectors = [commits, groups, waits, durations, queries, deaths, lookups, failures, refusals];
  return {
    metrics: vectors.map(({ metric }) => metric),
    onCommit: (writeCount, durationMs) => {
      observeCommit(durationMs / 1_000);
      observeGroup(writeCount);
    },
    onQueryEnded: ({ workerKey, waitMs, runMs, outcome }) => {
      const engine = workerKey.source.engine?.folder ?? 'import';
      queries.series({ engine, outcome }).value += 1;
      observeWait(waitMs / 1_000);
      if (runMs === undefined) return;
      const source = workerKey.sourceId === undefined ? 'none' : limitSource(workerKey.sourceId);
      durations.series({ engine, source })(runMs / 1_000);
    },
    onWorkerDied: ({ cause }) => {
      deaths.series({ cause }).value += 1;
    },
    onResultFound: (isFromCache) => {
      (isFromCache ? hits : misses).value += 1;
    },
    onQuotaRefused: (quota) => {
      refusals.series({ quota }).value += 1;
    },
    onSignInFailure: (reason) => {
      failures.series({ reason }).value += 1;
    },
  };
}
