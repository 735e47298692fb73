import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlace } from '../../../../tests/support/server/test-server.ts';
import { databaseFile } from '../data-directory.ts';
import { openDatabase } from '../open-database.ts';
import { connect } from '../sqlite/connection.ts';
import { tableBelonging, tableNames, type TableName } from './belonging.ts';

test('every table of the schema is listed with its primary key, after the tables that refer to it', async (t) => {
  const place = await createTestPlace('SQLite');
  await (await openDatabase(place)).close();
  const { database, query } = connect(databaseFile(place.dataDirectory));
  t.after(() => database.close());
  const stored = query(
    `select name from sqlite_schema
     where type = 'table' and name not like 'sqlite_%' and name not like 'dashboard_words%' order by name`,
  )
    .all()
    .map((row) => (row as { name: string }).name);
  assert.deepEqual(tableNames.toSorted(), stored);
  for (const table of tableNames) {
    const columns = query(`select name, pk from pragma_table_info('${table}')`).all() as {
      name: string;
      pk: number;
    }[];
    const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    assert.deepEqual([...tableBelonging[table].key].toSorted(), key.toSorted(), table);
    const references = query(`select "table" as name from pragma_foreign_key_list('${table}')`).all() as {
      name: TableName;
    }[];
    for (const { name } of references)
      if (name !== table && tableBelonging[table].to.length > 0)
        assert.ok(tableNames.indexOf(table) < tableNames.indexOf(name), `${table} refers to ${name}`);
    for (const way of tableBelonging[table].to) {
      const column = 'organization' in way ? way.organization : way.column;
      assert.ok(
        columns.some(({ name }) => name === column),
        `${table}.${column}`,
      );
    }
  }
});

test('every table with the ID of an organization belongs to it', async (t) => {
  const place = await createTestPlace('SQLite');
  await (await openDatabase(place)).close();
  const { database, query } = connect(databaseFile(place.dataDirectory));
  t.after(() => database.close());
  for (const table of tableNames) {
    const isColumn = query(
      `select name from pragma_table_info('${table}') where name = 'organization_id'`,
    ).first();
    if (isColumn === undefined) continue;
    assert.ok(
      tableBelonging[table].to.some((way) => 'organization' in way),
      table,
    );
  }
});
