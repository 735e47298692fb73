// `npm run bench`: measures the server against the project's goals, in about twelve minutes.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureConnectionCounts } from './load/connection-counts.ts';
import { measureFolderLists } from './dashboards/folders.ts';
import { measureDashboardLists } from './dashboards/lists.ts';
import { measureDashboardRatios } from './dashboards/ratios.ts';
import { measureBaselineRatios } from './load/baseline-ratios.ts';
import { measureExports } from './exports/exports.ts';
import { measureFirstPaint } from './explore/first-paint.ts';
import { cleanUpAtExit } from './server/leftovers.ts';
import { startBaseline, startLoadGenerator } from './load/generator.ts';
import { measureMetricsCost } from './server/metrics-cost.ts';
import { measureMemory } from './server/memory.ts';
import { measureMillionDashboards } from './dashboards/million.ts';
import { measureRatios } from './ratios/ratios.ts';
import { referenceCommit } from './ratios/reference.ts';
import { measureReports } from './reports/reports.ts';
import { isReached, type Bench, type Section } from './section.ts';
import { measureSignIns } from './server/sign-ins.ts';
import { measureTokens } from './server/tokens.ts';
import { measureSizing } from './sizing/sizing.ts';
import { measureStartTime } from './server/start-time.ts';
import { formatSection } from './table.ts';

const usage = `npm run bench -- [options]
  --only NAME,...       some of: start, ratios, baseline, dashboards, lists, folders, connections, sign-in, tokens, sizing,
                        memory, metrics, million, reports, explore, exports
  --duration SECONDS    of each measurement; default: 1
  --reference COMMIT    what "ratios" compares with; default: ${referenceCommit}
  --quick               a smoke test: little data, short rounds
  --json FILE           writes all measurements to a file
  --check               exits with 1 if a goal is missed
`;

const parts: Readonly<Record<string, (bench: Bench) => Promise<Section>>> = {
  start: measureStartTime,
  ratios: measureRatios,
  baseline: measureBaselineRatios,
  dashboards: measureDashboardRatios,
  lists: measureDashboardLists,
  folders: measureFolderLists,
  connections: measureConnectionCounts,
  'sign-in': measureSignIns,
  tokens: measureTokens,
  sizing: measureSizing,
  memory: measureMemory,
  metrics: measureMetricsCost,
  million: measureMillionDashboards,
  reports: measureReports,
  explore: measureFirstPaint,
  exports: measureExports,
};

interface Options {
  readonly names: readonly string[];
  readonly seconds: number;
  readonly isQuick: boolean;
  readonly reference: string;
  readonly jsonFile: string | undefined;
  readonly isCheck: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      duration: { type: 'string' },
      reference: { type: 'string', default: referenceCommit },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',') ?? Object.keys(parts);
  const unknownName = names.find((name) => !Object.hasOwn(parts, name));
  if (unknownName !== undefined) throw new Error(`--only: Unknown part ${unknownName}.`);
  const seconds = Number(values.duration ?? (values.quick ? 0.3 : 1));
  if (!(seconds > 0)) throw new Error('--duration must be a number of seconds.');
  const { quick: isQuick, reference, json: jsonFile, check: isCheck } = values;
  return { names, seconds, isQuick, reference, jsonFile, isCheck };
}

async function measure({ names, seconds, isQuick, reference }: Options): Promise<Record<string, Section>> {
  const baseline = await startBaseline();
  const generator = startLoadGenerator();
  const rounds = isQuick ? 2 : 10;
  const bench: Bench = { drive: generator.drive, baseline, seconds, rounds, isQuick, reference };
  const sections: Record<string, Section> = {};
  for (const name of names) {
    const section = await parts[name]?.(bench);
    if (section === undefined) continue;
    sections[name] = section;
    process.stdout.write(`${formatSection(section)}\n\n`);
  }
  generator.stop();
  baseline.stop();
  return sections;
}

function describeMachine(): Record<string, unknown> {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

async function main(): Promise<void> {
  cleanUpAtExit();
  const options = readOptionsOrExit();
  const startedAt = new Date().toISOString();
  const sections = await measure(options);
  if (options.jsonFile !== undefined) {
    const report = { startedAt, machine: describeMachine(), options, sections };
    writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  const goals = Object.values(sections).flatMap((section) => section.goals);
  const missedCount = goals.filter((goal) => !isReached(goal)).length;
  process.stdout.write(`${goals.length - missedCount} of ${goals.length} goals reached\n`);
  process.exit(options.isCheck && missedCount > 0 ? 1 : 0);
}

function readOptionsOrExit(): Options {
  try {
    return readOptions();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
