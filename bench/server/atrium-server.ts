import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithThisProgram } from './leftovers.ts';
import type { Target } from './process-usage.ts';

const thisCode = fileURLToPath(new URL('../..', import.meta.url));
const startWithinMs = 120_000;

/** The person who is signed in for the measurements: the first owner of a fresh database. */
export const owner = {
  email: 'owner@example.com',
  password: 'the password of the benchmark',
  organization: 'Example',
};

/** The real server, in a process of its own. */
export interface AtriumServer extends Target {
  /** The time from the start of the process to its first response. */
  readonly startMs: number;
  /** Stops it as an operator would. Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the server on a data directory, fresh or existing, with the embedded database, and with `settings` in
 * addition to those of every benchmark. `code` is the root of the repository, or of another version of it.
 */
export async function startAtrium(
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
  code = thisCode,
): Promise<AtriumServer> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, startArguments(code), {
    // Outside the repository, whose .env would be read.
    cwd: dataDirectory,
    env: { ...environment(dataDirectory, port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProgram(child);
  const output = collectOutput(child);
  while (!(await isReady(origin))) {
    const isLate = performance.now() - startedAt > startWithinMs;
    if (isLate || child.exitCode !== null) throw new Error(`The server does not start.\n${output.join('')}`);
    await delay(2);
  }
  const startMs = performance.now() - startedAt;
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { origin, processId: child.pid ?? 0, startMs, stop };
}

/** Returns Node's options in `npm start`, and the path of the program. */
function startArguments(code: string): string[] {
  // Sound because it is the package.json of this program.
  const { scripts } = JSON.parse(readFileSync(join(code, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const program = /\S+$/.exec(scripts.start)?.[0] ?? '';
  return [...(scripts.start.match(/--\S+/g) ?? []), join(code, program)];
}

/** The environment without the settings that the shell has for another server, and with those of the benchmark. */
function environment(dataDirectory: string, port: number): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ATRIUM_.*|DATABASE_URL|HOST|PORT)$/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PORT: String(port),
    ATRIUM_DATA_DIR: dataDirectory,
    ATRIUM_OWNER_EMAIL: owner.email,
    ATRIUM_OWNER_PASSWORD: owner.password,
    ATRIUM_ORGANIZATION: owner.organization,
    // One person sends all requests, and creates everything.
    ATRIUM_ORGANIZATION_MAX_RECORDS: '9999999',
    ATRIUM_ORGANIZATION_CONTENT_MB: '9999999',
    ATRIUM_PERSONAL_MAX_RECORDS: '9999999',
    ATRIUM_PERSONAL_CONTENT_MB: '9999999',
    ATRIUM_SESSION_REQUESTS_PER_MINUTE: '9999999',
    ATRIUM_PROCESSOR_MS_PER_MINUTE: '9999999',
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // Sound because a server that listens on a TCP port has such an address.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Stores the last lines that a process wrote, and prevents its pipes from filling up. */
function collectOutput(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines.push(text);
      if (lines.length > 100) lines.shift();
    });
  }
  return lines;
}

/** Whether the server reports that it is ready. */
function isReady(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${origin}/api/health/ready`, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
