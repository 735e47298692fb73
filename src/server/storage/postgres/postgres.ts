import { setTimeout as delay } from 'node:timers/promises';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DatabaseFault } from '#contract/server.ts';
import { parseDatabaseUrl, type DatabaseHosts } from '../../base/database/url.ts';
import { AtriumError, StartError } from '../../base/errors.ts';
import type { CommitListener, Database, Transaction } from '../database.ts';
import { checkFaultsEveryMs, createFaults } from '../faults.ts';
import { createAllowances } from '../allowances.ts';
import { createPostgresAnnouncements } from './announcements.ts';
import {
  createPools,
  requestDeadlines,
  type ConnectionPools,
  type Connections,
  type Deadlines,
} from './connections.ts';
import {
  isReadOnly,
  isMissingReference,
  isNotPermitted,
  isWorthRepeating,
  reasonOf,
  toAtriumError,
  unwrap,
} from './errors.ts';
import { createHosts } from './hosts.ts';
import { hasAllRights, notPermitted } from './rights.ts';
import { createReplica } from './replica.ts';
import { queryBuilder } from '../prepared-query.ts';
import { inTransaction, query, toReader } from './transactions.ts';

const checkRightsEveryMs = 10_000;
/** Writes that conflict are repeated this often at least, and for as long as they would wait for a lock. */
const minAttempts = 10;

interface PostgresOptions {
  /** The URL of a read replica, if there is one. */
  readonly readUrl?: string | undefined;
  readonly deadlines?: Deadlines;
  readonly checkEveryMs?: number;
  /** Tests use the level at which PostgreSQL, like other engines at any level, refuses transactions that conflict. */
  readonly isolation?: 'read committed' | 'serializable';
}

/**
 * Opens a pool of connections to PostgreSQL, or to an engine with its protocol. Transactions are READ COMMITTED, and
 * are run again after a conflict with others. Throws a `StartError` if the server can't be reached, or acknowledges
 * commits before they are on disk.
 */
export async function openPostgres(
  url: string,
  {
    deadlines = requestDeadlines,
    checkEveryMs = checkFaultsEveryMs,
    isolation = 'read committed',
    readUrl,
  }: PostgresOptions = {},
): Promise<Database> {
  const hosts = createHosts(parsed('DATABASE_URL', url));
  const pools = createPools(hosts, deadlines);
  await requireDurableCommits(pools);
  const faults = createFaults(checkEveryMs);
  let committed: CommitListener = () => {};

  const build = queryBuilder('PostgreSQL', {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });

  const announcements = createPostgresAnnouncements(hosts, pools.reading, deadlines);
  const reader = toReader(pools.reading, build);
  const replica =
    readUrl === undefined
      ? undefined
      : createReplica(parsed('DATABASE_READ_URL', readUrl), {
          connections: pools.reading,
          reader,
          toReader: (connections) => toReader(connections, build),
        });
  const allowances = createAllowances();
  const running = new Set<Promise<unknown>>();

  function writeOn<Result>(
    connections: Connections,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const writing = writeRepeatedly(connections, work);
    const forget = () => running.delete(writing);
    running.add(writing);
    writing.then(forget, forget);
    return writing;
  }

  /** Repeated writes of a process take turns: otherwise, many writers of a row would keep each other out. */
  let lastTurn: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = lastTurn.then(run);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function writeRepeatedly<Result>(
    connections: Connections,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const attemptOnce = () =>
          inTransaction(connections, build, work, { isolation, committed, allowances });
        const { result, announced } = await (attempt > 1 && connections !== pools.slow
          ? inTurn(attemptOnce)
          : attemptOnce());
        announcements.publish(announced);
        return result;
      } catch (error) {
        if (isReadOnly(error)) beginReadOnly(error);
        if (isNotPermitted(error)) beginNotPermitted(error);
        if (!isWorthRepeating(error) || (isMissingReference(error) && attempt > 2))
          throw toAtriumError(error);
        if (attempt >= minAttempts && performance.now() - startedAt > deadlines.lockMs) {
          throw new AtriumError('unavailable', 'Too many concurrent changes to the same data. Try again.', {
            cause: error,
          });
        }
        // Conflicting transactions of several processes retry at different times.
        await delay(Math.random() * Math.min(attempt, 10) * 10);
      }
    }
  }

  function beginReadOnly(error: unknown): void {
    faults.begin(readOnly, error, async () => {
      // The next check opens a connection, since this one may be connected to a standby, or stay read-only.
      pools.renew();
      return !(await isServerReadOnly());
    });
  }

  function beginNotPermitted(error: unknown): void {
    faults.begin(notPermitted, error, () => hasAllRights(pools.checking));
  }

  let rightsCheckedAt = -Infinity;
  async function checkRights(): Promise<void> {
    if (performance.now() < rightsCheckedAt + checkRightsEveryMs) return;
    if (!(await hasAllRights(pools.checking)))
      beginNotPermitted(new Error('The role lacks rights on some tables.'));
    rightsCheckedAt = performance.now();
  }

  async function isServerReadOnly(): Promise<boolean> {
    const { rows } = await query(pools.checking, 'show transaction_read_only', []);
    return Object.values(rows[0] as object)[0] === 'on';
  }

  /** Concurrent callers share one check, so that they never need more than one connection. */
  let checking: Promise<void> | undefined;
  async function check(): Promise<readonly DatabaseFault[]> {
    checking ??= (async () => {
      if (await isServerReadOnly())
        beginReadOnly(new Error('The server reports transaction_read_only = on.'));
      await checkRights();
    })().finally(() => {
      checking = undefined;
    });
    await checking;
    return faults.list();
  }

  return {
    ...reader,
    findReader: async () => (await replica?.reader()) ?? reader,
    engine: 'PostgreSQL',
    allowances,
    // Byte order, as in SQLite: cursors of lists rely on one order that no locale changes.
    types: { text: 'text collate "C"' },
    write: (work) => writeOn(pools.writing, work),
    writeSlowly: (work) => writeOn(pools.slow, work),
    erase: async (tables) => {
      // Not in a transaction. The names are those of the schema.
      for (const table of tables) await query(pools.slow, `vacuum ${table}`, []);
    },
    onAnnounced: announcements.listen,
    usage: () => ({ pools: pools.usage(), walBytes: undefined }),
    onCommit: (listener) => {
      committed = listener;
    },
    onFault: faults.add,
    check,
    close: async () => {
      faults.close();
      await Promise.allSettled(running);
      await announcements.close();
      await replica?.close();
      await pools.close();
    },
  };
}

const readOnly: DatabaseFault = {
  code: 'read_only',
  detail:
    'The database is read-only: it is a standby, or is configured as read-only. Point DATABASE_URL at the primary, ' +
    'or allow writes.',
};

function parsed(name: string, url: string): DatabaseHosts {
  const hosts = parseDatabaseUrl(url);
  if (hosts === undefined) throw new StartError(`${name}: It is not a postgres:// URL.`);
  return hosts;
}

async function requireDurableCommits(pools: ConnectionPools): Promise<void> {
  try {
    const { rows } = await pools.slow.query('show synchronous_commit');
    if (Object.values(rows[0] as object)[0] !== 'off') return;
  } catch (error) {
    await pools.close();
    throw new StartError(`DATABASE_URL: The database does not respond: ${reasonOf(unwrap(error))}`, {
      cause: error,
    });
  }
  await pools.close();
  throw new StartError(
    'DATABASE_URL: This database acknowledges commits before they are on disk. Set its synchronous_commit to on.',
  );
}
