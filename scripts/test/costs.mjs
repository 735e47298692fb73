// What test files cost: each process of tests appends a line per file to a file that `npm test` reads at its end.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const allCosts = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-costs.json');
const shownFiles = 10;
const ticksPerSecond = 100;
/** Inherited by the processes of tests. */
const variable = 'ATRIUM_TEST_COSTS';

/**
 * Returns the processor time of this process in seconds. On Linux, it includes that of its child processes which have ended,
 * and of those that they have waited for themselves.
 */
export function usedSeconds() {
  if (process.platform === 'linux') {
    // The name of the program, in parentheses, can contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Reports what a test file has cost, in a process of tests. */
export function reportCost(file, seconds) {
  const costs = process.env[variable];
  if (costs !== undefined) appendFileSync(costs, `${JSON.stringify({ file, seconds })}\n`);
}

/** Lets the processes of tests that start from now on report what their files cost. */
export function collectCosts() {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-test-costs-'));
  process.env[variable] = join(directory, 'costs');
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  appendFileSync(process.env[variable], '');
}

/**
 * Returns lines about the most expensive test files, and about the programs that all files share: pairs of name and seconds. Writes those of
 * all files to `node_modules/.cache/test-costs.json`.
 */
export function describeCosts(shared) {
  const files = readFileSync(process.env[variable], 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .toSorted((one, other) => other.seconds - one.seconds);
  writeFileSync(allCosts, `${JSON.stringify({ shared: Object.fromEntries(shared), files }, null, 1)}\n`);
  const sum = files.reduce((total, { seconds }) => total + seconds, 0);
  return [
    `Processor time of ${files.length} test files, with the processes that they started: ${sum.toFixed(1)} s`,
    ...files.slice(0, shownFiles).map(({ file, seconds }) => toLine(file, seconds)),
    ...shared.map(([name, seconds]) => toLine(`${name}, which the files share`, seconds)),
  ];
}

const toLine = (name, seconds) => `${seconds.toFixed(1).padStart(8)} s  ${name}`;
