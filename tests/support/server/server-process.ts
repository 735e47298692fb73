import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../src/server/base/json.ts';
import { makeDataDirectory } from './data-directory.ts';
import { atEndOf, type Owner } from '../endings.ts';
import { createPostgresDatabase } from '../storage/postgres.ts';
import type { Engine } from './test-server.ts';

/** All that a program under test gets of an environment, so that no setting of the machine reaches it. */
export type Environment = Readonly<Record<string, string>>;

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errorOutput: string;
}

/** The real server as a process of its own. */
export interface ServerProcess {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  readonly processId: number;
  /** Its standard output so far. */
  output(): string;
  errorOutput(): string;
  /** Undefined while it runs. */
  exit(): ProgramExit | undefined;
  /** Sends a signal; resolves when the process has ended and its output is complete. Throws when it does not end. */
  end(signal: NodeJS.Signals): Promise<ProgramExit>;
  /** Resolves when the process has ended, whatever ended it. */
  readonly ended: Promise<ProgramExit>;
}

export interface ProgramOptions {
  readonly environment?: Environment;
  /** Where the program runs; a `.env` file there is read. Default: an empty one, and settings that fit. */
  readonly directory?: string;
  /** How many descriptors the program may have open; as many as the test's own process by default. */
  readonly descriptorLimit?: number;
}

/** Of 32 characters and more, without a comma, which separates keys. */
export const rootKey = 'the root key of the tests of processes';

/** The settings by which a server creates its first owner and organization. */
export const ownerSettings = {
  ATRIUM_OWNER_EMAIL: 'owner@example.com',
  ATRIUM_OWNER_PASSWORD: 'the password of the owner',
  ATRIUM_ORGANIZATION: 'Organization',
};

/** A server, and whom to call it as: `cookie` is the whole header. */
export interface Account {
  readonly url: string;
  readonly cookie: string;
  readonly organizationId: string;
}

export interface ProcessAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests compare whole bodies, and reach into what they expect.
  readonly body: any;
}

const waitMs = 120_000;
const programs = new URL('../../../src/server/', import.meta.url);

/** A program under test must not outlive the tests: its standard input ends with them, on every way out. */
const endsWithTests =
  'data:text/javascript,process.stdin.on("end",()=>process.kill(process.pid,"SIGKILL")).resume().unref()';

/**
 * Starts the server on a free port of the loopback address and returns once it greets. Data go to the directory
 * of `ATRIUM_DATA_DIR`, or to one of its own. It is killed when its owner ends. Throws when it ends before.
 */
export async function startServerProcess(owner: Owner, options: ProgramOptions = {}): Promise<ServerProcess> {
  const program = runProgram(owner, 'main.ts', [], { ...options, environment: inOwnPlace(owner, options) });
  const url = await until('the server greets', () => {
    const exit = program.exit();
    if (exit !== undefined)
      throw new Error(`The server ended: ${exit.code ?? exit.signal}\n${exit.errorOutput}`);
    const text = program.output();
    return text.endsWith('\n\n') ? /Listening +(http\S+)/.exec(text)?.[1] : undefined;
  });
  return { ...program, url };
}

/** Runs the server until it ends by itself, as it does when a setting is bad. */
export const runServerToEnd = (owner: Owner, options: ProgramOptions): Promise<ProgramExit> =>
  toEnd(runProgram(owner, 'main.ts', [], { ...options, environment: inOwnPlace(owner, options) }));

/** Runs one command of the operator's command line. */
export const runCommandLine = (
  owner: Owner,
  words: readonly string[],
  options: ProgramOptions,
): Promise<ProgramExit> => toEnd(runProgram(owner, 'atrium.ts', words, options));

/** Begins to start the server without waiting for anything, for a test that kills it meanwhile. */
export const launchServer = (owner: Owner, options: ProgramOptions): Omit<ServerProcess, 'url'> =>
  runProgram(owner, 'main.ts', [], { ...options, environment: inOwnPlace(owner, options) });

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

/** Returns the cookie that an answer sets, as the header to send. */
export const cookieOf = (headers: IncomingHttpHeaders): string =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? '';

/** Sends `GET /api/…` and the like, without an `agent` on a connection of its own; rejects when that breaks before the whole answer is there. */
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
): Promise<ProcessAnswer> {
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

/** Returns a new directory that goes when its owner ends. */
export function temporaryDirectory(owner: Owner): string {
  const directory = makeDataDirectory();
  atEndOf(owner, () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Returns the settings of a server with a fresh, empty database of an engine; the database goes with the owner. */
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
    // Without a proxy that would notice.
    ATRIUM_DRAIN_SECONDS: '0',
  };
}

/** Returns what `probe` finds, asking again and again until that is something. Throws what `probe` throws. */
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

/** A test that chooses the directory sets all that it needs itself. */
const inOwnPlace = (owner: Owner, { environment = {}, directory }: ProgramOptions): Environment =>
  directory === undefined
    ? {
        PORT: '0',
        ATRIUM_PUBLIC_URL: 'https://atrium.example',
        ...environment,
        ATRIUM_DATA_DIR: environment['ATRIUM_DATA_DIR'] ?? join(temporaryDirectory(owner), 'data'),
      }
    : environment;

function runProgram(
  owner: Owner,
  file: string,
  words: readonly string[],
  { environment = {}, directory = temporaryDirectory(owner), descriptorLimit }: ProgramOptions,
): Omit<ServerProcess, 'url'> {
  const program = [
    process.execPath,
    '--import',
    endsWithTests,
    fileURLToPath(new URL(file, programs)),
    ...words,
  ];
  const limited =
    descriptorLimit === undefined
      ? program
      : ['/bin/sh', '-c', `ulimit -n ${descriptorLimit}; exec "$0" "$@"`, ...program];
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

/** What a process needs of the machine to run at all, and the compiled code of the tests' own run. */
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
