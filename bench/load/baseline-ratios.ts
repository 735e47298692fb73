import { sendForId, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { compareInTurn, type Pair } from './comparison.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import type { Target } from '../server/process-usage.ts';
import {
  createDashboard,
  baselineGet,
  getSession,
  listDashboardsBy,
  readDashboard,
  saveSsoConfiguration,
  type LoadRequest,
} from './requests.ts';
import { median, type Bench, type Section } from '../section.ts';
import { formatRatios, speedColumns } from '../table.ts';

const connections = 50;

/** The goals, as parts of the baseline's speed, by the name of the request. */
const minRatios: Readonly<Record<string, number>> = {
  'create a dashboard': 0.3,
  'read a dashboard': 0.6,
  'get-session': 0.65,
  'list 20 dashboards': 0.25,
};

/** Measures each request of the server, on a fresh database, against the baseline's POST. */
export async function measureBaselineRatios({ drive, baseline, seconds, rounds }: Bench): Promise<Section> {
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const create = createDashboard(account);
  const id = await sendForId(server.origin, create);
  const against = (target: Target, request: LoadRequest): Pair => ({
    name: request.name,
    subject: { target, requests: [request] },
    base: { target: baseline, requests: [create] },
  });
  const pairs = [
    against(server, create),
    against(server, readDashboard(account, id)),
    against(server, saveSsoConfiguration(account)),
    against(server, getSession(account)),
    against(server, listDashboardsBy(account, 'list 20 dashboards', '?limit=20')),
    against(baseline, baselineGet),
  ];
  const comparisons = await compareInTurn(drive, pairs, { connections, seconds, rounds });
  await server.stop();
  return {
    title: `Against the baseline: ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
    rows: [
      ...comparisons.map(({ name, subject, ratios }) => ({
        request: name,
        ...speedColumns(subject),
        'of the baseline': formatRatios(ratios),
      })),
      { request: "the baseline's POST", ...speedColumns(comparisons.flatMap(({ base }) => base)) },
    ],
    goals: comparisons.flatMap(({ name, ratios }) => {
      const atLeast = minRatios[name];
      if (atLeast === undefined) return [];
      return [{ what: `${name}, of the baseline`, value: median(ratios), unit: '', bound: { atLeast } }];
    }),
    details: comparisons,
  };
}
