import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../src/server/base/texts/json.ts';
import { makeDataDirectory } from './data-directory.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { createPostgresDatabase } from '../storage/postgres.ts';
import { withoutRequestLimits } from './request-limits.ts';
import type { Engine } from './test-server.ts';

/** The whole environment of a program under test, so that no setting of the machine affects it. */
export type Environment = Readonly<Record<string, string>>;

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errorOutput: string;
}

/** The real server in its own process. */
export interface ServerProcess {
  /** The URL at which it listens, without a trailing slash. */
  readonly url: string;
  readonly processId: number;
  /** Its standard output so far. */
  output(): string;
  errorOutput(): string;
  /** Undefined while it runs. */
  exit(): ProgramExit | undefined;
  /** Sends a signal. Resolves when the process has ended and its output is complete. Throws if it doesn't end. */
  end(signal: NodeJS.Signals): Promise<ProgramExit>;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<ProgramExit>;
}

export interface ProgramOptions {
  readonly environment?: Environment;
  /** The working directory, whose `.env` file is read. Default: an empty one, with settings for tests. */
  readonly directory?: string;
  /** The limit of open descriptors. Default: that of the test's own process. */
  readonly descriptorLimit?: number;
  /** The maximum size of a file, in blocks of 512 bytes: larger ones fail as on a full disk. Default: none. */
  readonly fileSizeLimit?: number;
  /** A program that starts it, with its arguments. Default: none. */
  readonly through?: readonly string[];
}

/** Has more than 32 characters, and no comma, which would separate keys. */
export const rootKey = 'the root key of the tests of processes';

/** The settings by which a server creates its first owner and organization. */
export const ownerSettings = {
  ATRIUM_OWNER_EMAIL: 'owner@example.com',
  ATRIUM_OWNER_PASSWORD: 'the password of the owner',
  ATRIUM_ORGANIZATION: 'Organization',
};

/** A server, and a person to call it as: `cookie` is the whole header. */
export interface Account {
  readonly url: string;
  readonly cookie: string;
  readonly organizationId: string;
}

export interface ProcessResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole bodies, and reach into what they expect.
  readonly body: any;
}

const waitMs = 300_000;
const programs = new URL('../../../src/server/', import.meta.url);

/** Ends a program with its standard input, which ends with the tests, however they end. */
const endsWithTests =
  'data:text/javascript,process.stdin.on("end",()=>process.kill(process.pid,"SIGKILL")).resume().unref()';

/**
 * Starts the server on a free port of the loopback address. Returns when it listens. Its data directory is
 * `ATRIUM_DATA_DIR`, or a new one. It is killed when its owner ends. Throws if the server ends before it listens.
 */
export async function startServerProcess(owner: Owner, options: ProgramOptions = {}): Promise<ServerProcess> {
  const program = runProgram(owner, 'main.js', [], { ...options, environment: inOwnPlace(owner, options) });
  const url = await until('the server listens', () => {
    const exit = program.exit();
    if (exit !== undefined)
      throw new Error(`The server ended: ${exit.code ?? exit.signal}\n${exit.output}${exit.errorOutput}`);
    return findAddress(program.output());
  });
  return { ...program, url };
}

/** Returns where a server listens, by its output; undefined until it is ready. */
export const findAddress = (output: string): string | undefined =>
  /"listening":"([^"]+)".*"msg":"Atrium is ready"\}\n/.exec(output)?.[1];

/** Returns the complete lines of a log. Fails if one of them isn't JSON. */
export const logLines = (output: string): Readonly<Record<string, unknown>>[] =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Returns why a server ended by itself: the message of the error in the last line of its output. */
export function failureOf(output: string): string {
  const { level, msg, err } = logLines(output).at(-1) ?? {};
  if (level !== 60) throw new Error(`The log doesn't end with a failure:\n${output}`);
  return `${String(msg)}\n${(err as { message: string }).message}`;
}

/** Runs the server until it ends by itself, for example because of an invalid setting. */
export const runServerToEnd = (owner: Owner, options: ProgramOptions): Promise<ProgramExit> =>
  toEnd(runProgram(owner, 'main.js', [], { ...options, environment: inOwnPlace(owner, options) }));

/** Runs one command of the operator's command line. */
export const runCommandLine = (
  owner: Owner,
  words: readonly string[],
  options: ProgramOptions,
): Promise<ProgramExit> => toEnd(runProgram(owner, '../atrium.js', ['server', ...words], options));

/** Starts the server without waiting until it listens, for a test that kills it meanwhile. */
export const launchServer = (owner: Owner, options: ProgramOptions): Omit<ServerProcess, 'url'> =>
  runProgram(owner, 'main.js', [], { ...options, environment: inOwnPlace(owner, options) });

/** Signs in the owner of `ownerSettings`. */
export async function signInOwner({ url }: Pick<ServerProcess, 'url'>): Promise<Account> {
  const { ATRIUM_OWNER_EMAIL: email, ATRIUM_OWNER_PASSWORD: password } = ownerSettings;
  const { status, headers } = await send({ url }, 'POST /api/auth/sign-in/email', {
    body: { email, password },
  });
  if (status !== 200) throw new Error(`The owner could not sign in: ${status}`);
  const cookie = cookieOf(headers);
  const { body } = await send({ url, cookie }, 'GET /api/organizations');
  return { url, cookie, organizationId: body.items[0].id };
}

/** Returns the first cookie that a response sets, as a browser sends it back. */
export const cookieOf = (headers: IncomingHttpHeaders): string =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? '';

/** Sends a request such as `GET /api/…`, over a new connection unless there is an `agent`. Rejects if the connection breaks. */
export function send(
  { url, cookie }: { readonly url: string; readonly cookie?: string },
  line: string,
  {
    body,
    headers: more,
    agent,
  }: {
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly agent?: Agent;
  } = {},
): Promise<ProcessResponse> {
  const [method, path] = line.split(' ');
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...more,
    ...(cookie !== undefined && { cookie }),
    ...(payload !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
    }),
  };
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, { method, headers, agent: agent ?? false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: text === '' ? undefined : parseJson(text) });
      });
    });
    sending.once('error', reject);
    sending.end(payload);
  });
}

/** Returns a new directory that is removed when its owner ends. */
export function temporaryDirectory(owner: Owner): string {
  const directory = makeDataDirectory();
  atEndOf(owner, () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Returns the settings of a server with a new, empty database of an engine, which ends with its owner. */
export async function freshPlace(
  owner: Owner,
  engine: Engine,
): Promise<Environment & { ATRIUM_DATA_DIR: string }> {
  const place = { ATRIUM_DATA_DIR: join(temporaryDirectory(owner), 'data') };
  if (engine === 'SQLite') return place;
  const { url, drop } = await createPostgresDatabase();
  atEndOf(owner, drop);
  return {
    ...place,
    DATABASE_URL: url,
    ATRIUM_SECRET_KEY: rootKey,
    // There is no proxy that must notice first.
    ATRIUM_DRAIN_SECONDS: '0',
  };
}

/** Calls `probe` repeatedly, until it returns something, and returns that. Throws what `probe` throws. */
export async function until<Found>(
  what: string,
  probe: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${waitMs / 1000} s in vain until ${what}.`);
    await delay(5);
  }
}

/** Adds settings for tests, unless the test chooses the directory, and so all of its settings. */
const inOwnPlace = (owner: Owner, { environment = {}, directory }: ProgramOptions): Environment =>
  directory === undefined
    ? {
        PORT: '0',
        ATRIUM_PUBLIC_URL: 'https://atrium.example',
        ...withoutRequestLimits,
        // The campaigns of faults create thousands of dashboards as one person.
        ATRIUM_PERSONAL_MAX_RECORDS: '9999999',
        ...environment,
        ATRIUM_DATA_DIR: environment['ATRIUM_DATA_DIR'] ?? join(temporaryDirectory(owner), 'data'),
      }
    : environment;

function runProgram(
  owner: Owner,
  file: string,
  words: readonly string[],
  {
    environment = {},
    directory = temporaryDirectory(owner),
    descriptorLimit,
    fileSizeLimit,
    through = [],
  }: ProgramOptions,
): Omit<ServerProcess, 'url'> {
  const program = [
    ...through,
    process.execPath,
    '--import',
    endsWithTests,
    fileURLToPath(new URL(file, programs)),
    ...words,
  ];
  const limits = [
    ...(descriptorLimit === undefined ? [] : [`ulimit -n ${descriptorLimit}`]),
    ...(fileSizeLimit === undefined ? [] : [`ulimit -f ${fileSizeLimit}`]),
  ];
  const limited =
    limits.length === 0 ? program : ['/bin/sh', '-c', [...limits, 'exec "$0" "$@"'].join('; '), ...program];
  const child = spawn(limited[0] ?? '', limited.slice(1), {
    cwd: directory,
    env: { ...machineVariables(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let errorOutput = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  let exit: ProgramExit | undefined;
  const ended = whenClosed(child).then(([code, signal]) => (exit = { code, signal, output, errorOutput }));
  const end = (signal: NodeJS.Signals): Promise<ProgramExit> => {
    child.kill(signal);
    return inTime(ended, () => `It did not end by ${signal}.\n${output}${errorOutput}`);
  };
  atEndOf(owner, () => end('SIGKILL'));
  return {
    processId: child.pid ?? 0,
    output: () => output,
    errorOutput: () => errorOutput,
    exit: () => exit,
    end,
    ended,
  };
}

const whenClosed = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve([code, signal]));
  });

/** The variables without which no process can run, and the cache of compiled code of the tests. */
const machineVariables = (): Environment =>
  Object.fromEntries(
    ['PATH', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const toEnd = ({ ended, output, errorOutput }: Omit<ServerProcess, 'url'>): Promise<ProgramExit> =>
  inTime(ended, () => `It did not end.\n${output()}${errorOutput()}`);

function inTime<Result>(work: Promise<Result>, complaint: () => string): Promise<Result> {
  const late = delay(waitMs, undefined, { ref: false }).then(() => {
    throw new Error(`Waited ${waitMs / 1000} s in vain. ${complaint()}`);
  });
  return Promise.race([work, late]);
}
