import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveAccountExport } from './account-export/routes.ts';
import { serveAccountDeletion } from './account-deletion/routes.ts';
import type { Clock } from './base/clock.ts';
import type { SecretBox } from './base/credentials/secret-box.ts';
import type { Settings } from './settings/settings.ts';
import { createTokenAuthentication, findValidTokens } from './credentials/authentication.ts';
import { countSuspendedTokens } from './credentials/suspension-store.ts';
import { serveCredentials } from './credentials/routes.ts';
import type { Actor } from './base/actor.ts';
import { findTokenCreator } from './credentials/tokens.ts';
import { createAuthorize } from './early-rights.ts';
import { endAccessOfPerson } from './end-access-of-person.ts';
import { endCredentials, endMembership } from './end-membership.ts';
import { serveComments } from './dashboards/comments/routes.ts';
import { serveDashboardDocuments } from './dashboards/documents/routes.ts';
import { createDashboardIndex } from './dashboards/listing/indexer.ts';
import { serveDashboardListing } from './dashboards/listing/routes.ts';
import { createDisplayAuthentication } from './dashboards/display/authentication.ts';
import { serveDisplays } from './dashboards/display/routes.ts';
import { serveDashboardEvents } from './dashboards/live/routes.ts';
import { serveDashboardResults } from './dashboards/results/routes.ts';
import { dashboardKind } from './dashboards/kind.ts';
import { findUsesOfReport, queueUsesOfReports, reportsOnDashboards } from './dashboards/uses.ts';
import { serveDashboards } from './dashboards/routes.ts';
import { createDashboardWatch } from './dashboards/live/watch.ts';
import { serveDataSources } from './data-sources/routes.ts';
import { findQueriedSource } from './data-sources/queried-sources.ts';
import { areFilesHeld } from './data-sources/tables/leases.ts';
import { createSourceFiles, queryDirectory } from './data-sources/tables/files.ts';
import type { S3Files } from './data-sources/tables/s3/s3-files.ts';
import { createUploadSlots } from './data-sources/tables/upload-quota.ts';
import { serveApiDocs } from './http/api-docs/page.ts';
import { watchEventLoop } from './http/limits/event-loop-watch.ts';
import { createRequestLimits } from './http/limits/request-limits.ts';
import { createWorkLimits } from './http/limits/work-limits.ts';
import { limitConnections, type Descriptors } from './http/limits/connection-limit.ts';
import { serveOtherMethods } from './http/other-methods.ts';
import { compressResponses } from './http/response/compression.ts';
import { createServe, type Authenticate } from './http/serve.ts';
import { createServer, type LoggerOptions } from './http/server.ts';
import { closeConnectionsAfter, type Shutdown } from './http/shutdown.ts';
import { serveWebApp } from './http/web-app.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import type { JobState } from './maintenance.ts';
import type { ReservingMailer } from './mail/mailer.ts';
import type { OnReportsHidden } from './folders/folders.ts';
import { serveFolders } from './folders/routes.ts';
import { readImage } from './images/images.ts';
import { serveImages } from './images/routes.ts';
import { serveModels } from './models/routes.ts';
import { serveMcp } from './mcp/routes.ts';
import { serveScim } from './scim/routes.ts';
import { serveOAuth } from './credentials/oauth/routes.ts';
import { serveMetrics } from './metrics/endpoint.ts';
import type { Metrics } from './metrics/metrics.ts';
import { serveOrganizations } from './organizations/routes.ts';
import { createDeadWorkerCount } from './operation/health/dead-workers.ts';
import { createHealthChecks } from './operation/health/checks.ts';
import { serveHealth } from './operation/health/routes.ts';
import { serveOperation } from './operation/operation-routes.ts';
import type { ProcessFacts } from './operation/server-state.ts';
import { serveProposals } from './proposals/routes.ts';
import { proposalTargets } from './proposals/targets.ts';
import { createQueryEngine } from './engine/query-engine.ts';
import { createQueryLog } from './engine/query-log.ts';
import { defaultLimits } from './engine/limits.ts';
import type { QuerySandbox } from './engine/sandbox/sandbox.ts';
import { serveExports } from './exports/routes.ts';
import { defaultExportLimits } from './exports/job.ts';
import { createExportSlots } from './exports/slots.ts';
import { createSpoolSpace } from './exports/spool.ts';
import { serveExplore } from './explore/routes.ts';
import { requireUnused, type FindUses } from './reports/reports.ts';
import { serveReports } from './reports/routes.ts';
import type { RunDependencies } from './reports/runs/runs.ts';
import { countSecrets } from './root-keys.ts';
import { createResults } from './results/results.ts';
import { findReportsOfSource } from './reports/uses.ts';
import { serveSample } from './sample/routes.ts';
import { createAttemptCounts } from './accounts/attempt-counts.ts';
import { createProxyWarning } from './accounts/proxy-warning.ts';
import { createAccessLog } from './access-log/access-log.ts';
import { serveSessions } from './accounts/routes.ts';
import { applySessionLimit } from './sessions/policy/policy.ts';
import { serveSessionPolicies } from './sessions/policy/routes.ts';
import { lockSession } from './sessions/locked-session.ts';
import { authenticate, countSessions, findOpenSessions } from './sessions/sessions.ts';
import type { Traces } from './traces/traces.ts';
import { createSignInLimits } from './accounts/sign-in-limits.ts';
import { serveAccessLog } from './organizations/logs/access-routes.ts';
import { serveLogStream } from './organizations/logs/stream-routes.ts';
import { serveAccessReview } from './access-review/routes.ts';
import { dataExportLimits } from './data-export/organization/limits.ts';
import { serveOrganizationExport } from './data-export/organization/routes.ts';
import { serveAudit } from './organizations/logs/audit-routes.ts';
import { createAddressCheck } from './outgoing/checked-addresses.ts';
import { createOutgoing, findUrlFault } from './outgoing/outgoing.ts';
import type { ResolveTxt } from './sso/domains/record.ts';
import { listSsoStates } from './sso/configuration/states.ts';
import { endAttemptsOfBrowser } from './sso/sign-in/attempts.ts';
import { createIdentityProviders } from './sso/protocol/provider/identity-provider.ts';
import type { WorkloadIdentity } from './sso/workload/workload-identity.ts';
import { readSignOut } from './sso/sign-out/id-tokens.ts';
import { serveLogout } from './sso/logout/routes.ts';
import { findLogoutUrl } from './sso/sign-out/sign-out.ts';
import { serveOrganizationDeletion } from './organization-deletion/routes.ts';
import { requireCheckedSession } from './sso/revalidation/runner.ts';
import { serveSso } from './sso/routes.ts';
import { serveWebhooks } from './webhooks/routes.ts';
import { resultsDirectory, sourcesDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';

const maxWatchedOrganizations = 500;

/** The parts that the server is composed of. */
export interface AppParts {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly workloadIdentity: WorkloadIdentity;
  readonly mailer: ReservingMailer;
  readonly resolveTxt: ResolveTxt;
  readonly logger: LoggerOptions;
  readonly version: string;
  readonly process: ProcessFacts & Pick<NodeJS.Process, 'threadCpuUsage'>;
  readonly shutdown: Shutdown;
  /** How query workers are isolated. */
  readonly sandbox: QuerySandbox;
  /** Undefined if uploaded tables are in the data directory. */
  readonly s3Files?: S3Files | undefined;
  /** If undefined, connections are not limited. */
  readonly descriptors?: Descriptors | undefined;
  /** If undefined, nothing is measured. */
  readonly metrics?: Metrics | undefined;
  /** If undefined, no traces are recorded. */
  readonly traces?: Traces | undefined;
  /** The maintenance jobs. */
  readonly jobs: () => readonly JobState[];
  /** Returns when the last backup without faults was made. If undefined, the server makes no backups by itself. */
  readonly findLastBackup?: (() => Promise<number | undefined>) | undefined;
}

/**
 * Returns the complete server, ready to listen or for injected requests. This is the only place that connects its
 * parts.
 */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { settings, database, clock, secretBox, workloadIdentity, mailer, resolveTxt, shutdown } = parts;
  const { metrics, traces } = parts;
  const { publicUrl, trustedProxies, entraAuthority, organizationCreation } = settings;
  const server = createServer({
    publicUrl,
    trustedProxies,
    logger: parts.logger,
    logsRequests: settings.logRequests,
    tracing: traces?.requests,
  });
  traces?.observeRequests(server);
  metrics?.observeRequests(server);
  watchEventLoop(server, parts.process);
  if (parts.descriptors !== undefined) limitConnections(server, parts.descriptors, defaultLimits.maxWorkers);
  compressResponses(server);
  serveApiDocs(server, parts.version);
  const authenticateToken: Authenticate = (token, client) => authenticate(database, clock, token, client);
  const authenticateBearer = createTokenAuthentication({ database, clock });
  const limitRequests = createRequestLimits({ clock, perMinute: settings.apiRequestsPerMinute });
  const { sessionRequestsPerMinute, processorMsPerMinute } = settings;
  const limitWork = createWorkLimits({ clock, sessionRequestsPerMinute, processorMsPerMinute });
  const serve = createServe(
    server,
    traces?.authenticate(authenticateToken) ?? authenticateToken,
    authenticateBearer,
    createDisplayAuthentication({ database, clock }),
    limitRequests,
    (actor) => requireCheckedSession(sso, actor),
    createAuthorize(database),
    limitWork,
  );

  const mebibytes = (count: number): number => count * 1024 ** 2;
  database.allowances.limits = {
    organization: {
      records: settings.organizationMaxRecords,
      bytes: mebibytes(settings.organizationContentMb),
    },
    person: { records: settings.personalMaxRecords, bytes: mebibytes(settings.personalContentMb) },
  };
  if (metrics !== undefined) database.allowances.onRefused = metrics.onQuotaRefused;
  const createOnce = createIdempotency(database, clock);
  const accessLog = createAccessLog(
    { database, clock },
    {
      onFailure: (error) =>
        server.log.error({ err: error }, 'Could not store who has viewed what. It is tried again.'),
      onLost: (count) =>
        server.log.error({ count }, 'Views are missing in data-access logs, since they could not be stored'),
    },
  );
  server.addHook('onClose', () => accessLog.close());
  const untraced = createOutgoing(settings.ssoPrivateHosts);
  const outgoing = traces?.outgoing(untraced) ?? untraced;
  server.addHook('onClose', () => outgoing.close());
  const isSecure = publicUrl.startsWith('https:');
  const signInLimits = createSignInLimits(
    createAttemptCounts(database, clock),
    createProxyWarning(clock, (details, message) => server.log.warn(details, message)),
    (reason, origin) => {
      metrics?.onSignInFailure(reason);
      server.log.warn({ reason, ...origin }, 'A sign-in failed');
    },
  );
  const sso = {
    database,
    clock,
    secretBox,
    entraAuthority,
    publicUrl,
    isSecure,
    signInLimits,
    providers: createIdentityProviders(outgoing, clock),
    workloadIdentity,
    resolveTxt,
  };
  serveSessions(serve, {
    database,
    clock,
    signInLimits,
    secretBox,
    mailer,
    publicUrl,
    isSecure,
    organizationCreation,
    readSignOut: (actor) => readSignOut(sso, actor),
    findLogoutUrl: (signOut) => findLogoutUrl(sso, signOut),
    endSignIns: (browserToken) => endAttemptsOfBrowser(database, browserToken),
    endAccessOfPerson,
  });
  serveOrganizations(serve, {
    database,
    clock,
    organizationCreation,
    maxOwnedOrganizations: settings.personalMaxOrganizations,
    publicUrl,
    mailer,
    createOnce,
    endMembership,
    applySessionLimit: (transaction, of) => applySessionLimit(transaction, clock, of),
  });
  serveOrganizationDeletion(serve, { database, clock, mailer, publicUrl, signInLimits });
  serveScim(server, {
    database,
    clock,
    publicUrl,
    authenticate: authenticateBearer,
    requestsPerMinute: settings.apiRequestsPerMinute,
    endMembership,
    endCredentials: endCredentials(clock),
    findCreator: findTokenCreator,
  });
  serveSessionPolicies(serve, { database, clock });
  serveCredentials(serve, { database, clock, publicUrl, createOnce });
  serveOAuth(server, { database, clock, publicUrl });
  serveAudit(serve, { database, accessLog });
  serveAccessLog(serve, { database, clock, accessLog });
  serveLogStream(serve, { database, clock, accessLog });
  serveAccessReview(serve, { database, clock });
  serveSso(serve, { ...sso, createOnce });
  serveLogout(server, sso);
  serveWebhooks(serve, {
    database,
    clock,
    createOnce,
    secretBox,
    findUrlFault: (url, organizationId) => findUrlFault(settings.webhookPrivateHosts, url, organizationId),
  });
  const queryLog = createQueryLog(server.log, settings.slowQuerySeconds * 1_000);
  const deadWorkers = createDeadWorkerCount(clock);
  const engine = createQueryEngine({
    sandbox: parts.sandbox,
    limits: {
      timeoutMs: settings.queryTimeoutSeconds * 1_000,
      maxRows: settings.queryMaxRows,
      memoryBytes: settings.queryMemoryMb * 1024 * 1024,
    },
    temporaryDirectory: queryDirectory(settings.dataDirectory),
    trustedCertificates: settings.trustedCertificates,
    onQueryEnded: (query) => {
      metrics?.onQueryEnded(query);
      traces?.onQueryEnded(query);
      queryLog.onQueryEnded(query);
    },
    onWorkerDied: (death, workerKey) => {
      deadWorkers.add();
      metrics?.onWorkerDied(death);
      queryLog.onWorkerDied(death, workerKey);
    },
    onStartFailure: (error) =>
      server.log.error(
        { err: error, descriptorLimit: parts.descriptors?.limit },
        'Could not start a query process. EMFILE means that the limit of open files (RLIMIT_NOFILE) is too low.',
      ),
  });
  server.addHook('onClose', () => engine.close());
  shutdown.isUrgent.addEventListener('abort', () => void engine.close());
  const { s3Files } = parts;
  const files = createSourceFiles(
    {
      directory: s3Files?.directory ?? sourcesDirectory(settings.dataDirectory),
      remote: s3Files,
      isHeld: (organizationId) => areFilesHeld(database, clock, organizationId),
    },
    (error) => server.log.error({ err: error }, 'Could not remove a file of a table'),
  );
  s3Files?.listen({
    began: (error) => server.log.error({ err: error }, 'The storage of uploaded tables is not available'),
    ended: () => server.log.warn('Resolved: The storage of uploaded tables is not available'),
    damaged: (key, error) =>
      server.log.error({ err: error, key }, 'An object of an uploaded table is missing or damaged'),
  });
  server.addHook('onClose', async () => files.close());
  const findAddresses = createAddressCheck(settings.sourcePrivateHosts);
  const reach = { secretBox, findAddresses, files };
  const uploads = { slots: createUploadSlots(), maxOrganizationBytes: settings.uploadsMb * 1024 ** 2 };
  serveDataSources(serve, {
    database,
    clock,
    accessLog,
    secretBox,
    engine,
    files,
    findAddresses,
    findUses: findReportsOfSource,
    createOnce,
    ...uploads,
  });
  serveModels(serve, { database, clock });
  serveImages(serve, { database, clock });
  serveDashboards(serve, { database, clock, accessLog, createOnce });
  serveComments(serve, { database, clock, createOnce, mailer, publicUrl });
  serveDashboardDocuments(serve, { database, clock, accessLog });
  const dashboardIndex = createDashboardIndex(database, (error) =>
    server.log.error({ err: error }, 'Could not update the index of dashboards'),
  );
  server.addHook('onClose', () => dashboardIndex.close());
  serveDashboardListing(serve, { database, clock, index: dashboardIndex });
  const results = createResults({
    engine,
    clock,
    directory: resultsDirectory(settings.dataDirectory),
    onFound: metrics?.onResultFound,
    onDiskFailure: (error) =>
      server.log.warn(
        { err: error },
        'The file of a cached result could not be written or read. The result is computed again.',
      ),
  });
  server.addHook('onClose', () => results.close());
  const runs = {
    database,
    clock,
    accessLog,
    engine,
    getResult: results.getResult,
    findSource: (...asked: Parameters<RunDependencies['findSource']>) => findQueriedSource(reach, ...asked),
  };
  const findUses: FindUses = (...asked) => findUsesOfReport({ database, index: dashboardIndex }, ...asked);
  const reportKind = reportsOnDashboards(database);
  serveReports(serve, { ...runs, findUses, kind: reportKind, createOnce });
  const targets = proposalTargets(reportKind);
  serveProposals(serve, { database, clock, targets, createOnce });
  const folders = {
    database,
    clock,
    onReportsHidden: (...hidden: Parameters<OnReportsHidden>) => queueUsesOfReports(database, ...hidden),
    kinds: {
      dashboard: { kind: dashboardKind },
      report: {
        kind: reportKind,
        requireUnused: (actor: Actor, id: string) => requireUnused({ database, findUses }, actor, id),
      },
    },
  };
  serveFolders(serve, { ...folders, createOnce });
  serveAccountExport(serve, { database, clock });
  serveAccountDeletion(serve, {
    database,
    clock,
    mailer,
    publicUrl,
    isSecure,
    endMembership,
    reportKind,
    findSourceUses: findReportsOfSource,
    folders,
  });
  serveDashboardResults(serve, runs);
  serveDisplays(serve, { ...runs, readImage, lockSession });
  serveExports(serve, {
    ...runs,
    publicUrl: settings.publicUrl,
    slots: createExportSlots(defaultExportLimits),
    space: createSpoolSpace(),
    worker: {
      sandbox: parts.sandbox,
      limits: defaultExportLimits,
      temporaryDirectory: queryDirectory(settings.dataDirectory),
    },
  });
  serveOrganizationExport(serve, {
    database,
    clock,
    accessLog,
    mailer,
    files,
    slots: createExportSlots(dataExportLimits),
  });
  serveExplore(serve, runs);
  serveMcp(server, {
    ...runs,
    ...reach,
    targets,
    index: dashboardIndex,
    publicUrl,
    version: parts.version,
    authenticate: authenticateBearer,
    limitRequests,
    limitWork,
  });
  const watch = createDashboardWatch({
    database,
    clock,
    findOpenCredentials: async (ids) => {
      const open = await findOpenSessions(database, clock, ids);
      for (const id of await findValidTokens(database, clock, ids)) open.set(id, []);
      return open;
    },
    onFailure: (what, error) =>
      what === 'check'
        ? server.log.error({ err: error }, 'Could not send changes of dashboards')
        : server.log.warn({ err: error }, 'Changes by other processes are sent with a delay'),
  });
  server.addHook('preClose', () => watch.close());
  serveDashboardEvents(serve, { database, clock, watch });
  serveSample(serve, { database, clock, files, ...uploads });
  closeConnectionsAfter(server, shutdown.begun);
  const stopLoggingFaults = database.onFault({
    began: (fault, error) => server.log.error({ err: error, fault: fault.code }, fault.detail),
    ended: (fault) => server.log.warn({ fault: fault.code }, `Resolved: ${fault.detail}`),
  });
  server.addHook('onClose', async () => stopLoggingFaults());
  const runChecks = createHealthChecks({
    database,
    clock,
    dataDirectory: settings.dataDirectory,
    isStopping: () => shutdown.begun.aborted,
    isTableStorageReachable: () => s3Files?.state().isReachable ?? true,
    countSecrets: () => countSecrets(database, secretBox),
  });
  serveHealth(serve, runChecks);
  serveOperation(serve, {
    database,
    clock,
    engine,
    settings,
    version: parts.version,
    process: parts.process,
    isolation: parts.sandbox.state,
    runChecks,
    jobs: parts.jobs,
    countDeadWorkers: deadWorkers.count,
    countSuspendedTokens: () => countSuspendedTokens(database),
    countDamagedTables: () => s3Files?.state().damagedCount ?? 0,
    findLastBackup: parts.findLastBackup,
    log: server.log,
    requestLog: server.requestLog,
  });
  if (metrics !== undefined) {
    database.onCommit(metrics.onCommit);
    metrics.watch({
      database,
      engine,
      clock,
      dataDirectory: settings.dataDirectory,
      isReady: async () => (await runChecks()).every(({ status }) => status !== 'failed'),
      countSessions: () => countSessions(database, clock()),
      listSsoStates: () => listSsoStates(sso, maxWatchedOrganizations),
      jobs: parts.jobs,
      findLastBackup: parts.findLastBackup,
    });
    if (settings.metricsPort === undefined) serveMetrics(server, metrics, settings.metricsToken);
  }
  serveOtherMethods(server);
  await serveWebApp(server, join(import.meta.dirname, '..', '..', 'dist', 'web'));
  await server.ready();
  return server;
}
