import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseHosts } from '../../base/database/url.ts';
import type { Reader } from '../database.ts';
import { createPools, requestDeadlines, type Connections, type Deadlines } from './connections.ts';
import type { RowBudget } from '../row-budget.ts';
import { createHosts } from './hosts.ts';
import { runQuery } from './run-query.ts';

/** A read replica of a database. */
export interface Replica {
  /**
   * Returns a reader of the replica if that has everything that was committed before, otherwise of the primary. A read
   * that fails on the replica is done by the primary.
   */
  reader(): Promise<Reader>;
  close(): Promise<void>;
}

interface Primary {
  readonly connections: Connections;
  readonly reader: Reader;
  toReader(connections: Pick<Connections, 'query'>): Reader;
}

/** Short, since a read that fails is then done by the primary. */
const replicaDeadlines: Deadlines = {
  ...requestDeadlines,
  connectMs: 1_000,
  readMs: 2_500,
  responseMs: 3_000,
};
/** How long to wait for the replica, and how long not to use it if it was late, or failed. */
const waitMs = 100;
const skipLateMs = 1_000;
const skipFailedMs = 10_000;

const primaryPosition =
  'select pg_current_wal_flush_lsn()::text as position, (select id from instance) as instance';
/** Null if the server isn't a replica. */
const isCaughtUp =
  'select pg_last_wal_replay_lsn() >= $1::pg_lsn and (select id from instance) = $2 as "isCaughtUp"';

/** What a replica has to have replayed, and of which database. */
interface Position {
  readonly position: string;
  readonly instance: string;
}

class LateError extends Error {
  override readonly name = 'LateError';
}

/** Connects to a replica when it is first used, and again if it was gone. */
export function createReplica({ urls }: DatabaseHosts, primary: Primary): Replica {
  const pools = createPools(createHosts({ urls, target: 'any' }), replicaDeadlines);
  let skippedUntil = -Infinity;

  function skip(error: unknown): void {
    skippedUntil = performance.now() + (error instanceof LateError ? skipLateMs : skipFailedMs);
  }

  /**
   * Runs each statement on a connection whose server has caught up. One such connection isn't enough, since an address can
   * lead to several replicas, and each connection to another one. Statements fail with `LateError` otherwise.
   */
  function caughtUpWith({ position, instance }: Position) {
    const known = new WeakSet<pg.PoolClient>();

    async function isReady(client: pg.PoolClient): Promise<boolean> {
      if (known.has(client)) return true;
      const { rows } = await client.query<{ isCaughtUp: boolean | null }>(isCaughtUp, [position, instance]);
      if (rows[0]?.isCaughtUp !== true) return false;
      known.add(client);
      return true;
    }

    return {
      isReady: () => pools.reading.withClient(isReady),
      async query(text: string, values: unknown[] = [], budget?: RowBudget): Promise<pg.QueryResult> {
        const result = await pools.reading.withClient(async (client) =>
          (await isReady(client)) ? runQuery(client, text, values, budget) : undefined,
        );
        if (result === undefined) throw new LateError();
        return result;
      },
    };
  }

  async function whenCaughtUp(): Promise<Reader> {
    const { rows } = await primary.connections.query(primaryPosition);
    const connections = caughtUpWith(rows[0] as Position);
    const giveUpAt = performance.now() + waitMs;
    while (!(await connections.isReady())) {
      if (performance.now() > giveUpAt) throw new LateError();
      await delay(10);
    }
    return withFallback(primary.toReader(connections));
  }

  function withFallback(reader: Reader): Reader {
    async function read<Result>(from: (reader: Reader) => Promise<Result>): Promise<Result> {
      try {
        return await from(reader);
      } catch (error) {
        skip(error);
        return from(primary.reader);
      }
    }
    return {
      all: (query, parameters) => read((from) => from.all(query, parameters)),
      first: (query, parameters) => read((from) => from.first(query, parameters)),
      page: (query, parameters, maxBytes) => read((from) => from.page(query, parameters, maxBytes)),
    };
  }

  return {
    async reader() {
      if (performance.now() < skippedUntil) return primary.reader;
      try {
        return await whenCaughtUp();
      } catch (error) {
        skip(error);
        return primary.reader;
      }
    },
    close: () => pools.close(),
  };
}
