import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { sql, type Compilable } from 'kysely';
import type { Reader } from '../storage/database.ts';
import { prepare, type PreparedQuery, type Sql } from '../storage/prepared-query.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a database, wherever they are: in a database that is in use, or in a backup. */
export interface Content {
  /** Reads the rows of a table, in no particular order; none if there is no such table. */
  rowsOf(table: string): AsyncIterable<Row>;
}

/** Declares a query in SQL that is the same on both engines. */
export const raw = <Found>(text: string): PreparedQuery<object, Found> =>
  prepare((db: Sql): Compilable<Found> => ({ compile: () => sql<Found>`${sql.raw(text)}`.compile(db) }));

/** Returns the content of an open database. */
export const contentOf = (reader: Reader): Content => ({
  async *rowsOf(table) {
    yield* await reader.all(raw<Row>(`select * from ${table}`), {});
  },
});

/** Calls `use` with the content of an SQLite file, which isn't changed. */
export async function withSqliteFile<Result>(
  file: string,
  use: (content: Content & { readonly database: DatabaseSync }) => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return await use({
      database,
      async *rowsOf(table) {
        yield* database.prepare(`select * from ${table}`).iterate();
      },
    });
  } finally {
    database.close();
  }
}

/** Returns the content of the files of rows in a backup: a file per table, with a JSON object per line. */
export const contentOfRowFiles = (directory: string): Content => ({
  async *rowsOf(table) {
    // Sound because `dumpRows` wrote the lines.
    for await (const line of linesOf(rowFile(directory, table))) yield JSON.parse(line) as Row;
  },
});

export const rowFile = (directory: string, table: string): string =>
  join(directory, 'rows', `${table}.ndjson`);

export const linesOf = (file: string): AsyncIterable<string> =>
  createInterface({
    input: createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 }),
    crlfDelay: Infinity,
  });
