import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { findFreePort } from '../support/network/free-port.ts';
import { atEndOf, type Owner } from '../support/endings.ts';
import type { Scenario } from './scenario.ts';
import { startPlainProxy } from '../support/network/plain-proxy.ts';
import {
  freshPlace,
  ownerSettings,
  send,
  signInOwner,
  startServerProcess,
  until,
  type ServerProcess,
} from '../support/server/server-process.ts';

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  fault: 'SIGTERM to two replicas alternately, ten times each, behind a simple proxy',
  run: async (owner) => {
    const { requestCount, acknowledgedCount } = await restartAlternately(owner, 10);
    return { result: `0 of ${requestCount.toLocaleString('en')} requests failed`, acknowledgedCount };
  },
};

interface RollingRestarts {
  readonly requestCount: number;
  readonly acknowledgedCount: number;
}

const clients = 8;

/**
 * Restarts two replicas alternately, `rounds` times each, while clients create and read dashboards through a simple proxy.
 * Throws if a request fails, or an acknowledged dashboard is missing afterwards.
 */
export async function restartAlternately(owner: Owner, rounds: number): Promise<RollingRestarts> {
  const place = { ...(await freshPlace(owner, 'PostgreSQL')), ...ownerSettings, ATRIUM_DRAIN_SECONDS: '1' };
  const environments = [];
  for (let index = 0; index < 2; index += 1)
    environments.push({ ...place, PORT: String(await findFreePort()) });
  const servers: ServerProcess[] = [];
  for (const environment of environments) servers.push(await startServerProcess(owner, { environment }));
  const proxy = await startPlainProxy(servers.map(({ url }) => url));
  atEndOf(owner, () => proxy.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * clients });
  atEndOf(owner, () => agent.destroy());
  const account = { ...(await signInOwner(proxy)), url: proxy.url };

  const ended = new AbortController();
  let requestCount = 0;
  const failures: string[] = [];
  const created = new Set<string>();

  async function request(line: string, body?: object): Promise<{ id?: string } | undefined> {
    requestCount += 1;
    try {
      const response = await send(account, line, { agent, body });
      if (response.status < 300) return response.body as object;
      failures.push(`${line}: ${response.status} ${JSON.stringify(response.body)}`);
    } catch (error) {
      failures.push(`${line}: ${String(error)}`);
    }
    return undefined;
  }

  async function work(): Promise<void> {
    while (!ended.signal.aborted) {
      const dashboard = await request('POST /api/dashboards', { name: 'Sales' });
      if (dashboard?.id === undefined) continue;
      created.add(dashboard.id);
      await request(`GET /api/dashboards/${dashboard.id}`);
      await request('GET /api/auth/get-session');
    }
  }

  const working = Promise.all(Array.from({ length: clients }, work));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, environment] of environments.entries()) {
        const { code, errorOutput } = await (servers[index] ?? assert.fail()).end('SIGTERM');
        assert.equal(code, 0, errorOutput);
        servers[index] = await startServerProcess(owner, { environment });
        await until('the proxy has noticed', () => proxy.readyCount() === 2 || undefined);
      }
    }
  } finally {
    ended.abort();
    await working;
  }
  assert.deepEqual(failures.slice(0, 20), [], `${failures.length} of ${requestCount} requests failed`);
  const statuses = await Promise.all(
    [...created].map(async (id) => (await send(account, `GET /api/dashboards/${id}`, { agent })).status),
  );
  assert.ok(
    statuses.every((status) => status === 200),
    'an acknowledged dashboard is lost',
  );
  return { requestCount, acknowledgedCount: created.size };
}
