import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';

/** Checks the file of its argument; prints the faults, and whether DuckDB is loaded into this process. */
const program = `
  import { readFileSync } from 'node:fs';
  import { withTableCheck } from ${JSON.stringify(import.meta.resolve('./table-check.ts'))};
  const table = { columns: [{ name: 'a', type: 'integer', sourceType: 'INTEGER' }], rowCount: 1 };
  const faults = await withTableCheck('auto', ({ findFaults }) => findFaults(process.argv[1], table));
  const isLoaded = readFileSync('/proc/self/maps', 'utf8').includes('duckdb');
  console.log(JSON.stringify({ faults, isLoaded }));
`;
const skip = process.platform === 'linux' ? false : 'only Linux lists the libraries of a process';

test('the file of a table is opened in another process, which has limits', { skip }, async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-table-check-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const check = async (name: string, statement: string): Promise<{ faults: string[]; isLoaded: boolean }> => {
    const file = join(directory, `${name}.duckdb`);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program, file]);
    return JSON.parse(output.toString()) as { faults: string[]; isLoaded: boolean };
  };
  const whole = await check('whole', 'CREATE TABLE data AS SELECT 1 AS a');
  assert.deepEqual(whole, { faults: [], isLoaded: false });
  const longer = await check('longer', 'CREATE TABLE data AS SELECT unnest([1, 2]) AS a');
  assert.deepEqual(longer.faults, ['it has 2 rows, and should have 1']);
  const other = await check('other', 'CREATE TABLE other AS SELECT 1 AS a');
  assert.match(other.faults.join(), /^it cannot be opened: /);
});
