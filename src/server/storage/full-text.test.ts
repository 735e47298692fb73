import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { describeOnBothEngines, openTestDatabase } from '../../../tests/support/server/test-server.ts';
import { insertWords, matchingKeys, mergeWords, removeWords, searchFor } from './full-text.ts';
import { prepare } from './prepared-query.ts';

const find = prepare((db, p: { search: string; before: number; limit: number }, engine) =>
  db.selectFrom(matchingKeys(engine, p).as('found')).select('key').orderBy('key'),
);
const segments = prepare((db) =>
  db.selectNoFrom(sql<number>`(select count(distinct segid) from dashboard_words_idx)`.as('count')),
);

describeOnBothEngines('the index of words', (engine) => {
  test('finds the same after merging words that were added in many steps', async (context) => {
    const { database, drop } = await openTestDatabase(engine);
    context.after(async () => {
      await database.close();
      await drop();
    });
    const keys = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const key of keys) {
      const words = ['sales', `number${key}`];
      await database.write((transaction) => insertWords(transaction, { key, scope: 'office', words }));
    }
    await database.write((transaction) => removeWords(transaction, 7));
    const countSegments = async () =>
      engine === 'SQLite' ? ((await database.first(segments, {}))?.count ?? 0) : 1;
    assert.ok(engine === 'PostgreSQL' || (await countSegments()) > 1);
    while (await mergeWords(database));
    assert.equal(await countSegments(), 1);
    assert.equal(await mergeWords(database), false);
    const found = async (term: string) => {
      const range = { search: searchFor(engine, 'office', [term]), before: 1000, limit: 1000 };
      return (await database.all(find, range)).map(({ key }) => Number(key));
    };
    assert.deepEqual(
      await found('sal'),
      keys.filter((key) => key !== 7),
    );
    assert.deepEqual(await found('number50'), [50]);
  });
});
