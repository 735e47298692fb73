import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeFilesSource } from '../../../../../tests/support/data-sources/files-source.ts';
import { testSandbox } from '../../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../../query-engine.ts';
import { QueryFailure } from '../../failure.ts';
import type { FilesSource } from '../description.ts';

const mebibyte = 1024 * 1024;
const sizes = { memoryBytes: 96 * mebibyte, temporaryDiskBytes: 16 * mebibyte };
const sandbox = await testSandbox();
/** Queries are refused at once, but on a busy machine their process may take time to start. */
const engine = createQueryEngine({ sandbox, limits: { ...sizes, timeoutMs: 30_000 } });
/** For queries that would run forever. */
const impatient = createQueryEngine({ sandbox, limits: { ...sizes, timeoutMs: 4_000 } });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
after(async () => {
  await engine.close();
  await impatient.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

let own: FilesSource & { readonly tempDirectory: string };
let foreign: FilesSource;
let outside: string;
let port: number;
let knocks = 0;

before(async () => {
  own = await makeFilesSource(context, { sales: 'SELECT range AS id FROM range(10)' });
  foreign = await makeFilesSource(context, { salaries: "SELECT 'canary' AS secret" });
  outside = await mkdtemp(join(tmpdir(), 'atrium-outside-'));
  await writeFile(join(outside, 'secret.csv'), 'word\ncanary\n');
  await writeFile(join(outside, 'secret.json'), '{"word": "canary"}');
  const server = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  cleanUps.push(async () => {
    server.close();
    await rm(outside, { recursive: true, force: true });
  });
});

/** `$O` is a directory with secrets, `$F` another organization's file, `$T` the temporary directory, `$P` a port that counts connections. */
const attacks: Record<string, string> = {
  'reads a CSV file': "SELECT * FROM read_csv('$O/secret.csv')",
  'reads a CSV file by its name': "SELECT * FROM '$O/secret.csv'",
  'reads a CSV file by its name in double quotes': 'SELECT * FROM "$O/secret.csv"',
  'reads a text file': "SELECT * FROM read_text('/etc/passwd')",
  'reads bytes': "SELECT * FROM read_blob('$O/*')",
  'reads JSON': "SELECT * FROM read_json('$O/secret.json')",
  'reads JSON by its name': "SELECT * FROM '$O/secret.json'",
  'reads Parquet': "SELECT * FROM read_parquet('$O/secret.csv')",
  'reads the metadata of Parquet': "SELECT * FROM parquet_metadata('$O/secret.csv')",
  'detects the columns of a file': "SELECT * FROM sniff_csv('$O/secret.csv')",
  'lists files': "SELECT * FROM glob('$O/*')",
  'reads the temporary directory': "SELECT * FROM read_blob('$T/**')",
  'hides a function in a subquery': "SELECT (SELECT count(*) FROM glob('$O/*'))",
  'hides a function in EXISTS': "SELECT 1 WHERE EXISTS (FROM read_text('$O/secret.csv'))",
  'hides a function in a CTE': "WITH a AS (FROM read_text('$O/secret.csv')) FROM a",
  'hides a function in a list': "SELECT [x FOR x IN (SELECT array_agg(file) FROM glob('$O/*'))]",
  'hides a function in LIMIT': "SELECT 1 LIMIT (SELECT count(*) FROM glob('$O/*'))",
  'hides a function in a lateral join': "FROM sales, LATERAL (FROM read_text('$O/secret.csv'))",
  'hides a function in SQL text': "SELECT * FROM query('FROM read_text(''$O/secret.csv'')')",
  'hides a function in a serialized tree':
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''$O/secret.csv'')'))",
  'hides a setting in SQL that is planned':
    "SELECT json_serialize_plan('SELECT current_setting(''temp_directory'')', optimize := true)",
  'hides a file in SQL that is planned': "SELECT json_serialize_plan('FROM read_text(''$O/secret.csv'')')",
  'calls an address that is hidden in a plan': `SELECT json_serialize_plan('FROM json_execute_serialized_sql(''' ||
    replace(json_serialize_sql('FROM arrow_scan(41, 41, 41)')::VARCHAR, '"INTEGER"', '"POINTER"') || ''')')`,
  'turns a tree into SQL': "SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))",
  'calls a function of a plan as a method': "SELECT ('SELECT 1').json_serialize_plan()",
  'names a file as a table in a text': "SELECT * FROM query_table('$O/secret.csv')",
  'qualifies a function': "SELECT * FROM system.main.read_text('$O/secret.csv')",
  'quotes a function': `SELECT * FROM "Read_Text"('$O/secret.csv')`,
  'reads over HTTP': "SELECT * FROM read_csv('http://127.0.0.1:$P/a.csv')",
  'reads over HTTP by a name': "SELECT * FROM 'http://127.0.0.1:$P/a.parquet'",
  'reads from S3': "SELECT * FROM read_parquet('s3://127.0.0.1:$P/a')",
  'attaches a database over HTTP': "ATTACH 'http://127.0.0.1:$P/a.db' AS a",
  'installs an extension': 'INSTALL httpfs',
  'installs an extension from an address': "INSTALL httpfs FROM 'http://127.0.0.1:$P'",
  'loads an extension': "LOAD '$O/evil.duckdb_extension'",
  'attaches the file of another organization': "ATTACH '$F' AS other",
  'reads the file of another organization by its name': "SELECT * FROM '$F'",
  'reads the file of another organization': "SELECT * FROM read_duckdb('$F')",
  'reads a table by the alias of its file': 'SELECT * FROM t0.main.data',
  'sets a setting': "SET memory_limit = '100GB'",
  'sets a setting for all': 'SET GLOBAL enable_external_access = true',
  'resets a setting': 'RESET lock_configuration',
  'sets by PRAGMA': 'PRAGMA enable_external_access',
  'sets by a function': "SELECT set_config('enable_external_access', 'true', false)",
  'logs into a file': "SELECT * FROM enable_logging(storage = 'file', storage_config = {'path': '$O/log'})",
  'logs the queries of others': "SELECT * FROM enable_logging('QueryLog')",
  'logs by CALL': 'CALL enable_logging()',
  'reads a log': 'SELECT * FROM duckdb_logs()',
  'writes into a log': "SELECT write_log('x')",
  'changes the parser': 'SELECT * FROM enable_peg_parser()',
  profiles: 'SELECT * FROM enable_profiling()',
  'reads memory by its address': 'SELECT * FROM arrow_scan(1::UBIGINT, 2::UBIGINT, 3::UBIGINT)',
  'reads the settings': 'SELECT * FROM duckdb_settings()',
  'reads the settings through a view': 'SELECT * FROM duckdb_settings',
  'reads the settings in the catalog of PostgreSQL': 'SELECT * FROM pg_catalog.pg_settings',
  'reads the paths of files from a table named in an argument':
    'SELECT * FROM histogram_values(duckdb_databases, path)',
  'reads the settings from a table named in an argument':
    'SELECT * FROM histogram(pg_catalog.pg_settings, name)',
  'reads one setting': "SELECT current_setting('temp_directory')",
  'reads the paths of files': 'SELECT * FROM duckdb_databases()',
  'reads the paths of files through a view': 'SELECT * FROM pragma_database_list',
  'reads the paths of files by PRAGMA': 'PRAGMA database_list',
  'reads secrets': 'SELECT * FROM duckdb_secrets()',
  'stores a secret': "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'writes a file': "COPY (SELECT 1) TO '$O/written.csv'",
  'writes to the temporary directory': "COPY (SELECT 1) TO '$T/written.csv'",
  'writes a file by COPY in a CTE': "WITH a AS (SELECT 1) COPY a TO '$O/written.csv'",
  'exports everything': "EXPORT DATABASE '$O/exported'",
  'imports everything': "IMPORT DATABASE '$O'",
  'creates a file by ATTACH': "ATTACH '$O/made.db'",
  'attaches one more database': "ATTACH ':memory:' AS more",
  'detaches the tables': 'DETACH t0',
  inserts: 'INSERT INTO sales VALUES (11)',
  'inserts into the table of the file': 'INSERT INTO t0.main.data VALUES (11)',
  deletes: 'DELETE FROM sales',
  'updates and returns': 'UPDATE t0.main.data SET id = 0 RETURNING *',
  'creates a table': 'CREATE TABLE more AS SELECT 1',
  'creates a temporary table': 'CREATE TEMP TABLE more AS SELECT 1',
  'creates a view': 'CREATE OR REPLACE VIEW sales AS SELECT 1',
  'creates a macro': 'CREATE MACRO sum(a) AS 0',
  'drops a view': 'DROP VIEW sales',
  'leaves a variable': "SET VARIABLE word = 'x'",
  'leaves a prepared statement': 'PREPARE a AS SELECT 1',
  'begins a transaction': 'BEGIN',
  'adds a second statement': 'SELECT 1; SELECT 2',
  'adds a second statement after a comment': "SELECT 1 /* ; */; DROP VIEW sales -- '",
  'contains only a comment': ' -- nothing\n',
  vacuums: 'VACUUM',
  'forces a checkpoint': 'CHECKPOINT',
  'forces a checkpoint by a function': 'SELECT * FROM force_checkpoint()',
  'runs by EXPLAIN ANALYZE': "EXPLAIN ANALYZE COPY (SELECT 1) TO '$O/written.csv'",
};

/** Queries that use too much time or memory. */
const exhausting: Record<string, string> = {
  'sorts more than fits into memory': 'SELECT * FROM range(100000000) t(a) ORDER BY hash(a)',
  'groups more than fits into memory':
    "SELECT repeat('x', 100) || a, count(*) FROM range(50000000) t(a) GROUP BY ALL ORDER BY 1",
  'collects everything into one list': 'SELECT list(a) FROM range(500000000) t(a)',
  'collects everything into one text': "SELECT string_agg(repeat('x', 1000), ',') FROM range(10000000)",
  'returns one long text': "SELECT repeat(repeat('x', 1000000), 2000)",
  'returns long rows': "SELECT repeat('x', 100000000) FROM range(1000)",
  'counts almost forever': 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c',
  'never ends': 'WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT max(n) FROM a',
  'accumulates rows forever':
    'WITH RECURSIVE a(n) AS (SELECT 1 UNION SELECT n + 1 FROM a) SELECT max(n) FROM a',
  'nests parentheses deeply': `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
  'nests operators deeply': `SELECT ${'-'.repeat(1)}${' NOT'.repeat(20_000)} true`,
  'selects many columns': `SELECT ${Array.from({ length: 20_000 }, (_, index) => `a.range + ${index}`).join(', ')} FROM range(100000) a`,
  'forces a regular expression to backtrack': "SELECT regexp_matches(repeat('a', 1000000), '(a|aa)+$b')",
  sleeps: 'SELECT sleep_ms(100000)',
};

const fill = (sql: string): string =>
  sql
    .replaceAll('$O', outside)
    .replaceAll('$T', own.tempDirectory)
    .replaceAll('$F', foreign.tables[0]?.file ?? '')
    .replaceAll('$P', String(port));

async function run(sql: string, source: FilesSource = own, by = engine): Promise<string> {
  const result = await by.run({ organizationId: source === own ? 'own' : 'foreign', source, sql });
  return Buffer.from(result.rowsJson).toString();
}

async function assertUnharmed(by = engine): Promise<void> {
  assert.equal(await run('SELECT count(*), sum(id) FROM sales', own, by), '[[10,45]]');
  assert.equal(knocks, 0);
  assert.deepEqual(await readdir(outside), ['secret.csv', 'secret.json']);
}

describe('SQL over uploaded tables', () => {
  for (const [name, sql] of Object.entries(attacks)) {
    it(`is refused when it ${name}`, async () => {
      await assert.rejects(run(fill(sql)), (error) => {
        assert.ok(error instanceof QueryFailure);
        assert.equal(error.code, 'sql_error', error.message);
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
      await assertUnharmed();
    });
  }

  for (const [name, sql] of Object.entries(exhausting)) {
    it(`is contained when it ${name}`, async () => {
      const ending = await run(sql, own, impatient).then(
        () => 'succeeded',
        (error: unknown) => (error instanceof QueryFailure ? error.code : String(error)),
      );
      assert.match(ending, /^(succeeded|sql_error|timeout|out_of_memory)$/);
      await assertUnharmed(impatient);
      assert.equal(await run('FROM salaries', foreign, impatient), '[["canary"]]');
    });
  }

  it('leaves nothing on disk when the engine ends', async () => {
    await engine.close();
    await impatient.close();
    const left = existsSync(own.tempDirectory) ? await readdir(own.tempDirectory) : [];
    assert.deepEqual(left, []);
  });
});
