import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PostgresServer } from '../../../../tests/support/storage/postgres.ts';
import { makePostgresqlSource } from '../../../../tests/support/data-sources/postgresql-source.ts';
import { databaseCertificate, startTlsPostgres } from '../../../../tests/support/storage/tls-database.ts';
import { testSandbox } from '../../../../tests/support/data-sources/query-sandbox.ts';
import { createQueryEngine } from '../query-engine.ts';
import type { PostgresqlSource } from './description.ts';
import { engine as postgresql } from './engine.ts';

const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
const sandbox = await testSandbox();
const engine = createQueryEngine({ sandbox });
const trusting = createQueryEngine({ sandbox, trustedCertificates: databaseCertificate });
let server: PostgresServer;
let source: PostgresqlSource;

before(async () => {
  server = await startTlsPostgres();
  const { port, username, password } = new URL(server.url);
  source = {
    engine: postgresql,
    host: 'database.example',
    addresses: ['127.0.0.1'],
    port: Number(port),
    database: 'postgres',
    user: username,
    password,
    tls: 'verify',
  };
});
after(async () => {
  await engine.close();
  await trusting.close();
  await server.stop();
});

async function run(changed: Partial<PostgresqlSource>, by = engine): Promise<string> {
  const { rowsJson } = await by.run({ organizationId: 'one', source: { ...source, ...changed }, sql });
  return Buffer.from(rowsJson).toString();
}

describe('TLS to PostgreSQL', () => {
  it('is not used when it is off, and does not check the certificate when it is required', async () => {
    assert.deepEqual([await run({ tls: 'off' }), await run({ tls: 'require' })], ['[[false]]', '[[true]]']);
  });

  it('rejects a self-signed certificate with a clear message', async () => {
    await assert.rejects(run({}), {
      code: 'unreachable',
      message:
        'The certificate of the database is self-signed, which `verify` does not accept unless this server trusts it.',
    });
  });

  it('accepts a certificate that the operator trusts, but only for its own host', async () => {
    assert.equal(await run({}, trusting), '[[true]]');
    for (const host of ['other.example', '127.0.0.1']) {
      await assert.rejects(run({ host }, trusting), {
        code: 'unreachable',
        message: 'The certificate of the database is for another host.',
      });
    }
  });

  it('is used for the request to cancel a query, too', async (context) => {
    // Long enough that only the cancel request ends the query in time.
    const patient = createQueryEngine({ sandbox, limits: { graceMs: 60_000, timeoutMs: 60_000 } });
    context.after(() => patient.close());
    for (const tls of ['off', 'require'] as const) {
      const request = { organizationId: 'one', source: { ...source, tls } };
      await patient.run({ ...request, sql });
      const leaving = new AbortController();
      const running = patient.run({ ...request, sql: 'SELECT pg_sleep(50)' }, { signal: leaving.signal });
      setTimeout(() => leaving.abort(), 100);
      const startedAt = performance.now();
      await assert.rejects(running, { code: 'cancelled' });
      assert.ok(performance.now() - startedAt < 10_000, `TLS ${tls}: it was not cancelled`);
    }
  });

  it('is never dropped for a server that does not support it', async (context) => {
    const { source: plain } = await makePostgresqlSource(context);
    for (const tls of ['require', 'verify'] as const) {
      const source = { ...plain, tls };
      await assert.rejects(engine.run({ organizationId: 'one', source, sql }), {
        code: 'unreachable',
        message: /does not support SSL/,
      });
    }
  });
});
