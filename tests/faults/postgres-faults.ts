import assert from 'node:assert/strict';
import type { Owner } from '../support/endings.ts';
import { startFaultProxy, type FaultProxy } from '../support/network/fault-proxy.ts';
import { startPostgres, type PostgresServer } from '../support/storage/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  freshPlace,
  ownerSettings,
  rootKey,
  send,
  signInOwner,
  startServerProcess,
  until,
  type Account,
} from '../support/server/server-process.ts';
import { emptyLedger, verify, writeUntilBroken } from './dashboard-client.ts';
import type { Scenario } from './scenario.ts';

const longestResponseMs = 20_000;
const lostCommits = 40;

interface Place {
  readonly account: Account;
  readonly postgres: PostgresServer;
  readonly proxy: FaultProxy;
}

/** Starts Atrium and a PostgreSQL server that it reaches through a proxy. */
async function startBehindProxy(owner: Owner): Promise<Place> {
  const postgres = await startPostgres({ durable: true });
  owner.after(() => postgres.stop());
  const address = new URL(postgres.url);
  const proxy = await startFaultProxy({ host: address.hostname, port: Number(address.port) });
  owner.after(() => proxy.close());
  address.port = String(proxy.port);
  const server = await startServerProcess(owner, {
    environment: {
      ...(await freshPlace(owner, 'SQLite')),
      ...ownerSettings,
      DATABASE_URL: address.href,
      ATRIUM_SECRET_KEY: rootKey,
    },
  });
  return { account: await signInOwner(server), postgres, proxy };
}

const untilReady = (account: Account): Promise<true> =>
  until('Atrium is ready again', async () => {
    const { status } = await send(account, 'GET /api/health/ready');
    return status === 200 ? true : undefined;
  });

/** The network stops forwarding bytes without closing connections. */
export const partition: Scenario = {
  name: 'partition',
  fault: 'Silent network partition between Atrium and PostgreSQL',
  run: async (owner, seed) => {
    const { account, proxy } = await startBehindProxy(owner);
    const ledger = emptyLedger();
    let slowestMs = 0;
    for (const includingNew of [false, true]) {
      let isCut = false;
      await writeUntilBroken(account, ledger, seededRandom(seed), {
        isKilled: () => isCut,
        onAcknowledged: () => {
          if (isCut || ledger.acknowledged.size % 100 !== 0) return;
          isCut = true;
          proxy.partition({ includingNew });
        },
      });
      const startedAt = performance.now();
      const { status } = await send(account, 'GET /api/dashboards');
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      assert.ok(includingNew ? status === 503 : [200, 503].includes(status), `${status}`);
      proxy.heal();
      await untilReady(account);
    }
    assert.ok(slowestMs < longestResponseMs, `a response took ${slowestMs} ms`);
    await verify(account, ledger, { everything: true });
    return {
      result: `every request got a response, the slowest read after ${(slowestMs / 1_000).toFixed(1)} s, and everything worked again without a restart`,
      acknowledgedCount: ledger.acknowledged.size,
    };
  },
};

/** The connection breaks between a commit and its response, and the client retries with the same key. */
export const lostCommit: Scenario = {
  name: 'lost-commit',
  fault: 'The response to COMMIT is lost, and the client retries with the same Idempotency-Key',
  run: async (owner) => {
    const { account, proxy } = await startBehindProxy(owner);
    for (let count = 1; count <= lostCommits; count += 1) {
      const lost = proxy.loseResponseTo('commit');
      const create = (): Promise<number> =>
        send(account, 'POST /api/dashboards', {
          body: { name: `Dashboard ${count}` },
          headers: { 'idempotency-key': `create-${count}` },
        }).then(({ status }) => status);
      const first = await create();
      await lost;
      assert.equal(first, 503);
      await untilReady(account);
      assert.equal(await create(), 201);
    }
    const { body } = await send(account, 'GET /api/dashboards?limit=200');
    const names = (body.items as { name: string }[]).map(({ name }) => name);
    assert.equal(names.length, lostCommits);
    assert.equal(new Set(names).size, lostCommits);
    return {
      result: `${lostCommits} commits without a response, each retried: ${names.length} dashboards, no duplicates`,
      acknowledgedCount: lostCommits,
    };
  },
};

/** The primary is killed while dashboards are created, and its synchronous standby is promoted. */
export const failover: Scenario = {
  name: 'failover',
  fault: 'PostgreSQL is killed, and its synchronous standby takes over',
  run: async (owner, seed) => {
    const { account, postgres, proxy } = await startBehindProxy(owner);
    const standby = await postgres.startStandby();
    owner.after(() => standby.stop());
    const ledger = emptyLedger();
    let isKilled = false;
    await writeUntilBroken(account, ledger, seededRandom(seed), {
      isKilled: () => isKilled,
      onAcknowledged: () => {
        if (isKilled || ledger.acknowledged.size < 500) return;
        isKilled = true;
        process.kill(postgres.processId, 'SIGKILL');
      },
    });
    // A standby is read-only until it is promoted, and so is Atrium.
    const address = new URL(standby.url);
    proxy.retarget({ host: address.hostname, port: Number(address.port) });
    await until('reads work on the standby', async () => {
      const { status } = await send(account, 'GET /api/dashboards');
      return status === 200 ? true : undefined;
    });
    const refused = await send(account, 'POST /api/dashboards', { body: { name: 'refused' } });
    assert.equal(refused.status, 503, JSON.stringify(refused.body));
    assert.equal((await send(account, 'GET /api/health/ready')).status, 503);
    await standby.promote();
    await untilReady(account);
    await verify(account, ledger, { everything: true });
    const again = await send(account, 'POST /api/dashboards', { body: { name: 'again' } });
    assert.equal(again.status, 201);
    return {
      result:
        'reads worked and writes returned 503 until the standby was promoted, then both worked, without a restart',
      acknowledgedCount: ledger.acknowledged.size,
    };
  },
};
