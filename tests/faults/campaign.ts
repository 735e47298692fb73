// `npm run test:faults`: provokes each kind of fault for real, and prints what became of the server and of what it had
// acknowledged. The short forms of these run in `npm test`.
//   npm run test:faults -- kills power-loss   only these
//   npm run test:faults -- --write            also writes the results into docs/faults.md
//   ATRIUM_TEST_SEED=…                        repeats the choices of an earlier run
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { chosenSeed } from '../support/seeded-random.ts';
import { diskErrorScenarios } from './disk-errors.ts';
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
  descriptors,
  clockJumps,
  rollingRestart,
];

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = words.filter((word) => !scenarios.some(({ name }) => name === word));
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. There are: ${scenarios.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = scenarios.filter(({ name }) => words.length === 0 || words.includes(name));
const rows: string[] = [];
const seed = chosenSeed();
console.log(`Seed ${seed}`);

for (const scenario of chosen) {
  test(scenario.fault, async (context) => {
    requireMachine(scenario);
    const { seen, acknowledgedCount } = await scenario.run(context, seed);
    rows.push(`| ${scenario.fault} | ${acknowledgedCount.toLocaleString('en')} | 0 | ${seen} |`);
    console.log(`${scenario.name}: ${seen}`);
  });
}

after(() => {
  const table = ['| fault | acknowledged writes | lost | what was seen |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
  console.log(`\n${table}\n`);
  if (process.argv.includes('--write')) writeResults(table);
});

/** A fault that can't be provoked on this machine counts as failed, with what is missing. */
function requireMachine({ programs = [], needsRoot = false }: Scenario): void {
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  if (missing.length > 0) throw new Error(`Not tried: install ${missing.join(', ')} first.`);
  if (needsRoot && process.getuid?.() !== 0) throw new Error('Not tried: this fault needs root.');
}

function writeResults(table: string): void {
  const file = new URL('../../docs/faults.md', import.meta.url);
  const [begin, end] = ['<!-- results -->', '<!-- end of results -->'];
  const text = readFileSync(file, 'utf8');
  const head = text.slice(0, text.indexOf(begin) + begin.length);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, `${head}\nRun on ${day}.\n\n${table}\n${text.slice(text.indexOf(end))}`);
}
