import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseHosts, TargetSession } from '../../base/database/url.ts';
import { AtriumError } from '../../base/errors.ts';
import { isOfHost, reasonOf } from './errors.ts';
import { destroySoon } from './sockets.ts';

/** A host that has not responded by then is given up, so that one silent host doesn't delay the use of another one. */
const probeMs = 2_000;
/** How long a host may take before the next one is tried as well. */
const headStartMs = 200;
/** The least time between the starts of two searches. */
const searchAgainMs = 100;

/** The hosts of one database, of which one is in use. */
export interface Hosts {
  /** The URL of the host in use, or of the last one that was. */
  url(): string;
  /** Finds the host to use, if the one in use is in doubt. Throws `unavailable` if no host can be used. */
  settle(): Promise<void> | undefined;
  /** Reports an error of a connection to a host. Unless it is an error of a statement, the host is in doubt. */
  failed(url: string, error: unknown): void;
}

/**
 * Returns the hosts of a database. With a single host that may be in any state, that one is always used. Otherwise, the
 * first host that fits is used until it fails. Hosts are then tried in order, beginning with the last one in use: if a
 * former primary comes back and also accepts writes, the server stays with the new one.
 */
export function createHosts({ urls, target }: DatabaseHosts): Hosts {
  const isFixed = urls.length === 1 && target === 'any';
  let inUse: string = urls[0];
  let isInDoubt = !isFixed;
  let search: Promise<void> | undefined;
  let searchedAt = -Infinity;
  let failure = unusable([]);

  async function find(): Promise<void> {
    const found = new AbortController();
    let mayBegin: Promise<unknown> = Promise.resolve();
    const probes = [inUse, ...urls.filter((url) => url !== inUse)].map((url) => {
      const probe = mayBegin.then(() => (found.signal.aborted ? url : probeHost(url, target)));
      // The next host is tried once this one has failed, or has used up its head start.
      mayBegin = mayBegin.then(() =>
        Promise.race([delay(headStartMs, undefined, { ref: false }), rejectionOf(probe)]),
      );
      return probe;
    });
    try {
      inUse = await Promise.any(probes);
      isInDoubt = false;
    } catch (error) {
      // Sound because only `Promise.any` can throw here, and it throws nothing else.
      failure = unusable((error as AggregateError).errors);
      throw failure;
    } finally {
      found.abort();
      search = undefined;
    }
  }

  return {
    url: () => inUse,
    settle() {
      if (!isInDoubt) return undefined;
      if (search !== undefined) return search;
      const now = performance.now();
      if (now - searchedAt < searchAgainMs) return Promise.reject(failure);
      searchedAt = now;
      return (search = find());
    },
    failed(url, error) {
      if (!isFixed && url === inUse && isOfHost(error)) isInDoubt = true;
    },
  };
}

/** Resolves once a promise has rejected. */
const rejectionOf = (promise: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    promise.catch(() => resolve());
  });

/** Returns the URL of a host if it responds and fits. Rejects with the reason otherwise. */
async function probeHost(url: string, target: TargetSession): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  // One deadline for all steps. The driver then rejects the one that is running.
  const timer = setTimeout(() => client.connection.stream.destroy(), probeMs).unref();
  try {
    await client.connect();
    if ((await show(client, 'synchronous_commit')) === 'off')
      throw new Error('It acknowledges commits before they are on disk.');
    if (target === 'read-write' && (await show(client, 'transaction_read_only')) === 'on')
      throw new Error('It is read-only.');
    if (target === 'primary' && (await isInRecovery(client))) throw new Error('It is a standby.');
    return url;
  } catch (error) {
    throw new Error(`${client.host}:${client.port}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    void client.end().catch(() => {});
    destroySoon(client);
  }
}

async function show(client: pg.Client, setting: string): Promise<unknown> {
  const { rows } = await client.query<Record<string, unknown>>(`show ${setting}`);
  return Object.values(rows[0] ?? {})[0];
}

async function isInRecovery(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  return rows[0]?.isStandby ?? false;
}

/** The detail is public, so the hosts are only in the cause. */
const unusable = (errors: readonly unknown[]): AtriumError =>
  new AtriumError('unavailable', 'No server of the database can be used at the moment. Try again.', {
    cause: new Error(errors.map(reasonOf).join(' ')),
  });
