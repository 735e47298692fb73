import { sendForId, signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';
import type { Measurement } from './load-generator.ts';
import {
  createDashboard,
  floorGet,
  getSession,
  readDashboard,
  saveSsoConfiguration,
  type LoadRequest,
} from './requests.ts';
import { residentMemoryBytes } from './resident-memory.ts';
import { median, type Bench, type Section } from './section.ts';
import { formatMegabytes, formatRatios, speedColumns } from './table.ts';

const connections = 50;
const warmUpSeconds = 1;

/** A request with the share of the floor's speed that it has to reach, if any. */
interface Subject {
  readonly request: LoadRequest;
  readonly atLeast?: number;
}

/** Measures each request of the server in turn with the floor, so that whatever else the machine does slows both. */
export async function measureFloorRatios(bench: Bench): Promise<Section> {
  const { drive, floorOrigin, seconds, rounds } = bench;
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const create = createDashboard(account);
  const id = await sendForId(server.origin, create);
  const subjects: Subject[] = [
    { request: create, atLeast: 0.3 },
    { request: readDashboard(account, id), atLeast: 0.6 },
    { request: saveSsoConfiguration(account) },
    { request: getSession(account), atLeast: 0.65 },
  ];

  const driveOne = (origin: string, request: LoadRequest, duration = seconds) =>
    drive({ origin, connections, requests: [request], until: { seconds: duration } });
  const driveFloor = () => driveOne(floorOrigin, create);
  await driveOne(floorOrigin, create, warmUpSeconds);
  for (const { request } of subjects) await driveOne(server.origin, request, warmUpSeconds);

  const results = subjects.map(({ request, atLeast }) => ({
    request,
    atLeast,
    floor: [] as Measurement[],
    server: [] as Measurement[],
    residentBytes: 0,
  }));
  const bareGets: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const result of results) {
      result.floor.push(await driveFloor());
      result.server.push(await driveOne(server.origin, result.request));
      result.residentBytes = residentMemoryBytes(server.processId);
    }
    bareGets.push(await driveOne(floorOrigin, floorGet));
  }
  await server.stop();

  const ratiosOf = ({ server, floor }: (typeof results)[number]) =>
    server.map(
      ({ requestsPerSecond }, round) => requestsPerSecond / (floor[round]?.requestsPerSecond ?? NaN),
    );
  const floor = results.flatMap((result) => result.floor);
  return {
    title: `Speed against the floor, ${connections} connections, ${rounds} rounds of ${seconds} s`,
    rows: [
      ...results.map((result) => ({
        request: result.request.name,
        ...speedColumns(result.server),
        'resident MB': formatMegabytes(result.residentBytes),
        'of the floor': formatRatios(ratiosOf(result)),
        goal: result.atLeast === undefined ? '' : `>= ${result.atLeast.toFixed(2)}`,
      })),
      { request: 'the floor: bare POST', ...speedColumns(floor) },
      { request: 'for information: bare GET', ...speedColumns(bareGets) },
    ],
    goals: results.flatMap((result) => {
      if (result.atLeast === undefined) return [];
      const what = `${result.request.name}, of the floor`;
      return [{ what, value: median(ratiosOf(result)), unit: '', bound: { atLeast: result.atLeast } }];
    }),
    details: {
      results: results.map((result) => ({
        ...result,
        request: result.request.name,
        ratios: ratiosOf(result),
      })),
      bareGets,
    },
  };
}
