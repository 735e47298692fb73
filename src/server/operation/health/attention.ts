import type { Attention } from '#contract/operation.ts';
import type { HealthCheck } from '#contract/server.ts';
import { hoursMs, minutesMs, timestamp } from '../../base/clock.ts';
import type { SandboxState } from '../../engine/sandbox/sandbox.ts';
import { plainHttpRisk } from '../../settings/plain-http.ts';
import type { SharedHosts } from '../../organizations/networks/shared-hosts.ts';
import type { JobState } from '../../maintenance.ts';

/** What decides whether a maintenance job needs attention. */
export type WatchedJob = Pick<JobState, 'name' | 'remedy' | 'dueAt' | 'isRunning' | 'isFailing'>;

/** What is known about a server. */
export interface Observations {
  readonly now: number;
  readonly checks: readonly HealthCheck[];
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  readonly isolation: SandboxState;
  readonly publicUrl: string;
  readonly jobs: readonly WatchedJob[];
  /** How many query processes ended unexpectedly within the last hour. */
  readonly deadWorkerCount: number;
  /** How many files of uploaded tables are missing or damaged on S3-compatible storage. */
  readonly damagedTableCount: number;
  /** How many tokens and clients' credentials a restore has suspended, which nobody has confirmed or revoked yet. */
  readonly suspendedTokenCount: number;
  readonly sharedHosts: readonly SharedHosts[];
  /** Undefined if the server makes no backups by itself. `lastAt` is in milliseconds since 1970. */
  readonly backups?: { readonly everyHours: number; readonly lastAt: number | undefined } | undefined;
}

const lowDiskShare = 0.1;
const lateAfterMs = minutesMs(10);
const manyDeadWorkers = 3;

const isolationRisks = {
  separate_user:
    'Query processes can still reach the network and read files that every user of this machine can read.',
  none: 'A flaw in the query engine would let an attacker read everything that this server can read.',
} as const;

/** Returns the states in which a server works, but which someone should change, the most urgent first. */
export function findAttention(observations: Observations): Attention[] {
  return [
    ...observations.checks.filter(({ status }) => status === 'failed').map(fromCheck),
    ...observations.checks.filter(({ status }) => status === 'degraded').map(fromCheck),
    ...findLowDisk(observations),
    ...findDamagedTables(observations),
    ...findDeadWorkers(observations),
    ...observations.jobs.flatMap((job) => findJobProblem(job, observations.now)),
    ...findOldBackup(observations),
    ...findSuspendedTokens(observations),
    ...observations.sharedHosts.map((shared) => ({ code: 'shared_hosts', ...shared })),
    ...findWeakIsolation(observations),
    ...findPlainHttp(observations),
  ];
}

/** The detail of a check says what to do. */
const fromCheck = ({ name, detail = '' }: HealthCheck): Attention => ({ code: name, message: detail });

function findLowDisk({ disk, checks }: Observations): Attention[] {
  const { freeBytes, totalBytes } = disk;
  const isReported = checks.some(({ name, status }) => name === 'disk' && status !== 'ok');
  if (isReported || totalBytes === 0 || freeBytes / totalBytes >= lowDiskShare) return [];
  return [
    {
      code: 'disk_low',
      message: 'Less than a tenth of the disk of the data directory is free.',
      remedy: 'Free up space before uploads and saves fail.',
    },
  ];
}

function findDamagedTables({ damagedTableCount }: Observations): Attention[] {
  if (damagedTableCount === 0) return [];
  return [
    {
      code: 'tables_damaged',
      message: `Objects of uploaded tables that are missing or damaged: ${damagedTableCount}.`,
      remedy:
        'The log names them. Restore them from an older version of the bucket, or upload the tables again.',
    },
  ];
}

function findDeadWorkers({ deadWorkerCount }: Observations): Attention[] {
  if (deadWorkerCount < manyDeadWorkers) return [];
  return [
    {
      code: 'workers_died',
      message: `${deadWorkerCount} query processes ended unexpectedly within the last hour.`,
      remedy: 'Look for the cause in the log. If memory ran out, lower ATRIUM_QUERY_MEMORY_MB or add memory.',
    },
  ];
}

function findJobProblem(job: WatchedJob, now: number): Attention[] {
  const { name, remedy = 'Look for the cause in the log.', dueAt, isRunning, isFailing } = job;
  if (isFailing) return [{ code: 'job_failing', message: `A maintenance job fails: ${name}.`, remedy }];
  const isLate = !isRunning && dueAt !== undefined && now - dueAt > lateAfterMs;
  return isLate ? [{ code: 'job_late', message: `A maintenance job is late: ${name}.`, remedy }] : [];
}

function findOldBackup({ backups, now }: Observations): Attention[] {
  if (backups === undefined) return [];
  const { lastAt, everyHours } = backups;
  if (lastAt !== undefined && now - lastAt <= 2 * hoursMs(everyHours)) return [];
  const message =
    lastAt === undefined
      ? 'There is no backup without faults.'
      : `The last backup without faults is from ${timestamp(lastAt)}.`;
  return [
    { code: 'backup_old', message, remedy: 'Look for the cause in the log, and check ATRIUM_BACKUP_DIR.' },
  ];
}

function findSuspendedTokens({ suspendedTokenCount }: Observations): Attention[] {
  if (suspendedTokenCount === 0) return [];
  return [
    {
      code: 'tokens_suspended',
      message: `Tokens that don't work since the server was restored from a backup: ${suspendedTokenCount}.`,
      remedy:
        'The owners of each organization confirm those that were not revoked since, under Service accounts in its settings, and revoke the others.',
    },
  ];
}

function findWeakIsolation({ isolation }: Observations): Attention[] {
  const { kind, reason, remedy } = isolation;
  if (kind === 'bubblewrap') return [];
  const message = [isolationRisks[kind], reason].filter((text) => text !== undefined).join(' ');
  return [{ code: 'isolation', message, ...(remedy !== undefined && { remedy }) }];
}

function findPlainHttp({ publicUrl }: Observations): Attention[] {
  const risk = plainHttpRisk(publicUrl);
  return risk === undefined ? [] : [{ code: 'plain_http', message: risk.message, remedy: risk.remedy }];
}
