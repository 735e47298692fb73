// `npm run test:faults`: injects each kind of fault into a real server, and prints how the server behaved and whether an
// acknowledged write was lost. `npm test` runs short versions of most of these tests.
//   npm run test:faults -- kills-sqlite power-loss   runs only these
//   npm run test:faults -- --write                   also writes the results to docs/faults.md
//   ATRIUM_TEST_SEED=…                               repeats the random choices of an earlier run
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { chosenSeed } from '../support/seeded-random.ts';
import { diskErrorScenarios } from './disk-errors.ts';
import { failoverOfHosts } from './failover.ts';
import { killsOfPostgres, killsOfSqlite } from './kills.ts';
import { clockJumps, descriptors, fullDisk } from './machine-faults.ts';
import { failover, lostCommit, partition } from './postgres-faults.ts';
import { powerLoss } from './power-loss.ts';
import { rollingRestart } from './rolling-restart.ts';
import type { Scenario } from './scenario.ts';

const scenarios: readonly Scenario[] = [
  killsOfSqlite,
  killsOfPostgres,
  powerLoss,
  ...diskErrorScenarios,
  fullDisk,
  partition,
  lostCommit,
  failover,
  failoverOfHosts,
  descriptors,
  clockJumps,
  rollingRestart,
];

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = names.filter((each) => !scenarios.some(({ name }) => name === each));
if (unknown.length > 0) {
  console.error(
    `Unknown fault: ${unknown.join(', ')}. Use one of: ${scenarios.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
const rows: string[] = [];
const seed = chosenSeed();
console.log(`Seed ${seed}`);

for (const scenario of chosen) {
  test(scenario.fault, async (context) => {
    requireMachine(scenario);
    const { result, acknowledgedCount } = await scenario.run(context, seed);
    rows.push(`| ${scenario.fault} | ${acknowledgedCount.toLocaleString('en')} | 0 | ${result} |`);
    console.log(`${scenario.name}: ${result}`);
  });
}

after(() => {
  const table = ['| fault | acknowledged writes | lost | result |', '|---|---|---|---|', ...rows].join('\n');
  console.log(`\n${table}\n`);
  if (process.argv.includes('--write')) writeResults(table);
});

/** Throws if the fault can't be injected on this machine, with what is missing. */
function requireMachine({ programs = [], needsRoot = false }: Scenario): void {
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  if (missing.length > 0) throw new Error(`Not tested: install ${missing.join(', ')} first.`);
  if (needsRoot && process.getuid?.() !== 0) throw new Error('Not tested: run this as root.');
}

function writeResults(table: string): void {
  const file = new URL('../../docs/faults.md', import.meta.url);
  const [start, end] = ['<!-- results -->', '<!-- end of results -->'];
  const text = readFileSync(file, 'utf8');
  const head = text.slice(0, text.indexOf(start) + start.length);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, `${head}\nRun on ${day}.\n\n${table}\n${text.slice(text.indexOf(end))}`);
}
