import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeFilesSource } from '../../../../tests/support/data-sources/files-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine, type QueryRequest } from '../query-engine.ts';
import type { SourceDescription } from '../source-description.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox, limits: { maxWorkersPerSource: 1 } });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
let source: SourceDescription;
before(async () => {
  source = await makeFilesSource(context, { numbers: 'SELECT range AS id FROM range(100000)' });
});
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

async function rowsOf(sql: string, request: Partial<QueryRequest> = {}): Promise<unknown> {
  const { rowsJson } = await engine.run({ organizationId: 'one', source, sql, ...request });
  return JSON.parse(Buffer.from(rowsJson).toString()) as unknown;
}

describe('a query that is run again', () => {
  it('uses the new values each time', async () => {
    const sql = 'SELECT count(*) FROM numbers WHERE id < {{most}}';
    for (const value of [5, 7, 5, 1.5, null, 100_000]) {
      const parameters = [{ name: 'most', type: 'number', value }] as const;
      const expected = value === 1.5 ? 2 : (value ?? 0);
      assert.deepEqual(await rowsOf(sql, { parameters }), [[expected]]);
    }
    const list = 'SELECT {{chosen}} AS chosen';
    for (const value of [['a'], ['b', 'c'], []]) {
      assert.deepEqual(await rowsOf(list, { parameters: [{ name: 'chosen', type: 'list', value }] }), [
        [value],
      ]);
    }
  });

  it('has a new time, random number and sample each time', async () => {
    for (const sql of [
      'SELECT now()',
      'SELECT random()',
      'SELECT uuid()',
      'SELECT min(id), max(id) FROM (FROM numbers USING SAMPLE 5)',
    ])
      assert.notDeepEqual(await rowsOf(sql), await rowsOf(sql), sql);
  });

  it('has the requested number of rows each time', async () => {
    const sql = 'SELECT id FROM numbers ORDER BY id';
    assert.deepEqual(await rowsOf(sql, { maxRows: 1 }), [[0]]);
    assert.deepEqual(await rowsOf(sql, { maxRows: 2 }), [[0], [1]]);
    assert.deepEqual(await rowsOf(sql, { maxRows: 1 }), [[0]]);
  });

  it('has the original column names each time', async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS a_1';
    for (let time = 0; time < 2; time += 1) {
      const { columns } = await engine.run({ organizationId: 'one', source, sql });
      assert.deepEqual(
        columns.map(({ name }) => name),
        ['a', 'a', 'a_1'],
      );
    }
  });

  it('succeeds after it has failed', async () => {
    const sql = 'SELECT CAST({{text}} AS INTEGER)';
    const cast = (value: string) => rowsOf(sql, { parameters: [{ name: 'text', type: 'text', value }] });
    assert.deepEqual(await cast('1'), [[1]]);
    await assert.rejects(cast('x'), { code: 'sql_error', line: 1, column: 8 });
    assert.deepEqual(await cast('2'), [[2]]);
  });

  it('succeeds after it was stopped', async () => {
    const sql = 'SELECT count(*) FROM range({{count}}) a, range(1000000) b WHERE a.range <> b.range';
    const count = (value: number, timeoutMs: number) =>
      rowsOf(sql, { parameters: [{ name: 'count', type: 'number', value }], timeoutMs });
    assert.deepEqual(await count(1, 10_000), [[999_999]]);
    await assert.rejects(count(10_000_000, 50), { code: 'timeout' });
    assert.deepEqual(await count(1, 10_000), [[999_999]]);
  });
});
