import assert from 'node:assert/strict';
import type { Database } from '../../../src/server/storage/database.ts';
import { prepare } from '../../../src/server/storage/prepared-query.ts';
import type { Tables } from '../../../src/server/storage/tables.ts';

/** Returns the rows of every table of a database as JSON, sorted, by the name of the table. */
export async function readAllRows(database: Database): Promise<Record<string, string[]>> {
  const names = prepare((sql) =>
    database.engine === 'PostgreSQL'
      ? sql
          .selectFrom('information_schema.tables' as 'users')
          .select('table_name as name' as 'name')
          .where('table_schema' as 'name', '=', 'public')
      : sql
          .selectFrom('sqlite_master' as 'users')
          .select('name')
          .where('type' as 'name', '=', 'table'),
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of await database.all(names, {})) {
    if (name === null || name.startsWith('sqlite_')) continue;
    const all = prepare((sql) => sql.selectFrom(name as keyof Tables).selectAll());
    rows[name] = (await database.all(all, {})).map((row) => JSON.stringify(row)).toSorted();
  }
  assert.ok(Object.keys(rows).length > 30);
  return rows;
}
