import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Insertable } from 'kysely';
import type { Tables } from '../../src/server/storage/tables.ts';

/** Opens an embedded database without a journal and without flushes, since the data are only used by a benchmark. */
export function openForBulk(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -200000'])
    database.exec(`pragma ${pragma}`);
  return database;
}

export type Row<Table extends keyof Tables> = Insertable<Tables[Table]> & Record<string, SQLInputValue>;

/** Returns a function that inserts a row; its columns are those of the first row. */
export function preparedInsert<Table extends keyof Tables>(
  database: DatabaseSync,
  table: Table,
): (row: Row<Table>) => void {
  let statement: StatementSync | undefined;
  return (row) => {
    const columns = Object.keys(row);
    statement ??= database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    statement.run(...Object.values<SQLInputValue>(row));
  };
}
