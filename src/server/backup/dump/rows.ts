import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql, type Compilable } from 'kysely';
import { StartError } from '../../base/errors.ts';
import type { Transaction } from '../../storage/database.ts';
import { prepare, type Sql } from '../../storage/prepared-query.ts';
import { linesOf, raw, rowFile } from '../content.ts';

/** A row can have a megabyte. */
const rowsAtOnce = 100;

/** Returns the names of a PostgreSQL database's tables, in an order in which rows refer only to tables before their own. */
export async function listTables(transaction: Transaction): Promise<string[]> {
  const names = await transaction.all(
    raw<{ name: string }>(
      `select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
    ),
    {},
  );
  const references = await transaction.all(
    raw<{ child: string; parent: string }>(
      `select child.relname as child, parent.relname as parent
        from pg_constraint
        join pg_class as child on child.oid = conrelid
        join pg_class as parent on parent.oid = confrelid
        where contype = 'f' and child.relnamespace = current_schema()::regnamespace`,
    ),
    {},
  );
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    for (const { child, parent } of references) if (child === name && parent !== name) add(parent);
    ordered.add(name);
  };
  for (const { name } of names) add(name);
  return [...ordered];
}

/** Writes the rows of each table to a file, and returns how many there are. Holds few rows in memory. */
export async function dumpRows(
  transaction: Transaction,
  directory: string,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = await dumpTable(transaction, table, rowFile(directory, table));
  return counts;
}

async function dumpTable(transaction: Transaction, table: string, path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  await transaction.execute(
    `declare dumped no scroll cursor for select row_to_json("${table}")::text as text from "${table}"`,
  );
  const fetch = raw<{ text: string }>(`fetch ${rowsAtOnce} from dumped`);
  const file = await open(path, 'w', 0o600);
  try {
    for (let count = 0; ;) {
      const rows = await transaction.all(fetch, {});
      if (rows.length === 0) {
        await file.sync();
        return count;
      }
      count += rows.length;
      await file.appendFile(rows.map(({ text }) => `${text}\n`).join(''));
    }
  } finally {
    await file.close();
    await transaction.execute('close dumped');
  }
}

export async function countRows(
  transaction: Transaction,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await transaction.all(
      raw<{ count: string }>(`select count(*) as count from "${table}"`),
      {},
    );
    counts[table] = Number(row?.count);
  }
  return counts;
}

/** Inserts the rows of a backup into the empty tables of a PostgreSQL database. Throws a `StartError` if any are missing. */
export async function insertRows(
  transaction: Transaction,
  directory: string,
  rowCounts: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [table, expectedCount] of Object.entries(rowCounts)) {
    // A migration may have inserted rows; the version is the one to which the schema was just created.
    if (table === 'schema_version') continue;
    await transaction.execute(`delete from "${table}"`);
    const count = await insertTable(transaction, table, rowFile(directory, table));
    if (count !== expectedCount)
      throw new StartError(`The backup has ${count} rows of ${table}, and should have ${expectedCount}.`);
  }
}

async function insertTable(transaction: Transaction, table: string, path: string): Promise<number> {
  const insert = prepare((db: Sql, p: { rows: string }): Compilable => ({
    compile: () =>
      sql`insert into ${sql.table(table)}
          select * from json_populate_recordset(null::${sql.table(table)}, cast(${p.rows} as json))`.compile(
        db,
      ),
  }));
  let count = 0;
  let lines: string[] = [];
  const flush = async () => {
    if (lines.length > 0) count += await transaction.run(insert, { rows: `[${lines.join(',')}]` });
    lines = [];
  };
  for await (const line of linesOf(path)) {
    lines.push(line);
    if (lines.length === rowsAtOnce) await flush();
  }
  await flush();
  return count;
}
