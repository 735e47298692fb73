import { createDashboard } from '../load/requests.ts';
import type { Measurement } from '../load/generator.ts';
import type { Target } from '../server/process-usage.ts';
import { median, type Bench, type Goal, type Section } from '../section.ts';
import { formatRatios } from '../table.ts';
import { operationNames, savesLeft, startServer, type Load, type OperationName } from './operations.ts';
import { checkOut } from './reference.ts';

const connections = savesLeft;

/** The goals, as parts of the baseline's speed by processor time. */
const minRatios: Readonly<Partial<Record<OperationName, number>>> = {
  'create a dashboard': 0.25,
  'read a dashboard': 0.5,
  'get-session': 0.6,
  'list 20 dashboards': 0.28,
  'cached result': 0.35,
  'save with merge': 0.12,
};
/** How much processor time a request with a token needs, of that of the same request with a cookie. */
const maxTokenCost = 1.1;

/** Processor time per request in each round, in microseconds. */
interface Times {
  readonly name: OperationName;
  readonly server: number[];
  readonly reference: number[];
  readonly baseline: number[];
}

/**
 * Measures the processor time of each hot operation in rounds: of this code, of the reference and of the baseline directly after each other
 * in changing order, so that other programs and the temperature of the machine affect all three. A first round, which warms up,
 * doesn't count.
 */
export async function measureRatios(bench: Bench): Promise<Section> {
  const { baseline, rounds, isQuick } = bench;
  const options = {
    rounds,
    // As many whatever else the machine does, since the time of few requests says little.
    requestCount: Math.round(1_000 * bench.seconds),
    warmUpCount: isQuick ? 100 : 2_000,
    saveCount: isQuick ? 100 : 500,
  };
  const server = await startServer(undefined, options);
  const reference = await startServer(checkOut(bench.reference), options);
  const { requestCount } = options;
  const baselineLoad = { requests: [createDashboard(server.account)], until: { requestCount } };
  const measured: Times[] = operationNames.map((name) => ({
    name,
    server: [],
    reference: [],
    baseline: [],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const times of measured) {
      const sides = [
        { key: 'server', target: server, load: server.loadOf(times.name, round) },
        { key: 'reference', target: reference, load: reference.loadOf(times.name, round) },
        { key: 'baseline', target: baseline, load: baselineLoad },
      ] as const;
      for (const { key, target, load } of [...sides.slice(round % 3), ...sides.slice(0, round % 3)]) {
        const timeUs = await processorUsOf(bench, target, load);
        if (round > 0 && timeUs !== undefined) times[key].push(timeUs);
      }
    }
  }
  await Promise.all([server.stop(), reference.stop()]);
  return {
    title: `Processor time against the baseline and commit ${bench.reference}: medians of ${rounds} rounds`,
    rows: measured.map(toRow),
    goals: [...measured.flatMap(speedGoal), tokenGoal(measured)],
    details: measured,
  };
}

/** Returns the processor time per request of a load; undefined without one. */
async function processorUsOf(
  { drive }: Bench,
  target: Target,
  load: Load | undefined,
): Promise<number | undefined> {
  if (load === undefined) return undefined;
  const { processorUs }: Measurement = await drive(target, { connections, ...load });
  if (processorUs === undefined) throw new Error('This system reports no processor time.');
  return processorUs;
}

/** Returns the speeds of one side, as parts of those of another, by the processor time in the same rounds. */
const speedsOf = (times: readonly number[], others: readonly number[]): number[] =>
  times.map((timeUs, round) => (others[round] ?? NaN) / timeUs);

function toRow({ name, server, reference, baseline }: Times): Record<string, string> {
  const isCompared = reference.length > 0;
  return {
    operation: name,
    'CPU µs': median(server).toFixed(0),
    'reference µs': isCompared ? median(reference).toFixed(0) : '–',
    'baseline µs': median(baseline).toFixed(0),
    'of the baseline': formatRatios(speedsOf(server, baseline)),
    'of the reference': isCompared ? formatRatios(speedsOf(server, reference)) : '–',
  };
}

function speedGoal({ name, server, baseline }: Times): Goal[] {
  const atLeast = minRatios[name];
  if (atLeast === undefined) return [];
  const value = median(speedsOf(server, baseline));
  return [{ what: `${name}, of the baseline`, value, unit: '', bound: { atLeast } }];
}

function tokenGoal(measured: readonly Times[]): Goal {
  const timesOf = (name: OperationName) => measured.find((times) => times.name === name)?.server ?? [];
  const value = median(speedsOf(timesOf('read an organization'), timesOf('the same by token')));
  const what = 'a request with a token, of one with a cookie';
  return { what, value, unit: '', bound: { atMost: maxTokenCost } };
}
