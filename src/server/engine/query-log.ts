import type { ObservedQuery } from './pool/observed-pool.ts';
import type { WorkerKey } from './pool/turns.ts';
import { deathCauses, type DeathCause, type WorkerDeath } from './pool/worker-death.ts';

type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (details: object, message: string) => void>>;

/** Logs what an operator should know about queries. */
export interface QueryLog {
  onQueryEnded(query: ObservedQuery): void;
  onWorkerDied(death: WorkerDeath, workerKey: WorkerKey): void;
}

/** Deaths that a query can cause by what it computes. The others are faults, or attacks. */
const causedByQueries: readonly DeathCause[] = [
  'memory_limit',
  'heap_full',
  'killed_by_system',
  'did_not_stop',
];

/**
 * Returns a log of queries that took `slowMs` or longer, that failed, and of workers that died. It never contains SQL or
 * values; the message of a failure, which can contain values, is only logged at the level `debug`.
 */
export function createQueryLog(log: Log, slowMs: number): QueryLog {
  return {
    onQueryEnded({ workerKey, requesterIds, reportId, waitMs, runMs, outcome, failure, rowCount }) {
      const ids = { ...idsOf(workerKey), reportId, userIds: requesterIds };
      const durationMs = runMs === undefined ? undefined : Math.round(runMs);
      const times = { durationMs, waitMs: Math.round(waitMs) };
      if (runMs !== undefined && runMs >= slowMs)
        log.info({ ...ids, ...times, rowCount, outcome }, 'A query was slow');
      // Its client has disconnected, or the server is stopping.
      if (outcome === 'ok' || outcome === 'cancelled') return;
      log.warn({ ...ids, ...times, code: outcome }, 'A query failed');
      log.debug({ ...ids, code: outcome, failure }, 'Why a query failed');
    },
    onWorkerDied({ cause, signal, exitCode }, workerKey) {
      const details = { cause, reason: deathCauses[cause], signal, exitCode, ...idsOf(workerKey) };
      if (causedByQueries.includes(cause)) log.warn(details, 'A query process died');
      else log.error(details, 'A query process died');
    },
  };
}

const idsOf = ({ organizationId, sourceId }: WorkerKey): object => ({
  organizationId,
  dataSourceId: sourceId,
});
