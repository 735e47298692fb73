import { spawnSync } from 'node:child_process';
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../network/free-port.ts';
import { guard, launch, runAsAdmin } from './launch.ts';
import type { Account } from './programs.ts';

/** A standby server, which is read-only until it is promoted. */
export interface PostgresStandby {
  readonly url: string;
  /** Makes it a primary server. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Primary {
  readonly url: string;
  readonly dataDir: string;
  readonly binaries: string;
  readonly account: Account | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Takes a backup of the running server's files, and starts a standby server from it. */
export async function startStandby({
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
  const dismissGuard = guard(copy, [temporaryDir]);
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
