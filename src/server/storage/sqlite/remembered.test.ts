import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openTestDatabase } from '../../../../tests/support/server/test-server.ts';
import type { Database } from '../database.ts';
import { prepare, prepareRemembered } from '../prepared-query.ts';

const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const first = prepareRemembered((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash as text').where('token_hash', '=', p.text),
);
const list = prepareRemembered((sql) =>
  sql.selectFrom('set_up_links').select('token_hash as text').orderBy('token_hash'),
);

async function open(context: TestContext): Promise<{ database: Database; file: string }> {
  const { database, dataDirectory, drop } = await openTestDatabase('SQLite');
  context.after(async () => {
    await database.close();
    await drop();
  });
  return { database, file: join(dataDirectory, 'atrium.sqlite') };
}

const add = (database: Database, text: string) =>
  database.write((transaction) => transaction.run(insert, { text }));

describe('results that SQLite remembers', () => {
  test('are the same until something is committed, and frozen', async (context) => {
    const { database } = await open(context);
    await add(database, 'a');
    const [row, rows] = [await database.first(first, { text: 'a' }), await database.all(list, {})];
    await setImmediate();
    assert.equal(await database.first(first, { text: 'a' }), row, 'in another turn');
    assert.equal(await database.all(list, {}), rows);
    assert.throws(() => rows.push({ text: 'changed' }), TypeError);
    assert.throws(() => Object.assign(rows[0] ?? {}, { text: 'changed' }), TypeError);
    assert.equal(await database.first(first, { text: 'b' }), undefined, 'other values');
    await add(database, 'b');
    assert.deepEqual(await database.first(first, { text: 'b' }), { text: 'b' });
    assert.deepEqual(await database.all(list, {}), [{ text: 'a' }, { text: 'b' }]);
  });

  test('don’t outlive a commit of another process', async (context) => {
    const { database, file } = await open(context);
    await add(database, 'a');
    assert.ok(await database.first(first, { text: 'a' }));
    await setImmediate();
    const other = new DatabaseSync(file);
    other.exec('delete from set_up_links');
    other.close();
    assert.equal(await database.first(first, { text: 'a' }), undefined);
    assert.deepEqual(await database.all(list, {}), []);
  });

  test('are not those of a transaction, which reads its own writes', async (context) => {
    const { database } = await open(context);
    await database.all(list, {});
    const inside = await database.write(async (transaction) => {
      await transaction.all(list, {});
      await transaction.run(insert, { text: 'a' });
      return transaction.all(list, {});
    });
    assert.deepEqual(inside, [{ text: 'a' }]);
    await assert.rejects(
      database.write(async (transaction) => {
        await transaction.run(insert, { text: 'b' });
        await database.all(list, {});
        throw new Error('rolled back');
      }),
    );
    assert.deepEqual(await database.all(list, {}), [{ text: 'a' }]);
  });

  test('are forgotten when there are many, and long lists are not kept', async (context) => {
    const { database } = await open(context);
    const texts = Array.from({ length: 1_001 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((text) => add(database, text)));
    const firstText = { text: 'text 0' };
    const row = await database.first(first, firstText);
    for (const text of texts.slice(0, 1_000)) await database.first(first, { text });
    assert.equal(await database.first(first, firstText), row);
    await database.first(first, { text: 'text 1000' });
    assert.notEqual(await database.first(first, firstText), row);
    assert.notEqual(await database.all(list, {}), await database.all(list, {}));
  });
});
