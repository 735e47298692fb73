import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { readTableFile } from './table-file.ts';

test('the file of a table is only read if it has a table, since a view could run anything', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-table-file-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const create = async (name: string, statement: string) => {
    const file = join(directory, name);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return file;
  };
  const table = await create('table.duckdb', 'CREATE TABLE data AS SELECT 1 AS a');
  assert.equal((await readTableFile(table, directory)).rowCount, 1);
  const view = await create('view.duckdb', 'CREATE VIEW data AS SELECT 1 AS a');
  await assert.rejects(readTableFile(view, directory), /does not have the table/);
});
