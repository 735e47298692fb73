import { statfs } from 'node:fs/promises';
import type { LogLevel, ServerState } from '#contract/operation.ts';
import type { HealthCheck } from '#contract/server.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import type { Settings } from '../settings/settings.ts';
import { findSharedHosts } from '../organizations/networks/shared-hosts.ts';
import { requireOperator } from '../organizations/operators.ts';
import type { QueryEngine } from '../engine/query-engine.ts';
import type { SandboxState } from '../engine/sandbox/sandbox.ts';
import type { Database } from '../storage/database.ts';
import { findAttention, type WatchedJob } from './health/attention.ts';
import { settingsInEffect } from './settings-in-effect.ts';

/** Facts about the process. */
export interface ProcessFacts {
  /** The version of Node.js, such as `v26.1.0`. */
  readonly version: string;
  uptime(): number;
  memoryUsage(): { readonly rss: number };
}

/** The log of the process, whose level can be changed while it runs. */
export interface ProcessLog {
  level: string;
  warn(details: object, message: string): void;
}

/** Dependencies of reading and changing the state of the server. */
export interface OperationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly engine: Pick<QueryEngine, 'workers' | 'waiting'>;
  readonly settings: Settings;
  readonly version: string;
  readonly process: ProcessFacts;
  readonly log: ProcessLog;
  readonly requestLog: { isOn: boolean };
  readonly isolation: SandboxState;
  readonly runChecks: () => Promise<HealthCheck[]>;
  readonly jobs: () => readonly WatchedJob[];
  /** Returns how many query processes ended unexpectedly within the last hour. */
  readonly countDeadWorkers: () => number;
  /** Returns how many files of uploaded tables are missing or damaged on S3-compatible storage. */
  readonly countDamagedTables: () => number;
  /** Returns how many tokens a restore has suspended that nobody has confirmed or revoked yet. */
  readonly countSuspendedTokens: () => Promise<number>;
  /** Returns when the last backup without faults was made; undefined if the server makes no backups by itself. */
  readonly findLastBackup: (() => Promise<number | undefined>) | undefined;
}

/** Returns the state of the server. For operators. */
export async function getServerState(
  dependencies: OperationDependencies,
  actor: Actor,
): Promise<ServerState> {
  const { database, clock, engine, settings, version, process, log, requestLog, isolation } = dependencies;
  await requireOperator(database, actor);
  const path = settings.dataDirectory;
  const { findLastBackup } = dependencies;
  const [disk, responseMs, checks, suspendedTokenCount, sharedHosts, lastBackupAt] = await Promise.all([
    statfs(path),
    timeDatabase(database),
    dependencies.runChecks(),
    dependencies.countSuspendedTokens(),
    findSharedHosts(database, settings),
    // A directory that can't be read has no backup.
    findLastBackup?.().catch(() => undefined),
  ]);
  const workers = engine.workers();
  const space = { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
  return {
    attention: findAttention({
      now: clock(),
      checks,
      disk: space,
      isolation,
      publicUrl: settings.publicUrl,
      jobs: dependencies.jobs(),
      deadWorkerCount: dependencies.countDeadWorkers(),
      damagedTableCount: dependencies.countDamagedTables(),
      suspendedTokenCount,
      sharedHosts,
      backups: findLastBackup && { everyHours: settings.backupEveryHours, lastAt: lastBackupAt },
    }),
    version,
    nodeVersion: process.version,
    startedAt: timestamp(clock() - Math.round(process.uptime() * 1_000)),
    // Sound because it is only ever set to one of the contract's.
    logLevel: log.level as LogLevel,
    logRequests: requestLog.isOn,
    memoryBytes: process.memoryUsage().rss,
    database: { engine: database.engine, responseMs },
    dataDirectory: { path, ...space },
    queries: {
      running: workers.filter(({ isBusy }) => isBusy).length,
      waiting: engine.waiting(),
      processes: workers.length,
      isolation: { ...isolation },
    },
    settings: settingsInEffect(settings),
  };
}

/** What can be changed about the log while the server runs. */
export interface LogChange {
  readonly logLevel?: LogLevel;
  readonly logRequests?: boolean;
}

/** Changes what this process logs until its next start. For operators. */
export async function changeLog(
  dependencies: OperationDependencies,
  actor: Actor,
  { logLevel, logRequests }: LogChange,
): Promise<ServerState> {
  const { database, log, requestLog } = dependencies;
  await requireOperator(database, actor);
  const { userId } = actor;
  if (logRequests !== undefined) {
    log.warn({ userId, before: requestLog.isOn, after: logRequests }, 'The log of requests was changed');
    requestLog.isOn = logRequests;
  }
  if (logLevel !== undefined) {
    // Logged at the more verbose level, so that the log shows why it becomes silent.
    log.warn({ userId, before: log.level, after: logLevel }, 'The log level was changed');
    log.level = logLevel;
  }
  return getServerState(dependencies, actor);
}

async function timeDatabase(database: Database): Promise<number> {
  const startedAt = performance.now();
  await database.check();
  return performance.now() - startedAt;
}
