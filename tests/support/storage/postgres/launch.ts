import { spawn, type SpawnOptions } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const startTimeoutMs = 120_000;
const stopTimeoutMs = 10_000;

interface Launch {
  readonly command: string;
  readonly flags: readonly string[];
  readonly options: SpawnOptions;
  readonly logFile: string;
  readonly url: string;
}

export interface RunningServer {
  readonly processId: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the `postgres` program, and returns when it accepts connections. Throws with its log if it ends before. */
export async function launch({ command, flags, options, logFile, url }: Launch): Promise<RunningServer> {
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
    await Promise.race([untilItResponds(url), hasFailed]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { processId: server.pid, kill, stop };
}

/** Runs the server again after a kill: it refuses to start until the last session of the killed one has ended. */
export async function untilMemoryIsFree(
  run: () => Promise<RunningServer>,
  logFile: string,
): Promise<RunningServer> {
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

export async function runAsAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function untilItResponds(url: string): Promise<void> {
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
 * Starts a small process that ends the server and removes its directories when this process has ended. It detects
 * that by the end of its standard input, which the system closes however this process ends, even by SIGKILL.
 * The returned function dismisses it.
 */
export function guard(dataDir: string, directories: readonly string[]): () => void {
  const lockFile = join(dataDir, 'postmaster.pid');
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
        for (const directory of ${JSON.stringify(directories)})
          fs.rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
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
