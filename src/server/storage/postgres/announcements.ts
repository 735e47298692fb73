import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createListeners, type AnnouncementListener } from '../announcements.ts';
import type { Connections, Deadlines } from './connections.ts';
import { isUnknownToEngine } from './errors.ts';
import type { Hosts } from './hosts.ts';
import { destroySoon } from './sockets.ts';

const channel = 'atrium';
const firstRetryMs = 500;
const lastRetryMs = 30_000;

export interface PostgresAnnouncements {
  /** Sends the ids of records that were just committed to all processes of the database. */
  publish(ids: readonly string[]): void;
  listen(listener: AnnouncementListener): () => void;
  close(): Promise<void>;
}

/**
 * Sends announcements by NOTIFY, and receives them by LISTEN on a separate connection, which is opened for the first
 * listener and reopened if it breaks. If the engine has neither command, listeners in this process still receive its
 * own announcements.
 */
export function createPostgresAnnouncements(
  hosts: Hosts,
  connections: Connections,
  deadlines: Deadlines,
): PostgresAnnouncements {
  const listeners = createListeners();
  const closing = new AbortController();
  const publisher = createPublisher(connections, listeners.failed);
  let receiving: Promise<void> | undefined;

  async function receive(): Promise<void> {
    let retryMs = firstRetryMs;
    let isFailing = false;
    while (!closing.signal.aborted) {
      try {
        await receiveUntilBroken(
          { hosts, deadlines, closing: closing.signal },
          {
            listening: () => {
              retryMs = firstRetryMs;
              isFailing = false;
            },
            received: listeners.announced,
          },
        );
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!isFailing) listeners.failed(error);
        if (isUnknownToEngine(error)) return;
        isFailing = true;
      }
      await delay(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
  }

  return {
    publish(ids) {
      for (const id of ids) listeners.announced(id);
      publisher.publish(ids);
    },
    listen(listener) {
      receiving ??= receive();
      return listeners.add(listener);
    },
    async close() {
      closing.abort();
      await Promise.all([receiving, publisher.settled()]);
    },
  };
}

/** Rejects with the error that broke the connection; resolves when it is no longer needed. */
async function receiveUntilBroken(
  {
    hosts,
    deadlines: { connectMs, responseMs, heartbeatMs },
    closing,
  }: { readonly hosts: Hosts; readonly deadlines: Deadlines; readonly closing: AbortSignal },
  { listening, received }: { listening(): void; received(id: string): void },
): Promise<void> {
  await hosts.settle();
  const url = hosts.url();
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    query_timeout: responseMs,
  });
  const ended = new Promise<void>((resolve, reject) => {
    client.once('error', reject);
    client.once('end', () => reject(new Error('The connection ended.')));
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
  ended.catch(() => {});
  client.on('error', () => {});
  client.on('notification', ({ payload }) => {
    if (payload !== undefined) received(payload);
  });
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    listening();
    await Promise.race([ended, beat(client, () => hosts.url() === url, { closing, everyMs: heartbeatMs })]);
  } finally {
    void client.end().catch(() => {});
    destroySoon(client);
  }
}

/**
 * Checks periodically that the server responds and is still in use; rejects if not, and resolves when the check is no
 * longer needed.
 */
async function beat(
  client: pg.Client,
  isInUse: () => boolean,
  { closing, everyMs }: { readonly closing: AbortSignal; readonly everyMs: number },
): Promise<void> {
  for (;;) {
    try {
      await delay(everyMs, undefined, { signal: closing, ref: false });
    } catch {
      return;
    }
    if (!isInUse()) throw new Error('Another server of the database is now in use.');
    await client.query('select 1');
  }
}

/**
 * Sends ids in separate statements after the transactions that they belong to: the commit of a NOTIFY takes a lock that
 * all other commits of a NOTIFY wait for. Ids that arrive while a statement is running are sent together with the next
 * one.
 */
function createPublisher(
  connections: Connections,
  failed: (error: unknown) => void,
): { publish(ids: readonly string[]): void; settled(): Promise<void> } {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  let isFailing = false;
  let isUnknown = false;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      try {
        await connections.query('select pg_notify($1, id) from unnest($2::text[]) as id', [channel, ids]);
        isFailing = false;
      } catch (error) {
        if (!isFailing) failed(error);
        isFailing = true;
        isUnknown = isUnknownToEngine(error);
      }
    }
    sending = undefined;
  }

  return {
    publish(ids) {
      if (isUnknown || ids.length === 0) return;
      for (const id of ids) waiting.add(id);
      sending ??= send();
    },
    settled: async () => sending,
  };
}
