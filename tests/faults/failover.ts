import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import type { Owner } from '../support/endings.ts';
import { openEvents } from '../support/server/event-reader.ts';
import {
  freshPlace,
  ownerSettings,
  rootKey,
  send,
  signInOwner,
  startServerProcess,
  until,
  type ProcessResponse,
} from '../support/server/server-process.ts';
import { startPostgres } from '../support/storage/postgres.ts';
import type { Scenario } from './scenario.ts';

const rounds = 5;
const clients = 4;
/** The promise of docs/operation/high-availability.md, in milliseconds. */
export const longestPauseMs = 3_000;
const longestResponseMs = 14_000;

export const failoverOfHosts: Scenario = {
  name: 'failover-hosts',
  fault: `PostgreSQL is killed, and its synchronous standby, the second host of DATABASE_URL, takes over, ${rounds} times`,
  run: async (owner) => {
    const failovers = [];
    for (let round = 0; round < rounds; round += 1) failovers.push(await failOver(owner));
    const pauses = failovers.map(({ pauseMs }) => Math.round(pauseMs)).toSorted((one, other) => one - other);
    for (const pauseMs of pauses) assert.ok(pauseMs < longestPauseMs, `the first write took ${pauseMs} ms`);
    return {
      result: `the first write was acknowledged ${pauses.join(', ')} ms after the promotion, without a restart; until then, writes returned 503`,
      acknowledgedCount: failovers.reduce((sum, { acknowledgedCount }) => sum + acknowledgedCount, 0),
    };
  },
};

interface Failover {
  /** The time from the start of the promotion to the first acknowledged write. */
  readonly pauseMs: number;
  readonly acknowledgedCount: number;
}

/**
 * Kills the primary while clients create dashboards, promotes the standby, and brings the former primary back as a
 * second primary. Throws if a write is lost, if a response is neither 201 nor 503, or if live events don't continue. The caller
 * judges the pause, which depends on how busy the machine is.
 */
export async function failOver(owner: Owner): Promise<Failover> {
  const postgres = await startPostgres({ durable: true });
  owner.after(() => postgres.stop());
  const standby = await postgres.startStandby();
  owner.after(() => standby.stop());
  const databaseUrl = new URL(postgres.url);
  const server = await startServerProcess(owner, {
    environment: {
      ...(await freshPlace(owner, 'SQLite')),
      ...ownerSettings,
      DATABASE_URL: databaseUrl.href.replace(
        databaseUrl.host,
        `${databaseUrl.host},${new URL(standby.url).host}`,
      ),
      ATRIUM_SECRET_KEY: rootKey,
    },
  });
  const account = await signInOwner(server);
  const agent = new Agent({ keepAlive: true });
  owner.after(() => agent.destroy());
  const acknowledged = new Set<string>();
  const ended = new AbortController();
  let refusedCount = 0;
  let promotedAt = Infinity;
  let pauseMs: number | undefined;

  async function create(): Promise<ProcessResponse> {
    const startedAt = performance.now();
    const response = await send(account, 'POST /api/dashboards', { body: { name: 'Sales' }, agent });
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < longestResponseMs, `a response took ${tookMs} ms`);
    if (response.status === 503) refusedCount += 1;
    else {
      assert.equal(response.status, 201, JSON.stringify(response.body));
      acknowledged.add(response.body.id);
      if (startedAt > promotedAt) pauseMs ??= performance.now() - promotedAt;
    }
    return response;
  }
  const { id } = (await create()).body;
  const events = await openEvents(owner, `${server.url}/api/dashboards/${id}/events`, {
    cookie: account.cookie,
  });
  assert.equal((await events.next())?.event, 'state');

  const creating = Array.from({ length: clients }, async () => {
    while (!ended.signal.aborted) await create();
  });
  const failure = Promise.all(creating).then(() => undefined);
  const orFailure = <Result>(work: Promise<Result>) => Promise.race([work, failure.then(() => work)]);
  await orFailure(until('some writes are acknowledged', () => acknowledged.size > 50 || undefined));
  process.kill(postgres.processId, 'SIGKILL');
  await orFailure(until('writes are refused', () => refusedCount > 20 || undefined));
  assert.equal((await send(account, 'GET /api/health/live')).status, 200);
  assert.equal((await send(account, 'GET /api/health/ready')).status, 503);
  promotedAt = performance.now();
  await standby.promote();
  await orFailure(until('a write is acknowledged', () => pauseMs));
  const countBefore = acknowledged.size;
  // The former primary comes back, and would accept writes.
  await postgres.restart();
  await orFailure(
    until('more writes are acknowledged', () => acknowledged.size > countBefore + 50 || undefined),
  );
  ended.abort();
  await failure;

  const statuses = await Promise.all(
    [...acknowledged].map(
      async (each) => (await send(account, `GET /api/dashboards/${each}`, { agent })).status,
    ),
  );
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
    'an acknowledged dashboard is lost',
  );
  assert.equal((await send(account, 'GET /api/health/ready')).status, 200);
  const renamed = await send(account, `PATCH /api/dashboards/${id}`, {
    body: { name: 'Sales 2' },
    headers: { 'if-match': '*' },
  });
  assert.equal(renamed.status, 200);
  const event = await events.next();
  assert.deepEqual([event?.event, event?.data.version], ['saved', 2]);
  assert.ok(pauseMs !== undefined);
  return { pauseMs, acknowledgedCount: acknowledged.size };
}
