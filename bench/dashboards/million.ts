import { signIn } from '../server/account.ts';
import { startAtrium, type AtriumServer } from '../server/atrium-server.ts';
import { compareInTurn } from '../load/comparison.ts';
import { waitForIndex } from './indexed.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../server/leftovers.ts';
import { createDashboard, listDashboards, readDashboard, type LoadRequest } from '../load/requests.ts';
import { median, type Bench, type Section } from '../section.ts';
import { storeDashboards } from './stored.ts';
import { formatCount, formatRatios, speedColumns } from '../table.ts';

const connections = 50;
/** The content of the empty database, so that reads and lists return as much as in the full one. */
const fewDashboards = 2000;
const neighborCount = 100;

interface FilledServer {
  readonly directory: string;
  readonly server: AtriumServer;
  /** Each kind of request, with all its ids. */
  readonly requests: readonly (readonly LoadRequest[])[];
}

/** Measures a server with a million dashboards of 101 organizations against one with hardly any. */
export async function measureMillionDashboards(bench: Bench): Promise<Section> {
  const { drive, seconds, rounds, isQuick } = bench;
  const dashboardCount = isQuick ? 20_000 : 1_000_000;
  const empty = await startFilled({ dashboardCount: fewDashboards, neighborCount: 0 });
  const full = await startFilled({ dashboardCount, neighborCount });
  const pairs = full.requests.map((requests, index) => ({
    name: requests[0]?.name ?? '',
    subject: { target: full.server, requests },
    base: { target: empty.server, requests: empty.requests[index] ?? [] },
  }));
  const comparisons = await compareInTurn(drive, pairs, { connections, seconds, rounds });
  await Promise.all([end(empty), end(full)]);
  const { startMs } = full.server;
  return {
    title:
      `With ${formatCount(dashboardCount)} dashboards stored (start in ${startMs.toFixed(0)} ms), ` +
      `against ${formatCount(fewDashboards)}`,
    rows: comparisons.flatMap(({ name, ratios, subject, base }) => [
      { request: name, database: 'empty', ...speedColumns(base), 'of the empty': '' },
      { request: name, database: 'full', ...speedColumns(subject), 'of the empty': formatRatios(ratios) },
    ]),
    goals: comparisons.map(({ name, ratios }) => ({
      what: `${name}, full database of the empty`,
      value: median(ratios),
      unit: '',
      bound: { atLeast: 0.8 },
    })),
    details: { dashboardCount, startMs, comparisons },
  };
}

/** Starts a server on a database with stored dashboards. An earlier start creates the schema and the owner. */
async function startFilled(stored: Parameters<typeof storeDashboards>[1]): Promise<FilledServer> {
  const directory = makeTemporaryDirectory();
  await (await startAtrium(directory)).stop();
  const ids = await storeDashboards(directory, stored);
  const server = await startAtrium(directory);
  const account = await signIn(server.origin);
  await waitForIndex(server.origin, account);
  const reads = ids.map((id) => readDashboard(account, id));
  return { directory, server, requests: [[createDashboard(account)], reads, [listDashboards(account)]] };
}

/** Stops the server and frees its large database immediately. */
async function end({ server, directory }: FilledServer): Promise<void> {
  await server.stop();
  removeTemporaryDirectory(directory);
}
