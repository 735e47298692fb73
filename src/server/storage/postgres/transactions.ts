import type pg from 'pg';
import { codeOf, outcomeUnknown } from '../../base/errors.ts';
import type { Allowances } from '../allowances.ts';
import type { CommitListener, Reader, Transaction } from '../database.ts';
import type { PreparedQuery, queryBuilder } from '../prepared-query.ts';
import { createRowBudget, type RowBudget } from '../row-budget.ts';
import { createTurn } from '../turns.ts';
import type { Connections } from './connections.ts';
import { isStuck, isWorthRepeating, toAtriumError } from './errors.ts';
import { runQuery } from './run-query.ts';

/** Runs `work` in a transaction; returns its result and what it announced, once that is committed. */
export async function inTransaction<Result>(
  connections: Connections,
  build: Build,
  work: (transaction: Transaction) => Promise<Result>,
  {
    isolation,
    committed,
    allowances,
  }: { readonly isolation: string; readonly committed: CommitListener; readonly allowances: Allowances },
): Promise<{ result: Result; announced: string[] }> {
  const client = await connections.acquire();
  let failure: unknown;
  let isUsable = true;
  try {
    await client.query(`begin isolation level ${isolation}`);
    const announced: string[] = [];
    const result = await work(toTransaction(client, build, announced, allowances));
    const beganAt = performance.now();
    const { command } = await commit(client);
    // After a failed statement, a commit rolls back without an error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed. Nothing was stored.');
    committed(1, performance.now() - beganAt);
    return { result, announced };
  } catch (error) {
    failure = error;
    // A stuck connection would only make the request wait again.
    if (!isStuck(error)) {
      await client.query('rollback').catch((rollbackError: unknown) => {
        failure = rollbackError;
        isUsable = false;
      });
    }
    throw error;
  } finally {
    connections.release(client, failure, isUsable);
  }
}

/** Throws an error with `outcomeUnknown` unless the server reports the outcome of the transaction. */
async function commit(client: pg.PoolClient): Promise<pg.QueryResult> {
  try {
    return await client.query('commit');
  } catch (error) {
    throw isRolledBack(error) ? error : outcomeUnknown(error);
  }
}

/**
 * Whether a failed commit certainly stored nothing: a constraint (class 23), a conflict with others (40), a state in
 * which it cannot commit (25, 55), a lack of resources (53), or a cancel (57014). 40003 means that the server itself
 * does not know.
 */
const isRolledBack = (error: unknown): boolean => /^(23|25|40(?!003)|53|55|57014)/.test(codeOf(error));

export type Build = ReturnType<typeof queryBuilder>;
type Queryable = Pick<Connections, 'query'>;

export async function query(
  on: Queryable,
  text: string,
  values: unknown[],
  budget?: RowBudget,
): Promise<pg.QueryResult> {
  try {
    return await on.query(text, values, budget);
  } catch (error) {
    throw isWorthRepeating(error) ? error : toAtriumError(error);
  }
}

/** Returns a reader outside of transactions, or of one. */
export function toReader(on: Queryable, build: Build): Reader {
  async function all<P, Row>(prepared: PreparedQuery<P, Row>, parameters: P): Promise<Row[]> {
    const { text, values } = build(prepared, parameters);
    return (await query(on, text, values)).rows as Row[];
  }
  return {
    all,
    first: async (prepared, parameters) => (await all(prepared, parameters))[0],
    async page<P extends { readonly limit: number }, Row>(
      prepared: PreparedQuery<P, Row>,
      parameters: P,
      maxBytes?: number,
    ) {
      const { limit } = parameters;
      const { text, values } = build(prepared, { ...parameters, limit: limit + 1 });
      const budget = createRowBudget(limit, maxBytes);
      const { rows } = await query(on, text, values, budget);
      return { rows: rows as Row[], hasMore: budget.hasMore(), sizeBytes: budget.sizeBytes() };
    },
  };
}

function toTransaction(
  client: pg.PoolClient,
  build: Build,
  announced: string[],
  allowances: Allowances,
): Transaction {
  const turn = createTurn();
  const on: Queryable = {
    query: (text, values = [], budget) => runQuery(client, text, values, budget),
  };
  return {
    ...toReader(on, build),
    allowances,
    async run(prepared, parameters) {
      const { text, values } = build(prepared, parameters);
      return (await query(on, text, values)).rowCount ?? 0;
    },
    async execute(statement) {
      await query(on, statement, []);
    },
    announce: (id) => void announced.push(id),
    giveWay: async () => turn.whenOver(),
  };
}
