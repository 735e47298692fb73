import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../query-engine.ts';
import type { PostgresqlSource } from './description.ts';

const sandbox = await testSandbox();

const engine = createQueryEngine({ sandbox });
const cleanUps: (() => Promise<void>)[] = [];
const context = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) };
let source: PostgresqlSource;
let admin: pg.Client;

// Roles belong to the server as a whole, which tests share.
const reader = `reader_${process.pid}`;
const writer = `writer_${process.pid}`;

before(async () => {
  ({ source, admin } = await makePostgresqlSource(
    context,
    `CREATE SCHEMA shop;
     CREATE TABLE shop.orders (id int, price int);
     CREATE EXTENSION dblink;
     REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM public;
     CREATE EXTENSION file_fdw;
     CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
     CREATE FOREIGN TABLE shop.passwords (line text) SERVER files OPTIONS (filename '/etc/passwd');
     CREATE ROLE ${writer};
     GRANT USAGE ON SCHEMA shop TO ${writer};
     GRANT INSERT ON shop.orders TO ${writer};
     CREATE ROLE ${reader} LOGIN PASSWORD 'reader' NOINHERIT;
     GRANT USAGE ON SCHEMA shop TO ${reader};
     GRANT SELECT ON shop.orders TO ${reader};`,
  ));
});
after(async () => {
  await engine.close();
  await admin.query(`DROP OWNED BY ${reader}, ${writer}; DROP ROLE ${reader}, ${writer}`);
  for (const cleanUp of cleanUps) await cleanUp();
});

async function findWarnings(change: Partial<PostgresqlSource> = {}): Promise<string[]> {
  const as = { ...source, user: reader, password: 'reader', ...change };
  const warnings = await engine.testConnection({ organizationId: 'one', source: as });
  return warnings.map(({ code, message }) => `${code}: ${message.split('. ')[0]}`);
}

/** A grant to the reader, the statement that revokes it, and the warning. */
const cases: readonly (readonly [string, string, RegExp])[] = [
  [`ALTER ROLE ${reader} CREATEROLE`, `ALTER ROLE ${reader} NOCREATEROLE`, /^manages_roles: .* reader_/],
  [`ALTER ROLE ${reader} BYPASSRLS`, `ALTER ROLE ${reader} NOBYPASSRLS`, /^bypasses_row_security: /],
  [`ALTER ROLE ${reader} REPLICATION`, `ALTER ROLE ${reader} NOREPLICATION`, /^replication: /],
  ...['pg_read_server_files', 'pg_write_server_files'].map(
    (role) =>
      [
        `GRANT ${role} TO ${reader}`,
        `REVOKE ${role} FROM ${reader}`,
        new RegExp(`^server_files: .*${role}`),
      ] as const,
  ),
  [
    `GRANT EXECUTE ON FUNCTION pg_read_file(text) TO ${reader}`,
    `REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM ${reader}`,
    /^server_files: .*pg_read_file/,
  ],
  [
    `GRANT pg_execute_server_program TO ${reader}`,
    `REVOKE pg_execute_server_program FROM ${reader}`,
    /^server_programs: .*pg_execute_server_program/,
  ],
  [
    `GRANT UPDATE (price) ON shop.orders TO ${reader}`,
    `REVOKE UPDATE (price) ON shop.orders FROM ${reader}`,
    /^writes_tables: .*shop\.orders/,
  ],
  // The role does not inherit the privileges of roles that it is a member of, but can switch to them.
  [`GRANT ${writer} TO ${reader}`, `REVOKE ${writer} FROM ${reader}`, /^writes_tables: .*shop\.orders/],
  [
    `GRANT EXECUTE ON FUNCTION dblink_connect(text) TO ${reader}`,
    `REVOKE EXECUTE ON FUNCTION dblink_connect(text) FROM ${reader}`,
    /^other_connections: .*dblink_connect/,
  ],
  [
    `GRANT USAGE ON FOREIGN SERVER files TO ${reader}`,
    `REVOKE USAGE ON FOREIGN SERVER files FROM ${reader}`,
    /^foreign_data: .*files/,
  ],
  [
    `GRANT SELECT ON shop.passwords TO ${reader}`,
    `REVOKE SELECT ON shop.passwords FROM ${reader}`,
    /^foreign_data: .*shop\.passwords/,
  ],
];

describe('the test of a connection to PostgreSQL', () => {
  it('reports no warning when the role can only read', async () => {
    assert.deepEqual(await findWarnings(), []);
  });

  for (const [grant, revoke, expected] of cases) {
    it(`warns after ${grant.replaceAll(`_${process.pid}`, '')}`, async () => {
      await admin.query(grant);
      const warnings = await findWarnings();
      await admin.query(revoke);
      assert.equal(warnings.length, 1, warnings.join('\n'));
      assert.match(warnings[0] ?? '', expected);
    });
  }

  it('warns of functions in a language that is not trusted', async () => {
    // As CREATE EXTENSION plpython3u does; the program of the language itself may not be installed.
    await admin.query(`
      CREATE FUNCTION handle() RETURNS language_handler LANGUAGE c AS '$libdir/plpgsql', 'plpgsql_call_handler';
      CREATE LANGUAGE native HANDLER handle;
      CREATE FUNCTION shop.run() RETURNS int LANGUAGE native AS 'anything'`);
    const warnings = await findWarnings();
    await admin.query('DROP FUNCTION shop.run(); DROP LANGUAGE native; DROP FUNCTION handle()');
    assert.deepEqual(warnings, [
      'untrusted_language: The role can call run, whose language can do anything that the system account of the database server can',
    ]);
  });

  it('reports that the privileges cannot be checked, and still succeeds', async () => {
    await admin.query('REVOKE SELECT ON pg_catalog.pg_foreign_server FROM public');
    const warnings = await findWarnings();
    await admin.query('GRANT SELECT ON pg_catalog.pg_foreign_server TO public');
    assert.deepEqual(warnings, [
      'privileges_unknown: The privileges of the role could not be checked: permission denied for table pg_foreign_server',
    ]);
  });

  it('reports only the superuser warning for a superuser', async () => {
    const { user, password } = source;
    assert.deepEqual(await findWarnings({ user, password }), [
      `superuser: The role ${user} is a superuser: a query can read files on the database server and run programs there`,
    ]);
  });
});
