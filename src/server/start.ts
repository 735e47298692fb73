import { readdirSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { backupJobs } from './backup/jobs.ts';
import { lastBackupAt } from './backup/schedule.ts';
import { createCommandRunner } from './backup/run-command.ts';
import { createApp } from './app.ts';
import { hoursMs, minutesMs } from './base/clock.ts';
import { StartError } from './base/errors.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { queryDirectory } from './data-sources/tables/files.ts';
import { openTracesIfWanted } from './traces/open.ts';
import type { Traces } from './traces/traces.ts';
import { openS3FilesIfWanted } from './data-sources/tables/remote.ts';
import { claimSources } from './data-sources/ownership.ts';
import { readDescriptorLimit, type Descriptors } from './http/limits/connection-limit.ts';
import { createMailer } from './mail/mailer.ts';
import { fillCompileCache } from './engine/sandbox/compile-cache.ts';
import { describeIsolation, startSandbox } from './engine/sandbox/start-sandbox.ts';
import { openSecretBox, requireCorrectKey } from './root-keys.ts';
import { createLogDestination } from './logs/destination.ts';
import { toLines, toText, type Greeting } from './logs/greeting.ts';
import { errorDetails, logLine } from './logs/line.ts';
import { createSetUpToken, ensureFirstOwner } from './accounts/set-up.ts';
import { createTxtResolver } from './sso/domains/record.ts';
import { createMetricsServer } from './metrics/endpoint.ts';
import type { Metrics } from './metrics/metrics.ts';
import { lockDataDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { createJobLeases } from './storage/job-leases.ts';
import { findInstanceId } from './storage/instance.ts';
import { openDatabase } from './storage/open-database.ts';
import { maintenanceJobs } from './maintenance-jobs.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';

/** How long shutting down waits for in-flight requests at least, and after the drain. */
const stopWithinMs = 8_000;
const stopAfterDrainMs = 3_000;
/** Queries are cancelled this long before connections are closed, and the process exits this long after. */
const cancelEarlierMs = 1_000;
const exitLaterMs = 1_000;

const log = createLogDestination();

async function start(): Promise<void> {
  // If standard output or error can't be written, a warning of Node itself must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const settings = readSettings(process.env);
  const { dataDirectory } = settings;
  if (settings.databaseUrl === undefined || settings.tablesUrl !== undefined)
    lockDataDirectory(dataDirectory);
  const { version } = packageJson;
  const traces = await openTracesIfWanted(process.env, {
    version,
    onFailure: (error) => server.log.warn({ err: errorDetails(error) }, 'Traces could not be sent'),
  });
  const opened = await openDatabase(settings);
  const database = traces?.database(opened) ?? opened;
  await claimSources(database, dataDirectory);
  const s3Files = await openS3FilesIfWanted(database, settings);
  const secretBox = await openSecretBox(database, settings);
  const { unreadableCount } = await requireCorrectKey(database, secretBox);
  const begun = new AbortController();
  const isUrgent = new AbortController();
  const temporaryDirectory = queryDirectory(dataDirectory);
  const sandbox = await startSandbox(settings.querySandbox, { dataDirectory, temporaryDirectory });
  const resolveTxt = createTxtResolver(settings.dnsServers);
  const metrics = await createMetricsIfWanted(settings, version);
  const jobs = maintenanceJobs({
    dataDirectory,
    s3Files,
    database,
    clock: Date.now,
    resolveTxt,
    onQuarantined: ({ count, directory }) =>
      server.log.warn(
        { count, directory },
        'Files that do not belong to a table were moved to quarantine. They are deleted after seven days.',
      ),
  });
  const instanceId = (await findInstanceId(database)) ?? '';
  const { backupDirectory } = settings;
  const backups = backupJobs({
    schedule:
      backupDirectory === undefined
        ? undefined
        : {
            directory: backupDirectory,
            everyHours: settings.backupEveryHours,
            keepCount: settings.backupKeepCount,
          },
    instanceId,
    clock: Date.now,
    runCommand: createCommandRunner(process.execPath, process.env),
    onBackedUp: (directory) => server.log.info({ directory }, 'Made a backup'),
  });
  const allJobs = [...jobs, ...backups];
  const leases = createJobLeases(database, { leaseMs: minutesMs(1), everyMs: hoursMs(1) });
  const maintenance = createMaintenance(
    traces?.jobs(allJobs) ?? allJobs,
    { clock: Date.now, leases },
    ({ name }, error) => server.log.error({ err: error }, `A maintenance job failed: ${name}`),
  );
  const logger = { level: settings.logLevel, stream: log };
  const server: FastifyInstance = await createApp({
    settings,
    database,
    clock: Date.now,
    secretBox,
    resolveTxt,
    mailer: createMailer(settings, (error) => server.log.error({ err: error }, 'Could not send an email')),
    logger,
    version,
    process,
    shutdown: { begun: begun.signal, isUrgent: isUrgent.signal },
    sandbox,
    s3Files,
    descriptors: findDescriptors(),
    metrics,
    traces,
    jobs: maintenance.states,
    findLastBackup:
      backupDirectory === undefined ? undefined : () => lastBackupAt(backupDirectory, instanceId),
  });
  logNodeWarnings((details, message) => server.log.warn(details, message));
  const { firstOwner } = settings;
  if (firstOwner !== undefined)
    await ensureFirstOwner(database, Date.now, { name: firstOwner.email, ...firstOwner });
  const address = await listen(server, settings, settings.port, 'HOST, PORT');
  const servers = [server];
  if (metrics !== undefined && settings.metricsPort !== undefined) {
    const { publicUrl, trustedProxies, metricsToken, metricsPort } = settings;
    const metricsServer = createMetricsServer({ publicUrl, trustedProxies, logger }, metrics, metricsToken);
    await listen(metricsServer, settings, metricsPort, 'HOST, ATRIUM_METRICS_PORT');
    servers.push(metricsServer);
  }
  fillCompileCache(sandbox).catch((error: unknown) =>
    server.log.debug({ err: error }, 'Could not store the compiled code of query workers'),
  );
  const { level, message } = describeIsolation(sandbox.state);
  server.log[level]({ isolation: sandbox.state.kind }, message);
  if (unreadableCount > 0) {
    server.log.warn(
      `${unreadableCount} stored secrets are encrypted with a key that is not in ATRIUM_SECRET_KEY. Add the key, or enter the secrets again.`,
    );
  }
  maintenance.start();
  const drainMs = settings.drainSeconds * 1_000;
  stopOnSignals({ servers, database, traces, maintenance, begun, isUrgent, drainMs });
  const greeting = await createGreeting(settings, database, version, address);
  log.write(process.stdout.isTTY ? toText(greeting) : toLines(greeting));
  // Node would store it only at an orderly end, so a server that is always killed would compile at each start.
  flushCompileCache();
}

/**
 * Returns the limit and count of open files, or undefined on other systems than Linux. Node has raised the limit to its
 * maximum.
 */
function findDescriptors(): Descriptors | undefined {
  try {
    const limit = readDescriptorLimit(readFileSync('/proc/self/limits', 'utf8'));
    return limit === undefined ? undefined : { limit, openCount: readdirSync('/proc/self/fd').length };
  } catch {
    return undefined;
  }
}

/** prom-client is loaded only if it is used, so that the server starts faster without it. */
async function createMetricsIfWanted(
  { metricsPort, metricsToken, databaseUrl }: Settings,
  version: string,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined && metricsToken === undefined) return undefined;
  const { createMetrics } = await import('./metrics/metrics.ts');
  const database = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  return createMetrics(Date.now, { version, node_version: process.version, database });
}

/** `names` are the variables to name in the error. */
async function listen(
  server: FastifyInstance,
  { host }: Settings,
  port: number,
  names: string,
): Promise<string> {
  const { level } = server.log;
  try {
    // The greeting shows the address, so Fastify does not need to log it.
    server.log.level = 'silent';
    return await server.listen({ host, port });
  } catch (error) {
    throw new StartError(
      `${names}: Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    server.log.level = level;
  }
}

async function createGreeting(
  { publicUrl: url, dataDirectory }: Settings,
  database: Database,
  version: string,
  listening: string,
): Promise<Greeting> {
  const storage = database.engine === 'SQLite' ? `SQLite in ${dataDirectory}` : 'PostgreSQL';
  const token = await createSetUpToken(database, Date.now);
  const setUpLink = token === undefined ? undefined : `${url}/set-up#${token}`;
  return { version, url, listening, storage, setUpLink };
}

interface Stopped {
  readonly servers: readonly FastifyInstance[];
  readonly database: Database;
  readonly traces: Traces | undefined;
  readonly maintenance: Maintenance;
  readonly begun: AbortController;
  readonly isUrgent: AbortController;
  readonly drainMs: number;
}

/**
 * On SIGTERM, reports not ready but accepts requests for `drainMs`; then accepts no more, finishes those in flight,
 * closes the database, and exits with 0. SIGINT, usually from a person who is waiting, skips the drain, and so does a
 * second signal.
 */
function stopOnSignals(stopped: Stopped): void {
  const { servers, database, traces, maintenance, begun, isUrgent, drainMs } = stopped;
  const drained = new AbortController();
  const stop = async () => {
    const startedAt = performance.now();
    begun.abort();
    await delay(drainMs, undefined, { signal: drained.signal, ref: false }).catch(() => undefined);
    const closeAfterMs = Math.max(stopWithinMs - (performance.now() - startedAt), stopAfterDrainMs);
    setTimeout(() => isUrgent.abort(), closeAfterMs - cancelEarlierMs).unref();
    const closeAll = () => servers.forEach(({ server }) => server.closeAllConnections());
    setTimeout(closeAll, closeAfterMs).unref();
    // A transaction that still waits for a lock or a response then was never acknowledged.
    setTimeout(() => process.exit(0), closeAfterMs + exitLaterMs).unref();
    // Keep-alive connections are closed as soon as they are idle, so that they don't delay the shutdown.
    const closeIdle = () => servers.forEach(({ server }) => server.closeIdleConnections());
    setInterval(closeIdle, 50).unref();
    await Promise.all([...servers.map((server) => server.close()), maintenance.stop()]);
    await database.close();
    await traces?.close();
    process.exit(0);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (begun.signal.aborted || signal === 'SIGINT') drained.abort();
    if (!begun.signal.aborted) void stop().catch(fail);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

/** Ends the process, and says why: in the log, or as text if that is a terminal. */
function fail(error: unknown): void {
  const isStart = error instanceof StartError;
  const message = isStart ? 'Atrium could not start' : 'Atrium crashed';
  if (!process.stdout.isTTY) log.write(logLine('fatal', { err: errorDetails(error) }, message));
  if (process.stdout.isTTY || process.stderr.isTTY)
    process.stderr.write(
      isStart
        ? `${message}.\n${error.message}\n`
        : `${message}.\n${String(error instanceof Error ? error.stack : error)}\n`,
    );
  process.exit(1);
}

/** Warnings of Node, which it would otherwise write to standard error as text. */
function logNodeWarnings(warn: (details: object, message: string) => void): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => warn({ err: errorDetails(warning) }, 'Node.js warns'));
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
logNodeWarnings((details, message) => log.write(logLine('warn', details, message)));
start().catch(fail);
