import pg from 'pg';
import { codeOf } from '../../base/errors.ts';
import type { DatabaseUsage } from '../database.ts';
import { isReadOnly, isStuck } from './errors.ts';
import type { RowBudget } from '../row-budget.ts';
import type { Hosts } from './hosts.ts';
import { runQuery } from './run-query.ts';
import { destroySoon } from './sockets.ts';

/** The deadline of each step of a request. */
export interface Deadlines {
  /** The wait for a free connection, or a new one. */
  readonly connectMs: number;
  /** The wait for a response to a statement. After that, the connection is considered stuck, and is closed. */
  readonly responseMs: number;
  /** The time of a read on the server; less than `responseMs`, so that a slow read does not lose its connection. */
  readonly readMs: number;
  /** The wait for a lock that another transaction holds. */
  readonly lockMs: number;
  /** After which the server ends a transaction whose client has gone silent, and frees its locks. */
  readonly idleInTransactionMs: number;
  /** How often a connection that only listens is checked, since it may receive nothing for hours. */
  readonly heartbeatMs: number;
}

/**
 * With these, a request gets its response within eleven seconds whatever the network does, and usually within six. With
 * several hosts, the search for one that works takes up to two more.
 */
export const requestDeadlines: Deadlines = {
  connectMs: 5_000,
  responseMs: 6_000,
  readMs: 5_000,
  lockMs: 4_000,
  idleInTransactionMs: 15_000,
  heartbeatMs: 10_000,
};

/** Connections for one purpose. Each purpose has its own, so that none can use up those of another. */
export interface Connections {
  /** Returns a connection, which must be released with `release`. */
  acquire(): Promise<pg.PoolClient>;
  /** Returns a connection to the pool, or closes it if it must not be used again after `error`. */
  release(client: pg.PoolClient, error: unknown, isUsable: boolean): void;
  /** Runs `work` with a connection, which is closed if `work` fails. */
  withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result>;
  /** Runs one statement. With a budget, its rows end where that is used up. */
  query(text: string, values?: unknown[], budget?: RowBudget): Promise<pg.QueryResult>;
}

export interface ConnectionPools {
  /** For reads. Writers that wait for a lock don't use these connections. */
  readonly reading: Connections;
  readonly writing: Connections;
  /** For work that may take long; statements have no deadline. */
  readonly slow: Connections;
  /** For readiness. */
  readonly checking: Connections;
  usage(): DatabaseUsage['pools'];
  /** Closes every connection that is idle, before its next use. */
  renew(): void;
  close(): Promise<void>;
}

/** Opens connections to the host in use as they are needed, up to 28 at once. */
export function createPools(hosts: Hosts, deadlines: Deadlines): ConnectionPools {
  const { connectMs, responseMs, readMs, lockMs, idleInTransactionMs } = deadlines;
  /** When the server was last heard from on a connection. */
  const heardAt = new WeakMap<pg.PoolClient, number>();
  /** A connection that was silent since before then is not used again. */
  let trustedSince = -Infinity;
  const pools = new Map<string, pg.Pool>();
  const open = new Set<pg.PoolClient>();
  /** The host of each connection. */
  const urlOf = new WeakMap<pg.ClientBase, string>();

  /** The pool gives every connection the same options, but the host in use can change. */
  class HostClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      const url = hosts.url();
      super({ ...options, connectionString: url });
      urlOf.set(this, url);
    }
  }

  function createConnections(
    name: string,
    options: pg.PoolConfig,
    sessionSettings: Readonly<Record<string, number>>,
  ): Connections {
    const pool = new pg.Pool({
      Client: HostClient,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      ...options,
      // Not in the message that opens the connection: poolers refuse settings there that they do not know.
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, which its types don't say.
      onConnect: (client) => applySettings(client, sessionSettings, connectMs),
    });
    pools.set(name, pool);
    // An idle connection that breaks is replaced at its next use; without a listener the process would end.
    pool.on('error', (error, client) => failed(client, error));
    pool.on('connect', (client) => {
      // The same holds for a connection that breaks in a transaction; its running query rejects, which is enough.
      client.on('error', () => {});
      open.add(client);
      client.once('end', () => open.delete(client));
      heardAt.set(client, performance.now());
    });

    async function acquire(): Promise<pg.PoolClient> {
      for (;;) {
        await hosts.settle();
        const url = hosts.url();
        const client = await pool.connect().catch((error: unknown) => {
          hosts.failed(url, error);
          throw error;
        });
        if (urlOf.get(client) === hosts.url() && (heardAt.get(client) ?? 0) >= trustedSince) return client;
        discard(client);
      }
    }

    function failed(client: pg.ClientBase, error: unknown): void {
      const url = urlOf.get(client);
      if (url !== undefined) hosts.failed(url, error);
    }

    function release(client: pg.PoolClient, error: unknown, isUsable: boolean): void {
      failed(client, error);
      // After a network partition, each idle connection would make a request wait as long as the first one did.
      if (isStuck(error)) trustedSince = Math.max(trustedSince, performance.now() - responseMs);
      // A read-only session may stay read-only when its server no longer is.
      if (!isUsable || isStuck(error) || isReadOnly(error)) return discard(client);
      heardAt.set(client, performance.now());
      client.release();
    }

    async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
      const client = await acquire();
      let failure: unknown;
      try {
        return await work(client);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        release(client, failure, failure === undefined);
      }
    }

    const query: Connections['query'] = (text, values = [], budget) =>
      withClient((client) => runQuery(client, text, values, budget));
    return { acquire, release, withClient, query };
  }

  const transactionSettings = {
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const requestOptions = { connectionTimeoutMillis: connectMs, query_timeout: responseMs };
  return {
    reading: createConnections(
      'reading',
      { ...requestOptions, max: 10 },
      { statement_timeout: readMs, lock_timeout: lockMs },
    ),
    // No `statement_timeout`: during a commit it ends the wait for a synchronous standby, and the commit succeeds.
    writing: createConnections('writing', { ...requestOptions, max: 14 }, transactionSettings),
    slow: createConnections('slow', { max: 3, connectionTimeoutMillis: 30_000 }, {}),
    checking: createConnections(
      'checking',
      { max: 1, connectionTimeoutMillis: connectMs, query_timeout: connectMs },
      { lock_timeout: lockMs },
    ),
    usage: () =>
      Array.from(pools, ([name, { totalCount, idleCount, waitingCount }]) => ({
        name,
        usedCount: totalCount - idleCount,
        waitingCount,
      })),
    renew: () => {
      trustedSince = performance.now();
    },
    close: async () => {
      // By itself, a pool waits for connections in use, and never settles requests that wait for one.
      await Promise.all(Array.from(pools.values(), (pool) => pool.end()));
      for (const client of open) destroySoon(client);
    },
  };
}

/** Closes a connection and removes it from its pool. */
function discard(client: pg.PoolClient): void {
  client.release(true);
  destroySoon(client);
}

async function applySettings(
  client: pg.ClientBase,
  settings: Readonly<Record<string, number>>,
  withinMs: number,
): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  if (calls.length === 0) return;
  // The driver knows `query_timeout`; its types do not.
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: `select ${calls.join(', ')}`,
    query_timeout: withinMs,
  };
  try {
    await client.query(query);
  } catch (error) {
    // Classes 0A, 22 and 42: an engine without one of these settings, where the driver's own deadline has to do.
    if (!/^(0A|22|42)/.test(codeOf(error))) throw error;
  }
}
