import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { StartError } from './base/errors.ts';
import { readSettings, type Settings } from './config.ts';
import { claimSources } from './data-sources/source-ownership.ts';
import { createMailer } from './mail/mailer.ts';
import { openSecretBox, requireRightKey } from './root-keys.ts';
import { createSetUpToken, ensureFirstOwner } from './sessions/set-up.ts';
import { createTxtResolver } from './sso/domain-record.ts';
import { lockDataDirectory } from './storage/data-directory.ts';
import type { Database } from './storage/database.ts';
import { openDatabase } from './storage/open-database.ts';
import { tidyingJobs } from './tidying-jobs.ts';
import { startTidying, type Tidying } from './tidying.ts';

/** After this long a stop no longer waits for requests under way, nor, a little later, for the database. */
const stopWithinMs = 8_000;
const exitWithinMs = 9_000;

async function start(): Promise<void> {
  // Every file made here is for its owner alone, whatever directory it is in.
  process.umask(0o077);
  if (existsSync('.env')) process.loadEnvFile();
  const settings = readSettings(process.env);
  const { dataDirectory } = settings;
  if (settings.databaseUrl === undefined) lockDataDirectory(dataDirectory);
  const database = await openDatabase(settings);
  await claimSources(database, dataDirectory);
  const secretBox = await openSecretBox(database, settings);
  const { unreadableCount } = await requireRightKey(database, secretBox);
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
    process,
  });
  const { firstOwner } = settings;
  if (firstOwner !== undefined)
    await ensureFirstOwner(database, Date.now, { name: firstOwner.email, ...firstOwner });
  const address = await listen(server, settings);
  if (unreadableCount > 0) {
    server.log.warn(
      `${unreadableCount} stored secrets are encrypted with a key that ATRIUM_SECRET_KEY does not list: add it, or enter them again.`,
    );
  }
  const jobs = tidyingJobs({
    dataDirectory,
    database,
    clock: Date.now,
    resolveTxt,
    onQuarantined: ({ count, directory }) =>
      server.log.warn(
        { count, directory },
        'Files that no table has were moved to a quarantine, and are removed after seven days',
      ),
  });
  const tidying = startTidying(jobs, ({ name }, error) =>
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
