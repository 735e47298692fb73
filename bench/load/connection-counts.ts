import { sendForId, signIn } from '../server/account.ts';
import { startAtrium } from '../server/atrium-server.ts';
import { makeTemporaryDirectory } from '../server/leftovers.ts';
import { createDashboard, getSession, readDashboard, saveSsoConfiguration } from './requests.ts';
import type { Bench, Section } from '../section.ts';
import { speedColumns } from '../table.ts';

const connectionCounts = [1, 10, 50, 200];

/** Measures the same requests with one client and with many. */
export async function measureConnectionCounts({ drive, baseline, seconds }: Bench): Promise<Section> {
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const create = createDashboard(account);
  const id = await sendForId(server.origin, create);
  const requests = [create, readDashboard(account, id), saveSsoConfiguration(account), getSession(account)];
  const until = { seconds };
  for (const request of requests) await drive(server, { connections: 50, requests: [request], until });

  const results = [];
  for (const connections of connectionCounts) {
    const baselineSpeed = await drive(baseline, { connections, requests: [create], until });
    for (const request of requests) {
      const measured = await drive(server, { connections, requests: [request], until });
      const ratio = measured.requestsPerSecond / baselineSpeed.requestsPerSecond;
      results.push({ connections, request: request.name, ratio, measured, baseline: baselineSpeed });
    }
  }
  await server.stop();
  return {
    title: 'With fewer and more connections',
    rows: results.map(({ connections, request, ratio, measured }) => ({
      connections: String(connections),
      request,
      ...speedColumns([measured]),
      'of the baseline': ratio.toFixed(2),
    })),
    goals: [],
    details: results,
  };
}
