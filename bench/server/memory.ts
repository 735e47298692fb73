import { sendForId, signIn } from './account.ts';
import { startAtrium } from './atrium-server.ts';
import { makeTemporaryDirectory } from './leftovers.ts';
import {
  createDashboard,
  getSession,
  readDashboard,
  saveSsoConfiguration,
  type Account,
  type LoadRequest,
} from '../load/requests.ts';
import type { Bench, Section } from '../section.ts';
import { formatCount, speedColumns } from '../table.ts';

const connections = 50;

/**
 * Measures the memory of a server that has served a million requests since its start, in a mix like that of an
 * office.
 */
export async function measureMemory({ drive, isQuick }: Bench): Promise<Section> {
  const requestCount = isQuick ? 20_000 : 1_000_000;
  const server = await startAtrium(makeTemporaryDirectory());
  const account = await signIn(server.origin);
  const id = await sendForId(server.origin, createDashboard(account));
  const requests = officeMix(account, id);
  const measured = await drive(server, { connections, requests, until: { requestCount } });
  await server.stop();
  return {
    title:
      `Memory after ${formatCount(requestCount)} requests: ` +
      'of 20 they are 11 reads, 6 get-session, 2 creates, 1 SSO configuration',
    rows: [{ requests: formatCount(measured.requestCount), ...speedColumns([measured]) }],
    goals: [
      {
        what: 'resident memory',
        value: measured.residentBytes / 1_000_000,
        unit: 'MB',
        bound: { atMost: 300 },
      },
    ],
    details: measured,
  };
}

/**
 * The mix repeated so that at any moment, the connections send different requests: one request for each
 * connection, 20 times.
 */
function officeMix(account: Account, id: string): LoadRequest[] {
  const mix = [
    ...Array<LoadRequest>(11).fill(readDashboard(account, id)),
    ...Array<LoadRequest>(6).fill(getSession(account)),
    ...Array<LoadRequest>(2).fill(createDashboard(account)),
    saveSsoConfiguration(account),
  ];
  // Each connection sends every 50th; 7 and 20 have no common divisor, so each connection sends all of the mix.
  const inTurn = Array.from({ length: connections * mix.length }, (_, index) => {
    const turn = Math.floor(index / connections);
    return mix[((turn + (index % connections)) * 7) % mix.length];
  });
  return inTurn.filter((request) => request !== undefined);
}
