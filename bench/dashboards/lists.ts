import { performance } from 'node:perf_hooks';
import { signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { waitForIndex } from './indexed.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../server/leftovers.ts';
import type { Measurement } from '../load/generator.ts';
import { listDashboardsBy, type Account, type LoadRequest } from '../load/requests.ts';
import { median, type Bench, type Goal, type Section } from '../section.ts';
import { storeDashboards } from './stored.ts';
import { formatCount, speedColumns } from '../table.ts';

const connections = 50;
/** How many dashboards an organization has, and the goal for the p99 of lists of 50. */
const sizes = [
  { dashboardCount: 1_000, atMostMs: 20 },
  { dashboardCount: 100_000, atMostMs: 20 },
  { dashboardCount: 1_000_000, atMostMs: 40 },
];

interface Measured {
  readonly dashboardCount: number;
  readonly atMostMs: number;
  readonly name: string;
  readonly rounds: readonly Measurement[];
}

/** Measures lists of 50 dashboards, and searches, among all those of one organization. */
export async function measureDashboardLists(bench: Bench): Promise<Section> {
  const measured: Measured[] = [];
  const indexing: { dashboardCount: number; seconds: number }[] = [];
  for (const { dashboardCount, atMostMs } of sizes) {
    const stored = bench.isQuick ? Math.max(100, dashboardCount / 50) : dashboardCount;
    const directory = makeTemporaryDirectory();
    await (await startAtrium(directory)).stop();
    await storeDashboards(directory, { dashboardCount: stored, neighborCount: 0 });
    const server = await startAtrium(directory);
    const account = await signIn(server.origin);
    const startedAt = performance.now();
    await waitForIndex(server.origin, account);
    indexing.push({ dashboardCount: stored, seconds: (performance.now() - startedAt) / 1000 });
    for (const requests of listsOf(account, stored)) {
      const rounds: Measurement[] = [];
      for (let round = 0; round <= Math.min(bench.rounds, 5); round += 1) {
        const result = await bench.drive(server, {
          connections,
          requests,
          until: { seconds: bench.seconds },
        });
        if (round > 0) rounds.push(result);
      }
      measured.push({ dashboardCount: stored, atMostMs, name: requests[0]?.name ?? '', rounds });
    }
    await server.stop();
    removeTemporaryDirectory(directory);
  }
  const inWords = indexing.map(
    ({ dashboardCount, seconds }) => `${formatCount(dashboardCount)} in ${seconds.toFixed(1)} s`,
  );
  return {
    title: `Lists of 50, and searches, in one organization: ${connections} connections (indexed: ${inWords.join(', ')})`,
    rows: measured.map(({ name, dashboardCount, rounds }) => ({
      request: name,
      among: formatCount(dashboardCount),
      ...speedColumns(rounds),
    })),
    goals: [
      ...measured.map(({ name, dashboardCount, atMostMs, rounds }) => ({
        what: `p99 of ${name} among ${formatCount(dashboardCount)}`,
        value: p99Of(rounds),
        unit: 'ms' as const,
        bound: { atMost: atMostMs },
      })),
      ...growthGoals(measured),
    ],
    details: { measured, indexing },
  };
}

/** The goal that lists and searches take at most three times as long among the second size as among the first. */
function growthGoals(measured: readonly Measured[]): Goal[] {
  const [few, many] = [...Map.groupBy(measured, ({ dashboardCount }) => dashboardCount).values()];
  return (many ?? []).map(({ name, dashboardCount, rounds }) => {
    const base = few?.find((one) => one.name === name);
    return {
      what: `p99 of ${name} among ${formatCount(dashboardCount)}, of that among ${formatCount(base?.dashboardCount ?? 0)}`,
      value: p99Of(rounds) / p99Of(base?.rounds ?? []),
      unit: '',
      bound: { atMost: 3 },
    };
  });
}

const p99Of = (rounds: readonly Measurement[]): number =>
  median(rounds.map(({ latencyMs }) => latencyMs.p99));

/** Returns each kind of request: lists in each order, then searches for words in many, some and few names. */
function listsOf(account: Account, dashboardCount: number): LoadRequest[][] {
  const scope = `organizationId=${account.organizationId}`;
  const numbers = Array.from({ length: 100 }, (_, index) => Math.floor((dashboardCount * index) / 100));
  const list = (name: string, query: string) => listDashboardsBy(account, name, `?${scope}${query}`);
  const search = (name: string, words: readonly string[]) =>
    words.map((word) => list(name, `&q=${encodeURIComponent(word)}`));
  return [
    [list('list', '')],
    [list('list by name', '&sort=name')],
    [list('list by update', '&sort=updated')],
    search('search for a word of all', ['dash', 'dashboard', 'd']),
    search('search for a word of some', ['revenue', 'churn', 'uber', 'twelve mon', 'sales dash']),
    search(
      'search for one',
      numbers.map((number) => `dashboard ${number}`),
    ),
  ];
}
