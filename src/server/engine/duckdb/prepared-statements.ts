import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { prepareLimited, type LimitedStatement } from './statement.ts';

/** A statement that is ready to be run for its first rows, on a connection that serves no other. */
export interface KeptStatement extends LimitedStatement {
  readonly connection: DuckDBConnection;
}

/** Statements of queries that were answered: to plan a short query takes longer than to run it. */
export interface KeptStatements {
  /** Returns the statement of the text, one from before or a new one. It is the caller's until it is kept or closed. */
  take(
    sql: string,
    maxRows: number,
    check: (connection: DuckDBConnection) => Promise<void>,
  ): Promise<KeptStatement>;
  /** For the next query of the very same text. */
  keep(statement: KeptStatement): void;
}

const keptCount = 100;

export function keepStatements(instance: DuckDBInstance): KeptStatements {
  const kept = new LRUCache<string, KeptStatement>({
    max: keptCount,
    dispose: ({ connection }, _key, reason) => {
      if (reason !== 'delete') connection.closeSync();
    },
  });
  return {
    async take(sql, maxRows, check) {
      const key = keyOf(sql, maxRows);
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
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
    keep(statement) {
      // Which rows are a sample is chosen when the statement is planned.
      if (/sample/i.test(statement.sql)) statement.connection.closeSync();
      else kept.set(keyOf(statement.sql, statement.maxRows), statement);
    },
  };
}

const keyOf = (sql: string, maxRows: number): string => `${maxRows} ${sql}`;
