import { statSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type LimitNode,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import type { DatabaseFault } from '#contract/server.ts';
import { createAllowances, type Allowances } from '../allowances.ts';
import { createListeners } from '../announcements.ts';
import type { CommitListener, Database, Reader, Transaction } from '../database.ts';
import { checkFaultsEveryMs, createFaults } from '../faults.ts';
import { queryBuilder, type PreparedQuery } from '../prepared-query.ts';
import { createRowBudget } from '../row-budget.ts';
import { commitTogether, settle, type Outcome, type PendingWrite } from './commit.ts';
import { connect, rollBack, turnSnapshot, type Connection } from './connection.ts';
import { createTurn, type Turn } from '../turns.ts';
import { eraseFile } from './erase.ts';
import { faultOf, isLocked, toAtriumError, whenUnlocked } from './errors.ts';
import { rememberResults, type RememberedResults } from './remembered.ts';

class QueryCompiler extends SqliteQueryCompiler {
  readonly #numbers = new Map<unknown, number>();

  override compileQuery<Row = unknown>(node: RootOperationNode, queryId: QueryId): CompiledQuery<Row> {
    this.#numbers.clear();
    return super.compileQuery(node, queryId);
  }

  /** Numbers the parameters, so that a value is bound once, however often a query uses it. */
  protected override appendValue(value: unknown): void {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      this.addParameter(value);
      number = this.numParameters;
      this.#numbers.set(value, number);
    }
    this.append(`?${number}`);
  }

  /** SQLite has one writer at a time, so it has no row locks, and no syntax for them. */
  protected override visitSelectModifier(): void {}

  /** SQLite plans by the value of a bare parameter here, so it would prepare the statement again each time it is bound. */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(');
    this.visitNode(limit);
    this.append(' as integer)');
  }
}

/**
 * Opens the embedded database, and creates the file if it does not exist. It has two connections. One reads what is
 * committed. The other one writes with group commit: writes that arrive within two turns of the event loop share a
 * transaction and its flush to the disk, each with its own savepoint, and each is acknowledged only after the commit. A
 * long transaction yields periodically: reads continue, and other writes wait for its end.
 */
export function openSqlite(
  file: string,
  { lockWaitMs = 5_000, checkEveryMs = checkFaultsEveryMs } = {},
): Database {
  const build = queryBuilder('SQLite', {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new QueryCompiler(),
  });
  const writer = connect(file);
  const reader = connect(file);
  const remembered = rememberResults(reader);
  const snapshot = turnSnapshot(reader, remembered.renew);
  const announced: string[] = [];
  const turn = createTurn();
  const allowances = createAllowances();
  const transaction = toTransaction(writer, build, { announced, turn, allowances });
  const listeners = createListeners();
  const faults = createFaults(checkEveryMs);
  let committed: CommitListener = () => {};

  /** Reads what is committed. */
  function read<Result>(run: () => Result): Result | Promise<Result> {
    try {
      snapshot.begin();
      return run();
    } catch (error) {
      return readAgain(error, () => {
        snapshot.begin();
        return run();
      });
    }
  }

  /** Retries a read until another program releases the lock. Throws the error of a read that fails otherwise. */
  async function readAgain<Result>(error: unknown, attempt: () => Result): Promise<Result> {
    snapshot.end();
    try {
      if (isLocked(error)) return await whenUnlocked(attempt, lockWaitMs);
    } catch (later) {
      throw toAtriumError(later, undefined);
    }
    const fault = faultOf(error, 'read');
    if (fault !== undefined) faults.begin(fault, error, async () => (attempt(), true));
    throw toAtriumError(error, fault);
  }

  /** Returns the error to report for writes that failed with `error`. */
  function failed(error: unknown): unknown {
    const fault = faultOf(error, 'write');
    if (fault !== undefined) faults.begin(fault, error, () => isOver(fault));
    return toAtriumError(error, fault);
  }

  async function isOver({ code }: DatabaseFault): Promise<boolean> {
    // Only a write that needs the page can show whether it is readable again.
    if (code === 'unreadable') return false;
    // A small write can fit into the log while any larger one fails.
    await write((transaction) => transaction.execute(storeMegabyte));
    await write((transaction) => transaction.execute('drop table space_probe'));
    return true;
  }

  let pending: PendingWrite[] = [];
  let flushing: Promise<void> | undefined;
  /** Each runs between two transactions. */
  const erasures: (() => Promise<void>)[] = [];

  async function flush(): Promise<void> {
    // The responses of the last batch cause new requests one turn later. After two turns, those share one flush.
    await nextTurn();
    await nextTurn();
    while (pending.length > 0 || erasures.length > 0) {
      await erasures.shift()?.();
      if (pending.length === 0) continue;
      const batch = pending;
      pending = [];
      const outcomes = await commit(batch);
      settle(batch, outcomes);
      for (const outcome of outcomes)
        if ('announced' in outcome) for (const id of outcome.announced) listeners.announced(id);
    }
    flushing = undefined;
  }

  async function commit(batch: PendingWrite[]): Promise<Outcome[]> {
    try {
      await whenUnlocked(begin, lockWaitMs);
      // Writes that arrived while another program held the lock share the transaction.
      batch.push(...pending.splice(0));
      turn.begin();
      return await commitTogether(writer, transaction, announced, batch, failed, committed);
    } catch (error) {
      // A full disk or an unreadable page: nothing of the batch is on disk, so no write of it succeeds.
      rollBack(writer.database);
      return batch.map(() => ({ error: failed(error) }));
    } finally {
      // Later reads must see the acknowledged writes.
      snapshot.end();
    }
  }

  function begin(): void {
    // An open snapshot would prevent the log from being reset, so that it would grow without limit.
    snapshot.end();
    writer.database.exec('begin immediate');
  }

  const write = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      // Sound because `resolve` is only ever called with what this `work` returned.
      pending.push({ work, resolve: resolve as (result: unknown) => void, reject });
      flushing ??= flush();
    });

  const erase = (tables: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      erasures.push(async () => {
        snapshot.end();
        await eraseFile(file, { compacts: tables.length > 0 }).then(resolve, reject);
      });
      flushing ??= flush();
    });

  const committedReader = toReader(reader, build, read, remembered);
  return {
    ...committedReader,
    findReader: async () => committedReader,
    engine: 'SQLite',
    allowances,
    types: { text: 'text' },
    write,
    writeSlowly: write,
    erase,
    onAnnounced: listeners.add,
    usage: () => ({
      pools: [
        {
          name: 'writing',
          usedCount: flushing === undefined ? 0 : 1,
          waitingCount: pending.length,
        },
      ],
      walBytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    }),
    onCommit: (listener) => {
      committed = listener;
    },
    onFault: faults.add,
    check: async () => {
      await read(() => reader.query('select version from schema_version').first());
      return faults.list();
    },
    close: async () => {
      faults.close();
      await flushing;
      snapshot.end();
      for (const { database } of [reader, writer]) if (database.isOpen) database.close();
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Build = ReturnType<typeof queryBuilder>;

const storeMegabyte =
  'drop table if exists space_probe; create table space_probe as select zeroblob(1048576) as bytes';

/** Runs one read. */
type Read = <Result>(run: () => Result) => Result | Promise<Result>;

function toReader(connection: Connection, build: Build, read: Read, remembered?: RememberedResults): Reader {
  return {
    async all<P, Row>(query: PreparedQuery<P, Row>, parameters: P) {
      const { text, values } = build(query, parameters);
      const run = () => connection.query(text).all(...toValues(values)) as Row[];
      return read(() => (query.isRemembered && remembered ? remembered.recall(text, values, run) : run()));
    },
    async first<P, Row>(query: PreparedQuery<P, Row>, parameters: P) {
      const { text, values } = build(query, parameters);
      const run = () => connection.query(text).first(...toValues(values)) as Row | undefined;
      return read(() => (query.isRemembered && remembered ? remembered.recall(text, values, run) : run()));
    },
    async page<P extends { readonly limit: number }, Row>(
      query: PreparedQuery<P, Row>,
      parameters: P,
      maxBytes?: number,
    ) {
      const { limit } = parameters;
      const { text, values } = build(query, { ...parameters, limit: limit + 1 });
      return read(() => {
        const budget = createRowBudget(limit, maxBytes);
        const rows = connection.query(text).within(budget, ...toValues(values)) as Row[];
        return { rows, hasMore: budget.hasMore(), sizeBytes: budget.sizeBytes() };
      });
    },
  };
}

function toTransaction(
  connection: Connection,
  build: Build,
  {
    announced,
    turn,
    allowances,
  }: { readonly announced: string[]; readonly turn: Turn; readonly allowances: Allowances },
): Transaction {
  return {
    allowances,
    ...toReader(connection, build, (run) => turn.whenOver()?.then(run) ?? run()),
    async run<P>(query: PreparedQuery<P, unknown>, parameters: P) {
      const { text, values } = build(query, parameters);
      const over = turn.whenOver();
      if (over !== undefined) await over;
      return connection.run(text, ...toValues(values));
    },
    async execute(statement) {
      connection.database.exec(statement);
    },
    announce: (id) => void announced.push(id),
    giveWay: async () => turn.whenOver(),
  };
}

/** Sound because the tables only contain texts, integers and nulls. */
const toValues = (values: unknown[]): SQLInputValue[] => values as SQLInputValue[];
