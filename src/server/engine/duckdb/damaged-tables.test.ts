import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../query-engine.ts';

const engine = createQueryEngine({ sandbox: await testSandbox() });
after(() => engine.close());

const damages: Readonly<Record<string, (file: string) => void>> = {
  'is missing': (file) => rmSync(file),
  'is empty': (file) => writeFileSync(file, ''),
  'has a corrupt start': (file) => writeFileSync(file, readFileSync(file).fill(7, 0, 8_192)),
  'has a corrupt end': (file) => writeFileSync(file, readFileSync(file).fill(7, 1_000_000)),
  'is cut off': (file) => writeFileSync(file, readFileSync(file).subarray(0, 500_000)),
};

describe('a table whose file', () => {
  for (const [damage, inflict] of Object.entries(damages)) {
    it(`${damage} is reported by its name, and the other tables of its source still work`, async (context) => {
      const source = await makeFilesSource(context, {
        sales: "SELECT range AS id, 'n' || hash(range) AS name FROM range(200000)",
        people: 'SELECT 1 AS id',
      });
      inflict(source.tables[0]?.file ?? '');
      const run = async (sql: string): Promise<string> =>
        Buffer.from((await engine.run({ organizationId: 'one', source, sql })).rowsJson).toString();
      const fault =
        'The table sales cannot be opened: its file is damaged or missing. Upload the table again.';
      for (const sql of [
        'FROM Sales',
        'SELECT name FROM people JOIN main.sales USING (id)',
        'DESCRIBE sales',
      ])
        await assert.rejects(run(sql), { code: 'sql_error', message: fault }, sql);
      assert.equal(await run('FROM people'), '[[1]]');
      assert.equal(await run('WITH sales AS (SELECT 2) FROM sales'), '[[2]]');
      assert.deepEqual(await engine.describe({ organizationId: 'one', source }), [
        { schema: 'main', name: 'sales', columns: [], fault },
        {
          schema: 'main',
          name: 'people',
          columns: [{ name: 'id', type: 'integer', sourceType: 'INTEGER' }],
          rowCount: 1,
        },
      ]);
    });
  }
});
