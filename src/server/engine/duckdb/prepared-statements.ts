import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { prepareLimited, type LimitedStatement } from './statement.ts';

/** A prepared statement for the first rows of a query, with its own connection. */
export interface CachedStatement extends LimitedStatement {
  readonly connection: DuckDBConnection;
}

/** Prepared statements of earlier queries: planning a short query takes longer than running it. */
export interface StatementCache {
  /** Returns a statement for the text, cached or new. The caller owns it until they give it back or close it. */
  take(
    sql: string,
    maxRows: number,
    check: (connection: DuckDBConnection) => Promise<void>,
  ): Promise<CachedStatement>;
  /** Stores a statement for the next query with the same text. */
  giveBack(statement: CachedStatement): void;
}

const maxCached = 100;

export function createStatementCache(instance: DuckDBInstance): StatementCache {
  const cached = new LRUCache<string, CachedStatement>({
    max: maxCached,
    dispose: ({ connection }, _key, reason) => {
      if (reason !== 'delete') connection.closeSync();
    },
  });
  return {
    async take(sql, maxRows, check) {
      const key = keyOf(sql, maxRows);
      const known = cached.get(key);
      if (known !== undefined) {
        cached.delete(key);
        return known;
      }
      const connection = await instance.connect();
      try {
        await check(connection);
        return { connection, ...(await prepareLimited(connection, sql, maxRows)) };
      } catch (error) {
        connection.closeSync();
        throw error;
      }
    },
    giveBack(statement) {
      // The rows of a sample are chosen when the statement is planned.
      if (/sample/i.test(statement.sql)) statement.connection.closeSync();
      else cached.set(keyOf(statement.sql, statement.maxRows), statement);
    },
  };
}

const keyOf = (sql: string, maxRows: number): string => `${maxRows} ${sql}`;
