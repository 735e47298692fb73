import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../query-engine.ts';
import { QueryFailure } from '../failure.ts';
import type { PostgresqlSource } from './description.ts';

const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox, limits: { timeoutMs: 30_000 } });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
after(async () => {
  await engine.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

let source: PostgresqlSource;
let admin: pg.Client;

before(async () => {
  // The role is a superuser: what is refused to it is refused to every role.
  ({ source, admin } = await makePostgresqlSource(
    context,
    `CREATE TABLE sales AS SELECT generate_series(0, 9) AS id;
     CREATE SEQUENCE numbers;
     CREATE FUNCTION write_in_function() RETURNS int LANGUAGE sql VOLATILE AS
       'INSERT INTO sales VALUES (99) RETURNING id';
     CREATE PROCEDURE write_in_procedure() LANGUAGE plpgsql AS
       'BEGIN COMMIT; INSERT INTO sales VALUES (99); END';`,
  ));
});

const attacks: Record<string, string> = {
  inserts: 'INSERT INTO sales VALUES (99)',
  'inserts in a CTE': 'WITH a AS (INSERT INTO sales VALUES (99) RETURNING *) SELECT * FROM a',
  'updates in a CTE': 'WITH a AS (UPDATE sales SET id = 0 RETURNING *) SELECT * FROM a',
  'deletes in a CTE': 'WITH a AS (DELETE FROM sales RETURNING *) SELECT * FROM a',
  'writes in a function': 'SELECT write_in_function()',
  'calls a procedure that commits': 'CALL write_in_procedure()',
  'runs a block that commits': "DO 'BEGIN COMMIT; INSERT INTO sales VALUES (99); END'",
  'runs by EXPLAIN ANALYZE': 'EXPLAIN ANALYZE INSERT INTO sales VALUES (99)',
  'creates a table': 'CREATE TABLE more AS SELECT 1',
  'creates a table by SELECT INTO': 'SELECT 1 AS a INTO more',
  'advances a sequence': "SELECT nextval('numbers')",
  'sets a sequence': "SELECT setval('numbers', 7)",
  'creates a large object': "SELECT lo_create(0), lo_from_bytea(0, 'x')",
  'locks for update': 'SELECT * FROM sales FOR UPDATE',
  'turns off the read-only transaction':
    "WITH a AS (SELECT set_config('transaction_read_only', 'off', true)) SELECT * FROM a",
  'ends the transaction': 'COMMIT',
  'ends the transaction and starts another': 'ROLLBACK AND CHAIN',
  'adds a second statement': 'SELECT 1; DROP TABLE sales',
  'adds a second statement after COMMIT': 'COMMIT; DROP TABLE sales',
  'copies into a program': "COPY sales TO PROGRAM 'touch /tmp/atrium-was-here'",
  'copies a table out': 'COPY sales TO STDOUT',
  'copies into a table': 'COPY sales FROM STDIN',
  'sets a setting': 'SET statement_timeout = 0',
  'sets the characteristics': 'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
  'switches to another role': 'SET ROLE pg_read_all_data',
  listens: 'LISTEN news',
  prepares: 'PREPARE a AS SELECT 1',
  'declares a cursor': 'DECLARE a CURSOR FOR SELECT 1',
  'hides its first word in a comment': '/* SELECT */ -- SELECT\n DROP TABLE sales',
  'changes the system': "ALTER SYSTEM SET work_mem = '1GB'",
  vacuums: 'VACUUM',
  'contains only a comment': '-- nothing',
};

async function run(sql: string): Promise<string> {
  const { rowsJson } = await engine.run({ organizationId: 'one', source, sql });
  return Buffer.from(rowsJson).toString();
}

describe('SQL at PostgreSQL', () => {
  for (const [name, sql] of Object.entries(attacks)) {
    it(`is refused when it ${name}`, async () => {
      await assert.rejects(run(sql), (error) => {
        assert.ok(error instanceof QueryFailure);
        assert.equal(error.code, 'sql_error', error.message);
        return true;
      });
      assert.equal(await run('SELECT count(*), sum(id) FROM sales'), '[[10,45]]');
      const { rows } = await admin.query("SELECT count(*)::int AS n FROM pg_class WHERE relname = 'more'");
      assert.deepEqual(rows, [{ n: 0 }]);
    });
  }

  it('leaves nothing for the next query', async () => {
    const leave = `SELECT set_config('search_path', 'nowhere', false), set_config('statement_timeout', '7', false),
      set_config('TimeZone', 'Asia/Tokyo', false), set_config('default_transaction_read_only', 'off', false),
      pg_advisory_lock(1)`;
    await run(leave);
    const found = `SELECT current_setting('search_path'), current_setting('TimeZone'),
      current_setting('transaction_read_only'), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')`;
    assert.equal(await run(found), '[["\\"$user\\", public","UTC","on",0]]');
  });

  it('does not use a password of the account that the server runs as', async () => {
    const empty = { ...source, password: '' };
    const failure = { name: 'QueryFailure', code: 'unreachable' };
    await assert.rejects(engine.run({ organizationId: 'one', source: empty, sql: 'SELECT 1' }), failure);
  });

  it('is sent only to the checked addresses, whatever the host name is', async () => {
    const named = { ...source, host: '127.0.0.1', addresses: [] };
    const failure = { name: 'QueryFailure', code: 'unreachable' };
    await assert.rejects(engine.run({ organizationId: 'one', source: named, sql: 'SELECT 1' }), failure);
  });
});
