import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { makeFilesSource } from '../../../tests/support/data-sources/files-source.ts';
import { testSandbox } from '../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from './query-engine.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
after(() => engine.close());
const organizationId = 'one';

const endless = 'SELECT a.range AS n FROM range(1000000) a, range(1000000) b';

describe('a stream of rows', () => {
  it('is CSV', async (context) => {
    const source = await makeFilesSource(context, {});
    const sql = `SELECT 1 AS "a,b", 'x "y"' AS c, '' AS d, NULL AS e, '2024-02-29'::DATE AS f, [1, 2] AS g, 'é' AS h`;
    const { columns, body } = await engine.stream({ organizationId, source, sql }, 'csv');
    assert.deepEqual(
      columns.map(({ type }) => type),
      ['integer', 'text', 'text', 'integer', 'date', 'list', 'text'],
    );
    assert.equal(await text(body), '"a,b",c,d,e,f,g,h\r\n1,"x ""y""","",,2024-02-29,"[1,2]",é\r\n');
  });

  it('is only the header when there are no rows', async (context) => {
    const source = await makeFilesSource(context, {});
    const { body } = await engine.stream({ organizationId, source, sql: 'SELECT 1 AS a WHERE false' }, 'csv');
    assert.equal(await text(body), 'a\r\n');
  });

  it('is Parquet, which reads back as the same table', async (context) => {
    const source = await makeFilesSource(context, {
      things: `SELECT range AS id, range / 3 AS third, 'n' || range AS name, [range] AS list, {'a': range} AS struct,
        '2024-02-29 12:00:00.123456'::TIMESTAMP AS at FROM range(5000)`,
    });
    const { body } = await engine.stream({ organizationId, source, sql: 'FROM things' }, 'parquet');
    const inputFile = join(source.tempDirectory, 'things.parquet');
    const file = join(source.tempDirectory, 'things.duckdb');
    await writeFile(inputFile, await buffer(body));
    const imported = await engine.importFile({
      organizationId,
      inputFile,
      format: 'parquet',
      outputFile: file,
      tempDirectory: source.tempDirectory,
    });
    assert.equal(imported.rowCount, 5000);
    const both = { ...source, tables: [...source.tables, { name: 'again', file }] };
    const sql = 'SELECT count(*) FROM (FROM things EXCEPT ALL FROM again)';
    const { rowsJson } = await engine.run({ organizationId, source: both, sql });
    assert.equal(String(Buffer.from(rowsJson)), '[[0]]');
  });

  it('is Parquet when the rows do not fit into memory', async (context) => {
    const source = await makeFilesSource(context, {});
    const small = createQueryEngine({ sandbox, limits: { memoryBytes: 240 * 1024 * 1024 } });
    context.after(() => small.close());
    const sql = 'SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(1200000)';
    const { body } = await small.stream({ organizationId, source, sql }, 'parquet');
    const bytes = await buffer(body);
    assert.equal(bytes.subarray(-4).toString(), 'PAR1');
  });

  it('is rejected when it fails before its first row', async (context) => {
    const source = await makeFilesSource(context, {});
    for (const format of ['csv', 'parquet'] as const) {
      const sql = "SELECT\n CAST('x' || range AS INTEGER) FROM range(10)";
      const failure = { name: 'QueryFailure', code: 'sql_error', line: 2 };
      await assert.rejects(engine.stream({ organizationId, source, sql }, format), failure);
    }
  });

  it('destroys its body when it fails later', async (context) => {
    const source = await makeFilesSource(context, {});
    const sql = "SELECT CAST(CASE WHEN range > 300000 THEN 'x' ELSE '1' END AS INTEGER) FROM range(1000000)";
    const { body } = await engine.stream({ organizationId, source, sql }, 'csv');
    await assert.rejects(text(body), { name: 'QueryFailure', code: 'sql_error' });
  });

  it('stops when its reader leaves, and its worker runs the next query', async (context) => {
    const source = await makeFilesSource(context, {});
    const { body } = await engine.stream({ organizationId, source, sql: endless }, 'csv');
    const [worker] = engine.workers().filter(({ isBusy }) => isBusy);
    await once(body, 'data');
    body.destroy();
    const { rowsJson } = await engine.run({ organizationId, source, sql: 'SELECT 1' });
    assert.equal(String(Buffer.from(rowsJson)), '[[1]]');
    assert.ok(engine.workers().some(({ processId }) => processId === worker?.processId));
  });

  it('stops at its time limit even if nobody reads it', async (context) => {
    const source = await makeFilesSource(context, {});
    // Starts the worker, since the time for that would count, too.
    await engine.run({ organizationId, source, sql: 'SELECT 1' });
    const { body } = await engine.stream({ organizationId, source, sql: endless, timeoutMs: 1_000 }, 'csv');
    await assert.rejects(once(body, 'end'), { name: 'QueryFailure', code: 'timeout' });
    assert.deepEqual(
      engine.workers().filter(({ isBusy }) => isBusy),
      [],
    );
  });
});
