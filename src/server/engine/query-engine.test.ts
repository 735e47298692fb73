import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { makePostgresqlSource } from '../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine, type QueryRequest } from './query-engine.ts';
import type { QueryRows } from './worker/messages.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
after(() => engine.close());

const makeSource = (context: TestContext) =>
  makeFilesSource(context, { sales: 'SELECT range AS id, range * 1.5 AS price FROM range(10)' });

async function rowsOf(request: Omit<QueryRequest, 'organizationId'>): Promise<unknown> {
  return read(await engine.run({ organizationId: 'one', ...request }));
}

const read = ({ rowsJson, durationMs: _durationMs, ...rest }: QueryRows): unknown => ({
  ...rest,
  rows: JSON.parse(Buffer.from(rowsJson).toString()) as unknown,
});

describe('a query of uploaded tables', () => {
  it('returns its columns and rows', async (context) => {
    const source = await makeSource(context);
    assert.deepEqual(await rowsOf({ source, sql: 'SELECT * FROM sales WHERE id > 7' }), {
      columns: [
        { name: 'id', type: 'integer', sourceType: 'BIGINT' },
        { name: 'price', type: 'decimal', sourceType: 'DECIMAL(21,1)' },
      ],
      rows: [
        [8, 12],
        [9, 13.5],
      ],
      rowCount: 2,
      isCutOff: false,
    });
  });

  it('is cut off at its row limit', async (context) => {
    const source = await makeSource(context);
    const result = await engine.run({
      organizationId: 'one',
      source,
      sql: 'SELECT id FROM sales ORDER BY id',
      maxRows: 2,
    });
    assert.deepEqual([String(Buffer.from(result.rowsJson)), result.isCutOff], ['[[0],[1]]', true]);
    const whole = await engine.run({
      organizationId: 'one',
      source,
      sql: 'SELECT id FROM sales LIMIT 2',
      maxRows: 2,
    });
    assert.deepEqual([whole.rowCount, whole.isCutOff], [2, false]);
  });

  it('reports the position of an error in the SQL as it was written', async (context) => {
    const source = await makeSource(context);
    const parameters = [{ name: 'a_long_name', type: 'text', value: 'é' }] as const;
    const invalid = [
      ['selec 1', 1, 1],
      ['SELECT\n  nix FROM sales', 2, 3],
      ["SELECT 'é', {{a_long_name}},\r\n nix FROM sales", 2, 2],
      ['SELECT {{a_long_name}}, nix FROM sales', 1, 25],
      ['SELECT * FROM sales WHERE id = CAST({{a_long_name}} AS INTEGER)', 1, 32],
      // Each engine counts characters differently.
      ["SELECT 'äöü€😀', {{a_long_name}} FROM FROM", 1, 39],
      ["SELECT 'äöü€😀' FROM read_csv('x')", 1, 22],
      ["SELECT 'äöü€😀' FROM 'a/b'", 1, 22],
    ] as const;
    for (const [sql, line, column] of invalid) {
      const failure = { name: 'QueryFailure', code: 'sql_error', line, column };
      await assert.rejects(rowsOf({ source, sql, parameters }), failure, sql);
    }
  });

  it('reports the position of an error from PostgreSQL, too', async (context) => {
    const { source } = await makePostgresqlSource(context);
    const parameters = [{ name: 'name', type: 'text', value: 'é' }] as const;
    const failure = { name: 'QueryFailure', code: 'sql_error', line: 2, column: 17 };
    await assert.rejects(rowsOf({ source, sql: "SELECT\n{{name}}, '😀', nix", parameters }), failure);
  });

  it('can read the tables that the engine describes', async (context) => {
    const source = await makeSource(context);
    assert.deepEqual(await engine.describe({ organizationId: 'one', source }), [
      {
        schema: 'main',
        name: 'sales',
        columns: [
          { name: 'id', type: 'integer', sourceType: 'BIGINT' },
          { name: 'price', type: 'decimal', sourceType: 'DECIMAL(21,1)' },
        ],
        rowCount: 10,
      },
    ]);
  });
});
