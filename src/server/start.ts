import { flushCompileCache } from 'node:module';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { backupJobs } from './backup/jobs.ts';
import { lastBackupAt } from './backup/schedule.ts';
import { createCommandRunner } from './backup/run-command.ts';
import { createApp } from './app.ts';
import { crash, stopOnSignals } from './exit.ts';
import { hoursMs, minutesMs } from './base/clock.ts';
import { StartError } from './base/errors.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { queryDirectory } from './data-sources/tables/files.ts';
import { openTracesIfWanted } from './traces/open.ts';
import { openS3FilesIfWanted } from './data-sources/tables/remote.ts';
import { claimSources } from './data-sources/ownership.ts';
import { plainHttpRisk } from './settings/plain-http.ts';
import { findDescriptors } from './http/limits/connection-limit.ts';
import { findSharedHosts } from './organizations/networks/shared-hosts.ts';
import { createOutgoing } from './outgoing/outgoing.ts';
import { createMailer } from './mail/mailer.ts';
import { createMailTransport } from './mail/transport.ts';
import { fillCompileCache } from './engine/sandbox/compile-cache.ts';
import { describeIsolation, startSandbox } from './engine/sandbox/start-sandbox.ts';
import { openSecretBox, requireCorrectKey } from './root-keys.ts';
import { sealLogs } from './log-chain/seal.ts';
import { createLogDestination } from './logs/destination.ts';
import { toLines, toText, type Greeting } from './logs/greeting.ts';
import { errorDetails, logLine } from './logs/line.ts';
import { createSetUpToken, ensureFirstOwner } from './accounts/set-up.ts';
import { createTxtResolver } from './sso/domains/record.ts';
import { createIdentityProviders } from './sso/protocol/provider/identity-provider.ts';
import { createWorkloadIdentity } from './sso/workload/workload-identity.ts';
import { createRevalidation } from './sso/revalidation/runner.ts';
import { createMetricsServer } from './metrics/endpoint.ts';
import { openMetricsIfWanted } from './metrics/open.ts';
import { lockDataDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { createJobLeases } from './storage/job-leases.ts';
import { findInstanceId } from './storage/instance.ts';
import { openDatabase } from './storage/open-database.ts';
import { createWebhookSender } from './webhooks/sender.ts';
import { maintenanceJobs } from './maintenance-jobs.ts';
import { createMaintenance } from './maintenance.ts';

const log = createLogDestination();
const fail = (error: unknown): never => crash(log, error);

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
  await claimSources(database, dataDirectory, { hasLocalTables: settings.tablesUrl === undefined });
  const s3Files = await openS3FilesIfWanted(database, settings);
  const secretBox = await openSecretBox(database, settings);
  const { unreadableCount } = await requireCorrectKey(database, secretBox);
  const begun = new AbortController();
  const isUrgent = new AbortController();
  const temporaryDirectory = queryDirectory(dataDirectory);
  const sandbox = await startSandbox(settings.querySandbox, { dataDirectory, temporaryDirectory });
  const resolveTxt = createTxtResolver(settings.dnsServers);
  const metrics = await openMetricsIfWanted(settings, Date.now, { version, nodeVersion: process.version });
  const transport = createMailTransport(settings, (error) =>
    server.log.error({ err: error }, 'Could not send an email'),
  );
  const mailer = createMailer(transport, { database, clock: Date.now, limits: settings });
  const jobs = maintenanceJobs({
    dataDirectory,
    s3Files,
    database,
    clock: Date.now,
    secretBox,
    resolveTxt,
    mailer,
    publicUrl: settings.publicUrl,
    onQuarantined: ({ count, directory }) =>
      server.log.warn(
        { count, directory },
        'Files that do not belong to a table were moved to quarantine. They are deleted after seven days.',
      ),
    onOrganizationPurged: (organizationId) =>
      server.log.info({ organizationId }, 'Everything of a deleted organization was deleted.'),
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
  // One for the whole process, since it reads its file once at a time.
  const workloadIdentity = createWorkloadIdentity(settings, Date.now);
  const server: FastifyInstance = await createApp({
    settings,
    database,
    clock: Date.now,
    secretBox,
    workloadIdentity,
    resolveTxt,
    mailer,
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
  for (const shared of await findSharedHosts(database, settings))
    server.log.warn(`${shared.message} ${shared.remedy}`);
  const risk = plainHttpRisk(settings.publicUrl);
  if (risk !== undefined) server.log[risk.isLocal ? 'info' : 'warn'](`${risk.message} ${risk.remedy}`);
  if (unreadableCount > 0) {
    server.log.warn(
      `${unreadableCount} stored secrets are encrypted with a key that is not in ATRIUM_SECRET_KEY. Add the key, or enter the secrets again.`,
    );
  }
  maintenance.start();
  // What was recorded just before the last stop doesn't wait for the first run of the job.
  sealLogs({ database, clock: Date.now }, begun.signal).catch((error: unknown) =>
    server.log.error({ err: error }, 'Could not seal the entries of logs'),
  );
  const untraced = createOutgoing(settings.ssoPrivateHosts);
  const outgoing = traces?.outgoing(untraced) ?? untraced;
  const untracedToReceivers = createOutgoing(settings.webhookPrivateHosts);
  const webhooks = createWebhookSender({
    database,
    clock: Date.now,
    secretBox,
    outgoing: traces?.outgoing(untracedToReceivers) ?? untracedToReceivers,
    onFailure: (error) => server.log.error({ err: error }, 'Could not send events to webhooks'),
  });
  webhooks.start();
  const drainMs = settings.drainSeconds * 1_000;
  const revalidation = createRevalidation({
    database,
    clock: Date.now,
    secretBox,
    providers: createIdentityProviders(outgoing),
    workloadIdentity,
    publicUrl: settings.publicUrl,
    onFailure: (error) =>
      server.log.error({ err: error }, 'Could not check whether people may still sign in'),
  });
  revalidation.start();
  stopOnSignals(
    { servers, database, traces, maintenance, webhooks, revalidation, begun, isUrgent, drainMs },
    fail,
  );
  const greeting = await createGreeting(settings, database, version, address);
  log.write(process.stdout.isTTY ? toText(greeting) : toLines(greeting));
  // Node would store it only at an orderly end, so a server that is always killed would compile at each start.
  flushCompileCache();
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

/** Warnings of Node, which it would otherwise write to standard error as text. */
function logNodeWarnings(warn: (details: object, message: string) => void): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => warn({ err: errorDetails(warning) }, 'Node.js warns'));
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
logNodeWarnings((details, message) => log.write(logLine('warn', details, message)));
start().catch(fail);
