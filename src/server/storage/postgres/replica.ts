import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseHosts } from '../../base/database-url.ts';
import type { Reader } from '../database.ts';
import { createPools, requestDeadlines, type Connections, type Deadlines } from './connections.ts';
import { createHosts } from './hosts.ts';

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
  toReader(connections: Connections): Reader;
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

/** Connects to a replica when it is first used, and again if it was gone. */
export function createReplica({ urls }: DatabaseHosts, primary: Primary): Replica {
  const pools = createPools(createHosts({ urls, target: 'any' }), replicaDeadlines);
  const reader = primary.toReader(pools.reading);
  let skippedUntil = -Infinity;

  const skip = (durationMs: number): void => {
    skippedUntil = performance.now() + durationMs;
  };

  async function catchesUp(): Promise<boolean> {
    const { rows } = await primary.connections.query(primaryPosition);
    const { position, instance } = rows[0] as { position: string; instance: string };
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      const { rows: found } = await pools.reading.query(isCaughtUp, [position, instance]);
      if ((found[0] as { isCaughtUp: boolean | null }).isCaughtUp === true) return true;
      if (performance.now() > giveUpAt) return false;
      await delay(10);
    }
  }

  async function read<Result>(from: (reader: Reader) => Promise<Result>): Promise<Result> {
    try {
      return await from(reader);
    } catch {
      skip(skipFailedMs);
      return from(primary.reader);
    }
  }
  const withFallback: Reader = {
    all: (query, parameters) => read((from) => from.all(query, parameters)),
    first: (query, parameters) => read((from) => from.first(query, parameters)),
  };

  return {
    async reader() {
      if (performance.now() < skippedUntil) return primary.reader;
      try {
        if (await catchesUp()) return withFallback;
        skip(skipLateMs);
      } catch {
        skip(skipFailedMs);
      }
      return primary.reader;
    },
    close: () => pools.close(),
  };
}
