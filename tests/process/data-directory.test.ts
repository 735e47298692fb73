import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import {
  failureOf,
  freshPlace,
  ownerSettings,
  runCommandLine,
  runServerToEnd,
  send,
  signInOwner,
  startServerProcess,
  type Environment,
} from '../support/server/server-process.ts';
import type { Owner } from '../support/endings.ts';

describe('a data directory', () => {
  test('is refused with a database that its uploaded tables do not belong to', async (context) => {
    const place = { ...(await freshPlace(context, 'PostgreSQL')), ...ownerSettings };
    const { ATRIUM_DATA_DIR: directory } = place;
    const server = await startServerProcess(context, { environment: place });
    const { organizationId } = await signInOwner(server);
    await server.end('SIGTERM');
    const table = join(directory, 'sources', organizationId, 'a-data-source', 'table.duckdb');
    mkdirSync(dirname(table), { recursive: true });
    writeFileSync(table, 'rows');
    const other = await freshPlace(context, 'PostgreSQL');
    const mistyped = { ...place, DATABASE_URL: other['DATABASE_URL'] ?? '' };

    await assertRefused(context, mistyped, /belong to another database/);
    assert.equal(await countTables(mistyped.DATABASE_URL), 0);
    // As after an upgrade from a version that did not mark the tables.
    rmSync(join(directory, 'sources', 'instance-id'));
    await assertRefused(context, mistyped, /belong to organizations that this database does not have/);
    assert.ok(existsSync(table));
  });

  test('with an embedded database has one server, which requires the key of its secrets', async (context) => {
    const place = { ...(await freshPlace(context, 'SQLite')), ...ownerSettings };
    const first = await startServerProcess(context, { environment: place });
    await assertRefused(context, place, /another server is running on .*ATRIUM_DATA_DIR/s);
    const command = await runCommandLine(context, ['operator', 'list'], { environment: place });
    assert.equal(command.code, 0, command.errorOutput);

    const owner = await signInOwner(first);
    const path = `/api/sso/orgs/${owner.organizationId}/config`;
    const emailDomains = ['example.com'];
    const body = { provider: 'idp_ad', clientId: 'c', clientSecret: 'secret', emailDomains, enabled: true };
    assert.equal((await send(owner, `POST ${path}`, { body })).status, 200);
    // A killed server leaves no lock behind.
    await first.end('SIGKILL');

    rmSync(join(place.ATRIUM_DATA_DIR, 'secret-key'));
    await assertRefused(
      context,
      place,
      /secret-key is missing.*1 secret .*Restore the file.*secrets discard/s,
    );
    assert.ok(!readdirSync(place.ATRIUM_DATA_DIR).some((name) => name.startsWith('secret-key')));
    const renewed = { ...place, ATRIUM_SECRET_KEY: 'a new key in the place of the lost one' };
    await assertRefused(context, renewed, /ATRIUM_SECRET_KEY: .*1 secret, .*secrets discard/s);
    const discard = await runCommandLine(context, ['secrets', 'discard'], { environment: renewed });
    assert.equal(
      discard.output,
      'client secrets deleted: 1\ncertificates of single sign-on deleted: 0\npasswords of data sources deleted: 0\nsecrets of webhooks deleted: 0\nauthenticator apps deleted: 0\n',
    );
    const next = await startServerProcess(context, { environment: renewed });
    const { body: stored } = await send({ ...owner, url: next.url }, `GET ${path}`);
    assert.deepEqual([stored.clientId, stored.hasSecret], ['c', false]);
  });
});

/** Asserts that the server doesn't start, and explains why. */
async function assertRefused(owner: Owner, environment: Environment, reason: RegExp): Promise<void> {
  const exit = await runServerToEnd(owner, { environment });
  assert.deepEqual([exit.code, exit.errorOutput], [1, '']);
  assert.match(failureOf(exit.output), reason);
}

async function countTables(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      "select count(*) from information_schema.tables where table_schema = 'public'",
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
