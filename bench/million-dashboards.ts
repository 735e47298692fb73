import { signIn } from './account.ts';
import { startAtrium, type AtriumServer } from './atrium-server.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './leftovers.ts';
import type { Measurement } from './load-generator.ts';
import { createDashboard, listDashboards, readDashboard, type LoadRequest } from './requests.ts';
import { residentMemoryBytes } from './resident-memory.ts';
import { median, type Bench, type Section } from './section.ts';
import { storeDashboards } from './stored-dashboards.ts';
import { formatCount, formatMegabytes, formatRatios, speedColumns } from './table.ts';

const connections = 50;
/** What the empty database has, so that reads and lists find as much to answer with as in the full one. */
const fewDashboards = 2000;
const neighbourCount = 100;

/** A server with what to ask it: each kind of request as a list, sent in turn. */
interface Side {
  readonly directory: string;
  readonly server: AtriumServer;
  readonly requests: readonly (readonly LoadRequest[])[];
}

/** Measures in turn a server with a million dashboards of 101 organizations and one that has hardly any. */
export async function measureMillionDashboards({ drive, seconds, rounds, isQuick }: Bench): Promise<Section> {
  const dashboardCount = isQuick ? 20_000 : 1_000_000;
  const empty = await startWith({ dashboardCount: fewDashboards, neighbourCount: 0 });
  const full = await startWith({ dashboardCount, neighbourCount });
  const driveOne = (side: Side, requests: readonly LoadRequest[]) =>
    drive({ origin: side.server.origin, connections, requests, until: { seconds } });

  const kinds = empty.requests.map((emptyRequests, index) => ({
    name: emptyRequests[0]?.name ?? '',
    requests: { empty: emptyRequests, full: full.requests[index] ?? [] },
    empty: [] as Measurement[],
    full: [] as Measurement[],
  }));
  // The round before the first warms both up.
  for (let round = -1; round < rounds; round += 1) {
    for (const kind of kinds) {
      const measured = {
        empty: await driveOne(empty, kind.requests.empty),
        full: await driveOne(full, kind.requests.full),
      };
      if (round < 0) continue;
      kind.empty.push(measured.empty);
      kind.full.push(measured.full);
    }
  }
  const residentBytes = residentMemoryBytes(full.server.processId);
  await Promise.all([end(empty), end(full)]);

  const results = kinds.map(({ name, empty, full }) => {
    const ratios = full.map((one, round) => one.requestsPerSecond / (empty[round]?.requestsPerSecond ?? NaN));
    return { name, ratios, empty, full };
  });
  const startMs = full.server.startMs.toFixed(0);
  return {
    title:
      `With ${formatCount(dashboardCount)} dashboards stored, against ${formatCount(fewDashboards)} ` +
      `(starts in ${startMs} ms, ${formatMegabytes(residentBytes)} MB resident at the end)`,
    rows: results.flatMap(({ name, ratios, empty, full }) => [
      { request: name, database: 'empty', ...speedColumns(empty), 'of the empty': '' },
      { request: name, database: 'full', ...speedColumns(full), 'of the empty': formatRatios(ratios) },
    ]),
    goals: results.map(({ name, ratios }) => ({
      what: `${name}, full database of the empty`,
      value: median(ratios),
      unit: '',
      bound: { atLeast: 0.8 },
    })),
    details: { dashboardCount, startMs: full.server.startMs, residentBytes, results },
  };
}

/** Starts a server on a database with stored dashboards. The first start makes the schema and the owner. */
async function startWith(stored: Parameters<typeof storeDashboards>[1]): Promise<Side> {
  const directory = makeTemporaryDirectory();
  await (await startAtrium(directory)).stop();
  const ids = storeDashboards(directory, stored);
  const server = await startAtrium(directory);
  const account = await signIn(server.origin);
  const reads = ids.map((id) => readDashboard(account, id));
  return { directory, server, requests: [[createDashboard(account)], reads, [listDashboards(account)]] };
}

async function end({ server, directory }: Side): Promise<void> {
  await server.stop();
  removeTemporaryDirectory(directory);
}
