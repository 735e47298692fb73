import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createBubblewrapSandbox, systemLibraries } from './bubblewrap.ts';
import { createNoSandbox } from './no-sandbox.ts';
import { compiledCodeDirectory, programDirectory } from '../../base/program.js';
import { isInside, programFiles } from './program-files.ts';
import type { QuerySandbox } from './sandbox.ts';
import { createSeparateUserSandbox } from './separate-user.ts';

export interface DetectOptions {
  /** Everything that the server stores. It must not be inside a directory that workers can see. */
  readonly dataDirectory: string;
  /** Where workers get their directories; created if it doesn't exist. */
  readonly temporaryDirectory: string;
  /** The ways to try; tests leave some out. */
  readonly ways?: readonly ('bubblewrap' | 'separate_user')[];
}

/**
 * Returns the best way to isolate workers that works on this machine, tested by starting a worker with it. Never rejects: if
 * nothing works, the state says why.
 */
export async function detectSandbox(options: DetectOptions): Promise<QuerySandbox> {
  const { ways = ['bubblewrap', 'separate_user'] } = options;
  const compiledCode = compiledCodeOf(options);
  if (process.platform !== 'linux')
    return createNoSandbox('Queries are isolated only on Linux.', 'Run Atrium on Linux.', compiledCode);
  const seen = [...systemLibraries, ...programFiles].find((path) => isInside(options.dataDirectory, path));
  if (seen !== undefined)
    return createNoSandbox(
      `The data directory is inside ${seen}, which query workers have to read.`,
      'Set ATRIUM_DATA_DIR to another directory.',
      compiledCode,
    );
  const bubblewrap = ways.includes('bubblewrap') ? await tryBubblewrap(options) : 'bubblewrap was not tried.';
  if (typeof bubblewrap !== 'string') return bubblewrap;
  const remedy = remedyFor(bubblewrap);
  const isRoot = process.getuid?.() === 0 && ways.includes('separate_user');
  if (!isRoot) return createNoSandbox(bubblewrap, remedy, compiledCode);
  const sandbox = createSeparateUserSandbox();
  const fault = await findFault(sandbox, options);
  if (fault === undefined) return { ...sandbox, state: { ...sandbox.state, reason: bubblewrap, remedy } };
  return createNoSandbox(
    `${bubblewrap} Running each worker as a separate user doesn't work either: ${fault}`,
    remedy,
    compiledCode,
  );
}

const compiledCodeOf = ({ dataDirectory }: DetectOptions): string =>
  join(compiledCodeDirectory(dataDirectory), 'query-workers');

/** Returns the sandbox, or a sentence about why bubblewrap can't be used. */
async function tryBubblewrap(options: DetectOptions): Promise<QuerySandbox | string> {
  const path = findProgram('bwrap');
  if (path === undefined) return 'bubblewrap is not installed.';
  const help = await promisify(execFile)(path, ['--help']).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const sandbox = createBubblewrapSandbox({
    path,
    canDisableNamespaces: help.includes('--disable-userns'),
    compiledCode: compiledCodeOf(options),
  });
  const fault = await findFault(sandbox, options);
  return fault === undefined ? sandbox : `bubblewrap is installed but doesn't work: ${fault}`;
}

function remedyFor(reason: string): string {
  if (reason === 'bubblewrap is not installed.')
    return 'Install it (on Debian and Ubuntu: apt-get install bubblewrap) and restart Atrium.';
  return isRestrictedByAppArmor()
    ? 'On this system, only programs with an AppArmor profile can create user namespaces. Add a profile for bwrap as ' +
        'the README describes, and restart Atrium.'
    : 'Allow user namespaces. In a container, the container runtime has to allow them, as the README describes.';
}

function isRestrictedByAppArmor(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

function findProgram(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((path) => path.startsWith('/'));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const probeTimeoutMs = 15_000;

/** Uses everything that a worker uses: its program, files, directory, memory statistics, forwarder, and channel to the server. */
const probe = `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { once } from 'node:events';
  import { createRequire } from 'node:module';
  import { connect } from 'node:net';
  process.once('message', async ({ program, readable, written, forwarder }) => {
    readFileSync(createRequire(program).resolve('@duckdb/node-api'));
    writeFileSync(written, readFileSync(readable));
    process.memoryUsage.rss();
    if (forwarder !== undefined) await once(connect(forwarder), 'connect');
    process.send('works');
  });
`;

/** Starts Node in the sandbox as for a worker. Returns a sentence about what fails, or undefined if everything works. */
async function findFault(
  sandbox: QuerySandbox,
  { temporaryDirectory }: DetectOptions,
): Promise<string | undefined> {
  let parent: string | undefined;
  try {
    mkdirSync(temporaryDirectory, { recursive: true, mode: 0o700 });
    parent = mkdtempSync(join(temporaryDirectory, 'probe-'));
    const [directory, readable] = [join(parent, 'own'), join(parent, 'readable')];
    mkdirSync(directory);
    writeFileSync(readable, 'readable', { mode: 0o600 });
    return await runProbe(sandbox, directory, readable);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (parent !== undefined) rmSync(parent, { recursive: true, force: true, maxRetries: 3 });
  }
}

function runProbe(sandbox: QuerySandbox, directory: string, readable: string): Promise<string | undefined> {
  const view = { directory, readableFiles: [readable], destination: { addresses: [], port: 0 } };
  const launch = sandbox.launch(view, ['--input-type=module', '--eval', probe]);
  return new Promise((resolve) => {
    const child = spawn(launch.command, launch.args, {
      ...launch.options,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let fault: string | undefined = 'it exited without a message.';
    let errorOutput = '';
    const end = (found: string | undefined): void => {
      fault = found;
      launch.kill(child);
    };
    const timer = setTimeout(() => end(`it took longer than ${probeTimeoutMs / 1000} s.`), probeTimeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    child.once('message', () => end(undefined));
    child.once('close', () => {
      clearTimeout(timer);
      const errors = errorOutput.trim();
      void launch
        .finish()
        .catch((error: unknown) => (fault ??= String(error)))
        .then(() => resolve(fault !== undefined && errors !== '' ? firstFault(errors) : fault));
    });
    child.send(
      {
        program: join(programDirectory, 'package.json'),
        readable: launch.pathOf(readable),
        written: launch.pathOf(join(directory, 'written')),
        forwarder: launch.forwarder,
      },
      () => undefined,
    );
  });
}

/** Returns the line of a Node stack trace, or of bubblewrap's output, that says what is wrong. */
const firstFault = (errors: string): string =>
  (/^(?:\w*Error.*|bwrap: .*)$/m.exec(errors)?.[0] ?? errors).slice(0, 500);
