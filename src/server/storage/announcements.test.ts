import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { until } from '../../../tests/support/server/server-process.ts';
import { ofListeners } from '../../../tests/support/storage/listeners.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { prepare } from './prepared-query.ts';

const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const one = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash as text').where('token_hash', '=', p.text),
);

describeOnBothEngines('an announcement', (engine) => {
  test('is received once the change can be read', async (context) => {
    const { database } = await open(context, engine);
    const found: unknown[] = [];
    database.onAnnounced({
      announced: (id) => void database.first(one, { text: id }).then((row) => found.push(row)),
      failed: assert.ifError,
    });
    await announce(database, 'first');
    await until('it is heard', () => found.length > 0 || undefined);
    assert.deepEqual({ ...(found[0] as object) }, { text: 'first' });
  });

  test('is not received for a write that fails, or after listening has ended', async (context) => {
    const { database } = await open(context, engine);
    const heard = listenTo(database);
    const ended: string[] = [];
    const end = database.onAnnounced({ announced: (id) => ended.push(id), failed: assert.ifError });
    end();
    const outcomes = await Promise.allSettled([
      announce(database, 'one'),
      database.write(async (transaction) => {
        transaction.announce('failed');
        await transaction.run(insert, { text: 'failed' });
        throw new Error('It fails.');
      }),
      announce(database, 'other'),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await until('both are heard', () => (heard().has('one') && heard().has('other')) || undefined);
    assert.deepEqual([...heard()].toSorted(), ['one', 'other']);
    assert.deepEqual(ended, []);
  });
});

describe('announcements on PostgreSQL', () => {
  test('reach other processes, even after their connection broke', async (context) => {
    const { database, databaseUrl = '', owned } = await open(context, 'PostgreSQL');
    const other = await openDatabase({ databaseUrl, dataDirectory: '' });
    const operator = new pg.Client({ connectionString: databaseUrl });
    await operator.connect();
    owned.push(
      () => other.close(),
      () => operator.end(),
    );
    const failures: unknown[] = [];
    const heard = listenTo(other, failures);
    const reaches = (id: string) =>
      until(`${id} is heard`, async () => {
        await announce(database, `${id} ${performance.now()}`);
        return [...heard()].some((text) => text.startsWith(id)) || undefined;
      });
    await reaches('first');
    const { rowCount } = await operator.query(`select pg_terminate_backend(pid) ${ofListeners}`);
    assert.equal(rowCount, 1);
    await reaches('second');
    assert.equal(failures.length, 1);
  });
});

function announce(database: Database, id: string): Promise<void> {
  return database.write(async (transaction) => {
    transaction.announce(id);
    await transaction.run(insert, { text: id });
  });
}

function listenTo(database: Database, failures?: unknown[]): () => Set<string> {
  const heard = new Set<string>();
  database.onAnnounced({
    announced: (id) => heard.add(id),
    failed: (error) => (failures === undefined ? assert.ifError(error) : failures.push(error)),
  });
  return () => heard;
}

async function open(
  context: TestContext,
  engine: Engine,
): Promise<{ database: Database; databaseUrl: string | undefined; owned: (() => Promise<void>)[] }> {
  const { database, databaseUrl, drop } = await openTestDatabase(engine);
  const owned: (() => Promise<void>)[] = [];
  context.after(async () => {
    for (const end of owned) await end();
    await database.close();
    await drop();
  });
  return { database, databaseUrl, owned };
}
