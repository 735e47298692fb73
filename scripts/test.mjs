// `npm test`: every check, then every test file of Node's runner, then one line that counts both.
//   npm test                 everything
//   npm test -- dashboards   the test files with "dashboards" in their path, without the checks
//   npm run check            the checks alone
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// One more than there are cores: many test files wait for another process, or for a deadline.
const parallel = availableParallelism() + 1;
const fileTimeoutMs = 300_000;

const checks = [
  { name: 'types', command: 'tsc' },
  { name: 'types of the web application', command: 'tsc', args: ['-p', 'src/web'] },
  { name: 'types of its tests', command: 'tsc', args: ['-p', 'tests/web'] },
  { name: 'lint', command: 'oxlint' },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  { name: 'imports', command: 'node', args: ['scripts/imports.ts'] },
  { name: 'unused code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
];

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknownFlag = flags.find((flag) => flag !== '--checks');
if (unknownFlag) {
  console.error(`Unknown option ${unknownFlag}. Arguments are parts of test files' paths, or --checks.`);
  process.exit(2);
}

const failures = [];
const stopped = new AbortController();
let passedCount = 0;
let postgres;

process.chdir(root);
// Each test file is a process that loads the whole server: compiling it again for each took half of its start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.once(signal, () => void interrupt(signal, code));
}

try {
  if (filters.length === 0) await inParallel(checks, runCheck);
  if (!flags.includes('--checks')) await runTests();
} catch (error) {
  fail('the test script itself', error);
} finally {
  await stopPostgres();
}
finish();

/** Runs one check as a program of node_modules/.bin, quietly unless it fails. */
async function runCheck({ name, command, args = [] }) {
  const startedAt = performance.now();
  const { code, output } = await capture(command, args);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (stopped.signal.aborted) return;
  if (code === 0) {
    passedCount += 1;
    console.log(`✔ ${name} (${seconds} s)`);
    return;
  }
  console.log(`✖ ${name} (${seconds} s)\n\n${output.trimEnd()}\n`);
  failures.push(`check: ${name}`);
}

function capture(command, args) {
  return new Promise((done) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(command, args, {
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}${isWindows ? ';' : ':'}${process.env.PATH}`,
      },
      shell: isWindows,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stopped.signal,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => done({ code: 1, output: `${output}\n${error.message}` }));
    child.once('close', (code) => done({ code, output }));
  });
}

async function runTests() {
  const files = globSync(['src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'])
    .toSorted()
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) {
    fail(filters.length > 0 ? `no test file matches ${filters.join(', ')}` : 'there is no test file');
    return;
  }
  // Imported only here, so that the checks run on any Node.
  const { startPostgres } = await import('../tests/support/postgres.ts');
  postgres = await startPostgres({ durable: false });
  process.env.ATRIUM_TEST_POSTGRES_URL = postgres.url;
  await inParallel(files, runTestFile);
}

/** Runs one test file in a process of its own, and prints its results together when it is done. */
async function runTestFile(file) {
  if (stopped.signal.aborted) return;
  const path = resolve(file);
  const timeout = AbortSignal.timeout(fileTimeoutMs);
  const reporter = new spec();
  let output = '';
  reporter.on('data', (chunk) => (output += chunk));
  let testCount = 0;
  let hasFailed = false;

  const events = run({ files: [path], signal: AbortSignal.any([stopped.signal, timeout]) });
  for await (const event of events) {
    if (event.type === 'test:fail') hasFailed = true;
    if (event.type === 'test:pass' || event.type === 'test:fail') testCount += countResult(file, path, event);
    if (!isRunnerSummary(event)) reporter.write(event);
  }
  await new Promise((done) => reporter.end(done));
  if (stopped.signal.aborted) return;
  if (timeout.aborted) fail(`${file} took more than ${fileTimeoutMs / 1000} s`);
  if (testCount === 0 && !hasFailed) fail(`${file} ran no test`);
  console.log(`\n${file}\n${output.trimEnd()}`);
}

/** Counts one result of Node's runner and returns the number of tests in it: 1, or 0 for a suite or a whole file. */
function countResult(file, path, { type, data }) {
  const isFile = data.nesting === 0 && resolve(data.name) === path;
  const isSuite = data.details?.type === 'suite';
  if (type === 'test:fail') {
    const reason = data.details?.error?.failureType;
    // A suite fails with its tests, which are counted; on its own, only when a hook of it failed.
    if (isSuite && reason === 'subtestsFailed') return 0;
    failures.push(isFile ? `${file} as a whole` : `${file}: ${data.name}`);
    return isSuite || isFile ? 0 : 1;
  }
  if (isSuite || isFile) return 0;
  if (data.skip !== undefined || data.todo !== undefined) {
    failures.push(`${file}: ${data.name} (skipped; a test either runs or goes)`);
    return 1;
  }
  passedCount += 1;
  return 1;
}

/** Whether the event only sums up the file, which this script does for all files. */
function isRunnerSummary({ type, data }) {
  if (type === 'test:summary') return true;
  return (
    type === 'test:diagnostic' &&
    data.nesting === 0 &&
    /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
  );
}

/** Runs the work for each item, `parallel` at once. */
async function inParallel(items, work) {
  const waiting = [...items];
  async function worker() {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: parallel }, worker));
}

function fail(what, error) {
  console.error(error ? `✖ ${what}\n` : `✖ ${what}`, ...(error ? [error] : []));
  failures.push(what);
}

async function interrupt(signal, code) {
  console.error(`\nStopped by ${signal}.`);
  stopped.abort();
  await stopPostgres();
  process.exit(code);
}

async function stopPostgres() {
  const server = postgres;
  postgres = undefined;
  await server?.stop();
}

function finish() {
  // The signal's handler says how the process ends.
  if (stopped.signal.aborted) return;
  if (passedCount + failures.length === 0) failures.push('nothing ran');
  if (failures.length > 0) {
    console.log('\nFailed:');
    for (const failure of failures) console.log(`  ${failure}`);
  }
  // The last line is read by machines: written whole before the process ends.
  process.stdout.write(`\n${passedCount} passed, ${failures.length} failed\n`, () => {
    process.exit(failures.length === 0 ? 0 : 1);
  });
}
