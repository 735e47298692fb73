import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { StartError } from './base/errors.ts';
import { createSecretBox } from './base/secret-box.ts';
import { readSettings, type Settings } from './config.ts';
import { purgeOldDashboards } from './dashboards/dashboard-bin.ts';
import { sweepEditors } from './dashboards/dashboard-editors.ts';
import { queryDirectory, sourcesDirectory } from './data-sources/source-files.ts';
import { sweepSourceFiles, sweepSpilled } from './data-sources/source-sweep.ts';
import { createMailer } from './mail/mailer.ts';
import { purgeOldReports } from './reports/report-bin.ts';
import { sweepSessions } from './sessions/sessions.ts';
import { createSetUpToken, ensureFirstOwner } from './sessions/set-up.ts';
import { createTxtResolver, type ResolveTxt } from './sso/domain-record.ts';
import { recheckDomains } from './sso/sso-domain-checks.ts';
import { sweepSignIns } from './sso/sso-sweep.ts';
import type { Database } from './storage/database.ts';
import { openDatabase } from './storage/open-database.ts';
import { readOrCreateSecretKey } from './storage/secret-key-file.ts';
import { startTidying, type Tidying, type TidyingJob } from './tidying.ts';

/** After this long a stop no longer waits for requests under way, nor, a little later, for the database. */
const stopWithinMs = 8_000;
const exitWithinMs = 9_000;

async function start(): Promise<void> {
  // Every file made here is for its owner alone, whatever directory it is in.
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile();
  const settings = readSettings(process.env);
  const secretBox = createSecretBox(settings.secretKeys ?? [readOrCreateSecretKey(settings.dataDirectory)]);
  const database = await openDatabase(settings);
  const resolveTxt = createTxtResolver(settings.dnsServers);
  const { version } = packageJson;
  const server: FastifyInstance = await createApp({
    settings,
    database,
    clock: Date.now,
    secretBox,
    resolveTxt,
    sendMail: createMailer(settings, (error) => server.log.error({ err: error }, 'A mail could not be sent')),
    logger: { level: settings.logLevel },
    version,
  });
  const { firstOwner } = settings;
  if (firstOwner !== undefined)
    await ensureFirstOwner(database, Date.now, { name: firstOwner.email, ...firstOwner });
  const address = await listen(server, settings);
  const tidying = startTidying(tidyingJobs(settings, database, resolveTxt), ({ name }, error) =>
    server.log.error({ err: error }, `The tidying of ${name} failed`),
  );
  stopOnSignals(server, database, tidying);
  await greet(settings, database, version, address);
}

async function listen(server: FastifyInstance, { host, port }: Settings): Promise<string> {
  const { level } = server.log;
  try {
    // The greeting tells the address; Fastify's own line about it would come between.
    server.log.level = 'silent';
    return await server.listen({ host, port });
  } catch (error) {
    throw new StartError(
      `HOST, PORT: ${host}:${port} cannot be listened on: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    server.log.level = level;
  }
}

async function greet(
  settings: Settings,
  database: Database,
  version: string,
  address: string,
): Promise<void> {
  const place = database.engine === 'SQLite' ? `SQLite in ${settings.dataDirectory}` : 'PostgreSQL';
  const lines = [
    `Atrium ${version}`,
    `  people use   ${settings.publicUrl}`,
    `  listens on   ${address}`,
    `  keeps data   ${place}`,
  ];
  const token = await createSetUpToken(database, Date.now);
  if (token !== undefined) {
    lines.push(
      '',
      'Nobody has an account yet. Create the first owner here, once, within a day:',
      `  ${settings.publicUrl}/set-up#${token}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** What is forgotten once it has ended, and what is asked again. */
function tidyingJobs(settings: Settings, database: Database, resolveTxt: ResolveTxt): TidyingJob[] {
  return [
    { name: 'sessions that have ended', run: () => sweepSessions(database, Date.now) },
    {
      name: 'the bin of dashboards',
      run: (stopped) => purgeOldDashboards(database, Date.now, stopped),
    },
    { name: 'the bin of reports', run: (stopped) => purgeOldReports(database, Date.now, stopped) },
    { name: 'those who were editing', run: () => sweepEditors(database, Date.now) },
    {
      name: 'the files of tables',
      run: async (stopped) => {
        await sweepSpilled(Date.now, queryDirectory(settings.dataDirectory));
        await sweepSourceFiles(database, Date.now, sourcesDirectory(settings.dataDirectory), stopped);
      },
    },
    { name: 'sign-ins that never came back', run: () => sweepSignIns(database, Date.now) },
    {
      name: 'proofs of domains',
      run: (stopped) =>
        recheckDomains(database, Date.now, async (name) =>
          stopped.aborted ? { failure: 'The server stops' } : resolveTxt(name),
        ),
    },
  ];
}

/** SIGTERM and SIGINT: takes no more requests, finishes those under way, closes the database, and exits with 0. */
function stopOnSignals(server: FastifyInstance, database: Database, tidying: Tidying): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    // A connection that is kept alive goes once nothing is under way on it, so that it does not hold the stop.
    setInterval(() => server.server.closeIdleConnections(), 50).unref();
    setTimeout(() => server.server.closeAllConnections(), stopWithinMs).unref();
    // A transaction that still waits then, for a lock or an answer, was acknowledged to nobody.
    setTimeout(() => process.exit(0), exitWithinMs).unref();
    await Promise.all([server.close(), tidying.stop()]);
    await database.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop().catch(fail));
}

function fail(error: unknown): void {
  process.stderr.write(
    error instanceof StartError
      ? `Atrium does not start.\n${error.message}\n`
      : `${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}

start().catch(fail);
