import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseFault } from '#contract/server.ts';
import type { Clock } from '../base/clock.ts';
import { minutesMs } from '../base/clock.ts';
import type { QueryEngine } from '../engine/query-engine.ts';
import type { Database } from '../storage/database.ts';
import { createReading } from '../base/reading.ts';
import type { Labels, Metric, Sample } from './series.ts';

/** What is read when metrics are scraped. */
export interface WatchedServer {
  readonly database: Pick<Database, 'check' | 'usage' | 'allowances'>;
  readonly engine: Pick<QueryEngine, 'workers' | 'waiting'>;
  readonly clock: Clock;
  readonly dataDirectory: string;
  readonly isReady: () => Promise<boolean>;
  readonly countSessions: () => Promise<number>;
  readonly listSsoStates: () => Promise<readonly { organizationId: string; state: string }[]>;
  readonly jobs: () => readonly WatchedJob[];
  /** Undefined if the server makes no backups by itself. */
  readonly findLastBackup: (() => Promise<number | undefined>) | undefined;
}

/** Times are in milliseconds since 1970. */
export interface WatchedJob {
  readonly name: string;
  readonly dueAt: number | undefined;
  readonly isRunning: boolean;
  readonly succeededAt: number | undefined;
  readonly lastDurationMs: number | undefined;
  readonly failureCount: number;
}

const soonMs = 5_000;
const ssoStates = ['ready', 'failing', 'blocked'] as const;
const faultCodes: readonly DatabaseFault['code'][] = [
  'unreadable',
  'not_writable',
  'read_only',
  'not_permitted',
];

/** Returns the metrics of the state of a server. What can't be read at the moment has no samples. */
export function createStateMetrics(server: WatchedServer): readonly Metric[] {
  return [
    ...databaseMetrics(server),
    ...queryMetrics(server),
    quotaMetric(server),
    ...peopleMetrics(server),
    ...jobMetrics(server),
    ...diskMetrics(server),
  ];
}

function databaseMetrics({ database, clock, isReady }: WatchedServer): Metric[] {
  const readFaults = createReading(clock, soonMs, database.check);
  const readReady = createReading(clock, soonMs, isReady);
  return [
    gauge('atrium_ready', 'Whether the server reports that it can serve requests.', async () => [
      sample((await readReady()) === true ? 1 : 0),
    ]),
    gauge('atrium_database_up', 'Whether the database responds.', async () => [
      sample((await readFaults()) === undefined ? 0 : 1),
    ]),
    gauge('atrium_database_fault', 'Current faults of the database.', async () => {
      const faults = await readFaults();
      if (faults === undefined) return [];
      return faultCodes.map((code) => sample(faults.some((fault) => fault.code === code) ? 1 : 0, { code }));
    }),
    gauge('atrium_database_connections', 'Connections to the database in use.', () =>
      database.usage().pools.map(({ name, usedCount }) => sample(usedCount, { pool: name })),
    ),
    gauge('atrium_database_waiting', 'Reads and writes that wait for a connection to the database.', () =>
      database.usage().pools.map(({ name, waitingCount }) => sample(waitingCount, { pool: name })),
    ),
    gauge('atrium_database_wal_bytes', 'Size of the write-ahead log of the embedded database.', () =>
      known(database.usage().walBytes),
    ),
  ];
}

function queryMetrics({ engine, clock }: WatchedServer): Metric[] {
  const readSpill = createReading(clock, soonMs, async () => {
    const sizes = await Promise.all(
      engine.workers().map(({ directory }) => sizeOf(join(directory, 'spill'))),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  });
  return [
    gauge('atrium_query_workers', 'Query processes.', () => {
      const workers = engine.workers();
      const busyCount = workers.filter(({ isBusy }) => isBusy).length;
      return [sample(busyCount, { state: 'running' }), sample(workers.length - busyCount, { state: 'idle' })];
    }),
    gauge('atrium_query_queue_length', 'Queries that wait for a process.', () => [sample(engine.waiting())]),
    gauge('atrium_query_spill_bytes', 'Disk space of intermediate results of running queries.', async () =>
      known(await readSpill()),
    ),
  ];
}

/** Of the fullest only, since there is no limit to the number of organizations. Scrapes measure nothing themselves. */
const quotaMetric = ({ database: { allowances } }: WatchedServer): Metric =>
  gauge(
    'atrium_quota_used_ratio',
    'How much of a quota the organization, or person, uses that uses the most, of those measured in the last hour.',
    () =>
      Object.entries(allowances.fullest()).flatMap(([tenant, used]) =>
        Object.entries(used).map(([quota, value]) => sample(value, { tenant, quota })),
      ),
  );

function peopleMetrics({ clock, countSessions, listSsoStates }: WatchedServer): Metric[] {
  const readSessions = createReading(clock, minutesMs(1), countSessions);
  const readSsoStates = createReading(clock, minutesMs(1), listSsoStates);
  return [
    gauge('atrium_sessions', 'Open sessions, up to 100,000.', async () => known(await readSessions())),
    gauge(
      'atrium_sso_state',
      'State of single sign-on of each organization that has turned it on, up to 500: 1 for the current state.',
      async () =>
        (await readSsoStates())?.flatMap(({ organizationId, state: current }) =>
          ssoStates.map((state) =>
            sample(state === current ? 1 : 0, { organization: organizationId, state }),
          ),
        ) ?? [],
    ),
  ];
}

function jobMetrics({ jobs, clock, findLastBackup }: WatchedServer): Metric[] {
  const readLastBackup = createReading(clock, minutesMs(1), async () => findLastBackup?.());
  const ofEach = (valueOf: (job: WatchedJob) => number | undefined) => () =>
    jobs().flatMap((job) => known(valueOf(job), { task: job.name }));
  return [
    gauge(
      'atrium_maintenance_lateness_seconds',
      'Time since a maintenance job was to start, while it has not started.',
      ofEach(({ dueAt, isRunning }) =>
        dueAt === undefined || isRunning ? 0 : Math.max(0, clock() - dueAt) / 1_000,
      ),
    ),
    gauge(
      'atrium_maintenance_last_duration_seconds',
      'Duration of the last run of a maintenance job.',
      ofEach(({ lastDurationMs }) => lastDurationMs && lastDurationMs / 1_000),
    ),
    gauge(
      'atrium_maintenance_last_success_timestamp_seconds',
      'When a maintenance job last succeeded.',
      ofEach(({ succeededAt }) => succeededAt && succeededAt / 1_000),
    ),
    gauge(
      'atrium_backup_last_success_timestamp_seconds',
      'When the last backup without faults was made; absent if there is none.',
      async () => {
        const lastAt = await readLastBackup();
        return known(lastAt && lastAt / 1_000);
      },
    ),
    {
      name: 'atrium_maintenance_failures_total',
      help: 'Failed runs of a maintenance job.',
      type: 'counter',
      read: ofEach(({ failureCount }) => failureCount),
    },
  ];
}

function diskMetrics({ dataDirectory, clock }: WatchedServer): Metric[] {
  const readDisk = createReading(clock, soonMs, () => statfs(dataDirectory));
  return [
    gauge('atrium_disk_free_bytes', 'Free space on the disk of the data directory.', async () => {
      const disk = await readDisk();
      return known(disk && disk.bavail * disk.bsize);
    }),
    gauge('atrium_disk_size_bytes', 'Size of the disk of the data directory.', async () => {
      const disk = await readDisk();
      return known(disk && disk.blocks * disk.bsize);
    }),
  ];
}

const gauge = (name: string, help: string, read: Metric['read']): Metric => ({
  name,
  help,
  type: 'gauge',
  read,
});

const sample = (value: number, labels: Labels = {}): Sample => ({ labels, value });

const known = (value: number | undefined, labels?: Labels): Sample[] =>
  value === undefined ? [] : [sample(value, labels)];

/** Returns the size of the files in a directory; 0 if it doesn't exist. */
async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
