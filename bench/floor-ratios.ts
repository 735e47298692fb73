import { sendForId, signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { compareInTurn, type Pair } from './comparison.ts';
import { makeTemporaryDirectory } from './leftovers.ts';
import type { Target } from './process-usage.ts';
import {
  createDashboard,
  floorGet,
  getSession,
  listDashboardsBy,
  readDashboard,
  saveSsoConfiguration,
  type LoadRequest,
} from './requests.ts';
import { median, type Bench, type Section } from './section.ts';
import { formatRatios, speedColumns } from './table.ts';

const connections = 50;

/** What part of the floor's speed is promised, by the name of the request. */
const leastRatios: Readonly<Record<string, number>> = {
  'create a dashboard': 0.3,
  'read a dashboard': 0.6,
  'get-session': 0.65,
  'list 20 dashboards': 0.25,
};

/** Measures each request of the server, on a database that was fresh, against the floor's POST. */
export async function measureFloorRatios({ drive, floor, seconds, rounds }: Bench): Promise<Section> {
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const create = createDashboard(account);
  const id = await sendForId(server.origin, create);
  const against = (target: Target, request: LoadRequest): Pair => ({
    name: request.name,
    subject: { target, requests: [request] },
    base: { target: floor, requests: [create] },
  });
  const pairs = [
    against(server, create),
    against(server, readDashboard(account, id)),
    against(server, saveSsoConfiguration(account)),
    against(server, getSession(account)),
    against(server, listDashboardsBy(account, 'list 20 dashboards', '?limit=20')),
    against(floor, floorGet),
  ];
  const comparisons = await compareInTurn(drive, pairs, { connections, seconds, rounds });
  await server.stop();
  return {
    title: `Against the floor: ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
    rows: [
      ...comparisons.map(({ name, subject, ratios }) => ({
        request: name,
        ...speedColumns(subject),
        'of the floor': formatRatios(ratios),
      })),
      { request: "the floor's POST", ...speedColumns(comparisons.flatMap(({ base }) => base)) },
    ],
    goals: comparisons.flatMap(({ name, ratios }) => {
      const atLeast = leastRatios[name];
      if (atLeast === undefined) return [];
      return [{ what: `${name}, of the floor`, value: median(ratios), unit: '', bound: { atLeast } }];
    }),
    details: comparisons,
  };
}
