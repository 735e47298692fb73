import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  createTestPlace,
  describeOnBothEngines,
  openTestDatabase,
  startTestServer,
} from '../../../../tests/support/server/test-server.ts';
import { newId } from '../../base/ids.ts';
import { createUser } from '../../organizations/users.ts';
import { databaseFile } from '../../storage/data-directory.ts';
import type { Database } from '../../storage/database.ts';
import { rebuildOfIndex, searchFor } from '../../storage/full-text.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { openPostgres } from '../../storage/postgres/postgres.ts';
import { openSqlite } from '../../storage/sqlite/sqlite.ts';
import { indexPart } from './entries.ts';
import { createDashboardIndex } from './indexer.ts';
import { queueForIndex } from './entry-store.ts';
import { findListed } from './row-store.ts';
import { selectFound } from './store.ts';
import { dashboardKind } from '../kind.ts';
import type { StoredDashboard } from '../store.ts';

/** The last version of the schema before the index. */
const versionBeforeIndex = 6;

const fail = (error: unknown) => assert.fail(String(error));

/** Words of few letters, so that many start alike; some letters fold to others. */
const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'ä', 'á', 'Ꮳ', '7', '漢'),
  minLength: 1,
  maxLength: 13,
});
const text = fc.array(fc.tuple(word, fc.constantFrom(' ', '-', '"', "'", '*', '. ', '_', '—', ':')), {
  maxLength: 4,
});
const toText = (parts: readonly (readonly [string, string])[]): string => parts.flat().join('');

const fold = (folded: string): string =>
  folded
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');

/** Whether a simple implementation of the search finds a name. */
const isFoundBy = (query: string, name: string): boolean => {
  const words = fold(name).split(/[^ab7漢Ꮳꮳ]+/u);
  const terms = fold(query)
    .split(/[^ab7漢Ꮳꮳ]+/u)
    .filter((term) => term !== '');
  return terms.every((term) => words.some((one) => one.startsWith(term)));
};

describeOnBothEngines('the index of dashboards', (engine) => {
  test('finds the same as a comparison with each name', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson();
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), word, async (names, query) => {
        await server.database.write((transaction) =>
          transaction.execute('update dashboards set deleted_at = updated_at'),
        );
        const stored = names.map((name) => `x ${toText(name)}`);
        const ids: string[] = [];
        for (const name of stored) {
          const { body } = await server.call('POST /api/dashboards', { as, body: { name } });
          ids.push(body.id);
        }
        const { body } = await server.call(`GET /api/dashboards?q=${encodeURIComponent(query)}`, { as });
        assert.deepEqual(
          body.items.map(({ id }: { id: string }) => id).toSorted(),
          ids.filter((_, index) => isFoundBy(query, stored[index] ?? '')).toSorted(),
        );
      }),
      { numRuns: engine === 'SQLite' ? 60 : 25 },
    );
  });

  test('is updated when dashboards are renamed one after another', async (context) => {
    const server = await startTestServer(context, engine);
    const as = await server.createPerson();
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      ids.push((await server.call('POST /api/dashboards', { as, body: { name } })).body.id);
    }
    const found = async (query: string) =>
      (await server.call(`GET /api/dashboards?q=${query}`, { as })).body.items.length;
    assert.equal(await found('one'), 1);
    for (const [index, id] of ids.entries()) {
      const headers = { 'if-match': '*' };
      const { status } = await server.call(`PATCH /api/dashboards/${id}`, {
        as,
        headers,
        body: { name: 'New' },
      });
      assert.equal(status, 200);
      assert.equal(await found('new'), index + 1);
    }
  });

  test('lets other work run between dashboards with many words', async (context) => {
    const { database, drop } = await openTestDatabase(engine);
    let parts = 0;
    const counted: Database = {
      ...database,
      write: (work) => {
        parts += 1;
        return database.write(work);
      },
    };
    const index = createDashboardIndex(counted, fail);
    context.after(async () => {
      await index.close();
      await database.close();
      await drop();
    });
    const userId = await createOwner(database);
    const ids = Array.from({ length: 40 }, newId);
    await database.write(async (transaction) => {
      for (const [number, id] of ids.entries()) {
        const words = Array.from({ length: 1_200 }, (_, word) => `w${number * 1_200 + word}`);
        await dashboardKind.insert(transaction, toStored(id, userId, 'Full', words.join(' ')));
      }
    });
    await index.catchUp();
    assert.ok(parts > 3, `${parts} parts`);
    assert.ok((await findNames(database, userId, ['w47'])).length > 1);
  });

  test('includes dashboards that existed before the index', async (context) => {
    const place = await createTestPlace(engine);
    const { databaseUrl, dataDirectory } = place;
    const older =
      databaseUrl === undefined ? openSqlite(databaseFile(dataDirectory)) : await openPostgres(databaseUrl);
    await migrate(older, { toVersion: versionBeforeIndex });
    const userId = newId();
    const ids = Array.from({ length: 450 }, newId);
    await older.write(async (transaction) => {
      const at = "'2026-01-01T00:00:00.000Z'";
      await transaction.execute(
        `insert into users (id, email, name, created_at, updated_at)
         values ('${userId}', 'old@example.com', 'Old', ${at}, ${at})`,
      );
      const rows = ids.map((id, index) => `('${id}', '${userId}', 'Old ${index}', '[]', 1, ${at}, ${at})`);
      await transaction.execute(
        `insert into dashboards (id, user_id, name, widgets, version, created_at, updated_at)
         values ${rows.join(', ')}`,
      );
    });
    await older.close();
    const database = await openDatabase({ databaseUrl, dataDirectory });
    const index = createDashboardIndex(database, fail);
    context.after(async () => {
      await index.close();
      await database.close();
      await place.drop();
    });
    const impatient = createDashboardIndex(database, fail, 0);
    await assert.rejects(impatient.catchUp(), { code: 'unavailable' });
    await impatient.close();
    await Promise.all([index.catchUp(), index.catchUp()]);
    const search = searchFor(engine, userId, ['old']);
    const range = { scope: userId, before: Number.MAX_SAFE_INTEGER, limit: 1000 };
    const found = await selectFound(database, { ...range, search });
    assert.deepEqual(found.map(({ id }) => id).toSorted(), ids.toSorted());
    assert.deepEqual(await findNames(database, userId, ['old', '449']), ['Old 449']);
  });
});

describeOnBothEngines('a rebuild of the index', (engine) => {
  test('happens in the background, and searches find everything meanwhile', async (context) => {
    const { database, drop } = await openTestDatabase(engine);
    const userId = await createOwner(database);
    const ids = Array.from({ length: 450 }, newId);
    await database.write(async (transaction) => {
      for (const id of ids) await dashboardKind.insert(transaction, toStored(id, userId, 'Before'));
    });
    // Nothing happens in the background until the test does it.
    context.mock.timers.enable({ apis: ['setInterval'] });
    const index = createDashboardIndex(database, fail);
    context.after(async () => {
      await index.close();
      await database.close();
      await drop();
    });
    await index.catchUp();
    const found = async (word: string) => (await findNames(database, userId, [word])).length;
    assert.equal(await found('before'), ids.length);
    const counts = async () => {
      const outdated = sql<number>`count(case when words_hash = '' then 1 end)`.as('outdated');
      const row = await database.first(
        prepare((db) => db.selectFrom('dashboard_entries').select(outdated)),
        {},
      );
      return Number(row?.outdated);
    };

    await database.write(async (transaction) => {
      for (const statement of rebuildOfIndex) await transaction.execute(statement);
      await dashboardKind.insert(transaction, toStored(newId(), userId, 'After'));
    });
    assert.deepEqual([await counts(), await found('before')], [ids.length, ids.length]);
    // A search waits for what has changed, and not for the rebuild.
    await index.catchUp();
    assert.deepEqual([await found('after'), await found('before')], [1, ids.length]);
    while (await indexPart(database, { rebuilds: true })) assert.equal(await found('before'), ids.length);
    assert.deepEqual([await counts(), await found('before')], [0, ids.length]);
  });
});

test('a dashboard that is saved on PostgreSQL while it is indexed is indexed again', async (context) => {
  const { database, drop } = await openTestDatabase('PostgreSQL');
  const index = createDashboardIndex(database, fail);
  context.after(async () => {
    await index.close();
    await database.close();
    await drop();
  });
  const userId = await createOwner(database);
  const id = newId();
  await database.write((transaction) => dashboardKind.insert(transaction, toStored(id, userId, 'Old')));
  const { promise: saved, resolve: resolveSaved } = Promise.withResolvers<void>();
  const { promise: indexed, resolve: resolveIndexed } = Promise.withResolvers<void>();
  const saving = database.write(async (transaction) => {
    await dashboardKind.update(transaction, toStored(id, userId, 'New'));
    await queueForIndex(transaction, id);
    resolveSaved();
    await indexed;
  });
  await saved;
  await index.catchUp();
  resolveIndexed();
  await saving;
  await index.catchUp();
  assert.deepEqual(await findNames(database, userId, ['new']), ['New']);
});

/** Returns the names of a user's own dashboards that a search finds. */
async function findNames(database: Database, userId: string, terms: readonly string[]): Promise<string[]> {
  const search = searchFor(database.engine, userId, terms);
  const range = { scope: userId, before: Number.MAX_SAFE_INTEGER, limit: 1000 };
  const found = await selectFound(database, { ...range, search });
  const rows = await findListed(
    database,
    found.map(({ id }) => id),
    userId,
  );
  return [...rows.values()].map(({ name }) => name);
}

const toStored = (id: string, userId: string, name: string, description?: string): StoredDashboard => ({
  id,
  userId,
  organizationId: undefined,
  name,
  description,
  createdAt: '',
  updatedAt: '',
  widgetsJson: '[]',
  updatedBy: userId,
  version: 1,
  change: 'created',
  restoredFrom: undefined,
  saveHash: undefined,
});

async function createOwner(database: Database): Promise<string> {
  const owner = { email: 'ada@example.com', name: 'Ada', passwordHash: null };
  return (await database.write((transaction) => createUser(transaction, Date.now, owner))).id;
}
