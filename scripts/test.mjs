// `npm test`: every check, then every test file of Node's runner, then one line that counts both.
//   npm test                 everything
//   npm test -- dashboards   the test files with "dashboards" in their path, without the checks
//   npm run check            only the checks
//   npm run test:exhaustive  everything, all on both engines, and with every combination instead of a sample
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toBatches } from './test/batches.mjs';
import { collectCosts, describeCosts, usedSeconds } from './test/costs.mjs';
import { runFiles } from './test/run-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// Two more than there are cores: many test files wait for another process, or for a deadline.
const parallel = availableParallelism() + 2;

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
const unknownFlag = flags.find((flag) => !['--checks', '--exhaustive'].includes(flag));
if (unknownFlag) {
  console.error(
    `Unknown option ${unknownFlag}. Arguments are parts of test files' paths, --checks or --exhaustive.`,
  );
  process.exit(2);
}

const failures = [];
const skipped = [];
const stopped = new AbortController();
let passedCount = 0;
/** The programs that the tests share: a name, and a function that ends it. */
const sharedPrograms = [];
/** What each shared program that has ended has used: its name and the seconds of processor time. */
const costsOfShared = [];
let hasTests = false;

process.chdir(root);
// Many processes load the whole server: compiling it takes half of their start.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');
if (flags.includes('--exhaustive')) process.env.ATRIUM_TEST_EXHAUSTIVE = 'yes';
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.once(signal, () => void interrupt(signal, code));
}

try {
  const work = filters.length > 0 ? [] : checks.map((check) => () => runCheck(check));
  if (!flags.includes('--checks')) work.push(...(await prepareTests()));
  await inParallel(work);
} catch (error) {
  fail('the test script itself', error);
} finally {
  await stopShared();
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

/** Returns the functions that run the tests, each in a process of its own. */
async function prepareTests() {
  const files = globSync(['src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'])
    .toSorted()
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) {
    fail(filters.length > 0 ? `no test file matches ${filters.join(', ')}` : 'there is no test file');
    return [];
  }
  hasTests = true;
  collectCosts();
  // Imported only here, so that the checks run on any Node.
  const { startPostgres } = await import('../tests/support/storage/postgres.ts');
  const postgres = await startPostgres({ durable: false });
  sharedPrograms.push({ name: 'PostgreSQL', stop: () => postgres.stop() });
  process.env.ATRIUM_TEST_POSTGRES_URL = postgres.url;
  // Thousands of query workers start in the tests.
  const { testSandbox } = await import('../tests/support/data-sources/query-sandbox.ts');
  const { fillCompileCache } = await import('../src/server/engine/sandbox/compile-cache.ts');
  await fillCompileCache(await testSandbox());
  if (files.some((file) => file.startsWith('tests'))) {
    const { startSharedBrowser } = await import('../tests/support/browser.ts');
    const browser = await startSharedBrowser();
    sharedPrograms.push({ name: 'the browser', stop: () => browser.close() });
    process.env.ATRIUM_TEST_BROWSER_URL = browser.wsEndpoint();
  }
  return toBatches(files).map((batch) => () => runTestFiles(batch));
}

async function runTestFiles(files) {
  if (stopped.signal.aborted) return;
  const results = await runFiles(files, stopped.signal);
  if (stopped.signal.aborted) return;
  passedCount += results.passedCount;
  failures.push(...results.failures);
  skipped.push(...results.skipped);
  console.log(`\n${results.output.trimEnd()}`);
}

/** Runs functions in order, `parallel` of them at once. */
async function inParallel(functions) {
  const waiting = [...functions];
  async function worker() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
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
  await stopShared();
  process.exit(code);
}

async function stopShared() {
  for (const { name, stop } of sharedPrograms.splice(0)) {
    const usedBefore = usedSeconds();
    await stop().catch(() => undefined);
    costsOfShared.push([name, usedSeconds() - usedBefore]);
  }
}

function finish() {
  // The handler of the signal ends the process.
  if (stopped.signal.aborted) return;
  if (passedCount + failures.length === 0) failures.push('nothing ran');
  if (hasTests) console.log(`\n${describeCosts(costsOfShared).join('\n')}`);
  if (skipped.length > 0) {
    console.log('\nNot tested on this machine:');
    for (const test of skipped) console.log(`  ${test}`);
  }
  if (failures.length > 0) {
    console.log('\nFailed:');
    for (const failure of failures) console.log(`  ${failure}`);
  }
  // The last line is read by machines: written whole before the process ends.
  process.stdout.write(`\n${passedCount} passed, ${failures.length} failed\n`, () => {
    process.exit(failures.length === 0 ? 0 : 1);
  });
}
