import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { createPostgresDatabase } from '../../../tests/support/storage/postgres.ts';
import {
  describeOnBothEngines,
  openTestDatabase,
  type Engine,
} from '../../../tests/support/server/test-server.ts';
import type { Database, Transaction } from './database.ts';
import { openDatabase } from './open-database.ts';
import { jsonRows, prepare } from './prepared-query.ts';

// A small table of texts, which no other test uses.
const insert = prepare((sql, p: { text: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: '' }),
);
const all = prepare((sql) =>
  sql.selectFrom('set_up_links').select('token_hash as text').orderBy('token_hash'),
);
const one = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash as text').where('token_hash', '=', p.text),
);
const later = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').select('token_hash as text').where('token_hash', '>', p.text),
);
const some = prepare((sql, p: { texts: readonly string[]; after?: string | undefined }) => {
  const found = sql
    .selectFrom('set_up_links')
    .select('token_hash as text')
    .where('token_hash', 'in', p.texts)
    .orderBy('token_hash');
  return p.after === undefined ? found : found.where('token_hash', '>', p.after);
});
const startsWith = prepare((sql, p: { text: string }) =>
  sql.selectFrom('set_up_links').selectAll().where('token_hash', 'like', `${p.text}%`),
);
const paired = prepare((sql, p: { pairs: readonly { text: string; note: string }[] }, engine) =>
  sql
    .selectFrom(jsonRows(engine, p.pairs, ['text', 'note']).as('pairs'))
    .innerJoin('set_up_links', 'set_up_links.token_hash', 'pairs.text')
    .select(['pairs.text', 'pairs.note'])
    .orderBy('pairs.text'),
);
const firstTexts = prepare((sql, p: { limit: number }) =>
  sql
    .selectFrom('set_up_links')
    .select(['token_hash as text', 'expires_at as content'])
    .orderBy('token_hash')
    .limit(p.limit),
);
const insertLong = prepare((sql, p: { text: string; content: string }) =>
  sql.insertInto('set_up_links').values({ token_hash: p.text, expires_at: p.content }),
);
const version = prepare((sql) => sql.selectFrom('schema_version').selectAll());

describeOnBothEngines('the database', (engine) => {
  test('stores nothing of a write that throws, and all of the others of its turn', async (context) => {
    const { database } = await open(context, engine);
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const fails = (number: number) => number % 3 === 0;
    const outcomes = await Promise.allSettled(
      numbers.map((number) =>
        database.write(async (transaction) => {
          await transaction.run(insert, { text: `${number} first` });
          await transaction.run(insert, { text: `${number} second` });
          if (fails(number)) throw new Error(`Write ${number} throws.`);
          return number;
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
      ),
      numbers.map((number) => (fails(number) ? `Write ${number} throws.` : number)),
    );
    const kept = numbers.filter((number) => !fails(number));
    assert.deepEqual(
      await textsOf(database),
      kept.flatMap((number) => [`${number} first`, `${number} second`]).toSorted(byBytes),
    );
  });

  test('accepts a list of any length as one parameter, and leaves out a filter whose parameter is undefined', async (context) => {
    const { database } = await open(context, engine);
    const stored = ['', 'a', 'b,"{}\\', "c'"];
    await database.write(async (transaction) => {
      for (const text of stored) await transaction.run(insert, { text });
    });
    const texts = [...stored.toReversed(), ...Array.from({ length: 100_000 }, (_, index) => `none ${index}`)];
    const found = async (parameters: { texts: readonly string[]; after?: string | undefined }) =>
      (await database.all(some, parameters)).map(({ text }) => text);
    assert.deepEqual(await found({ texts }), stored);
    assert.deepEqual(await found({ texts, after: 'a' }), stored.slice(2));
    assert.deepEqual(await found({ texts, after: undefined }), stored);
    assert.deepEqual(await found({ texts: [] }), []);
    const pairs = [
      { text: stored[2] ?? '', note: '"1"' },
      { text: 'none', note: '2' },
    ];
    assert.deepEqual(await database.all(paired, { pairs }), pairs.slice(0, 1));
    assert.deepEqual(await database.all(paired, { pairs: [] }), []);
  });

  test('rejects a query that computes with a parameter while it is built', async (context) => {
    const { database } = await open(context, engine);
    await assert.rejects(
      database.all(startsWith, { text: 'a' }),
      /^TypeError: The parameter text of a query/,
    );
  });

  test('lets other requests run during a long write, without seeing any of it before it ends', async (context) => {
    const { database } = await open(context, engine);
    const others: { seen?: string[] } = {};
    let written = 0;
    const long = database.write(async (transaction) => {
      setImmediate(() => void textsOf(database).then((texts) => (others.seen = texts)));
      while (others.seen === undefined && written < 200_000) {
        await transaction.run(insert, { text: `${written}` });
        await transaction.giveWay();
        written += 1;
      }
      throw new Error('Thrown in the end.');
    });
    await assert.rejects(long, { message: 'Thrown in the end.' });
    assert.deepEqual([others.seen, written > 0, await textsOf(database)], [[], true, []]);
  });

  test('reports a failure if a statement failed and the engine aborted the transaction', async (context) => {
    const { database } = await open(context, engine);
    await database.write((transaction) => transaction.run(insert, { text: 'taken' }));
    const outcome = await database
      .write(async (transaction) => {
        await transaction.run(insert, { text: 'before' });
        await assert.rejects(transaction.run(insert, { text: 'taken' }));
      })
      .then(
        () => 'kept',
        () => 'given up',
      );
    assert.deepEqual(await textsOf(database), outcome === 'kept' ? ['before', 'taken'] : ['taken']);
  });

  test('ends a page where its rows or its bytes are used up, and reads at least one row', async (context) => {
    const { database } = await open(context, engine);
    const names = Array.from({ length: 60 }, (_, index) => `row ${String(index + 10)}`);
    await database.write(async (transaction) => {
      for (const [index, text] of names.entries())
        await transaction.run(insertLong, { text, content: (index < 40 ? 'x' : 'ü').repeat(10_000) });
    });
    const pageOf = async (reader: Pick<Database, 'page'>, limit: number, maxBytes?: number) => {
      const { rows, hasMore } = await reader.page(firstTexts, { limit }, maxBytes);
      assert.deepEqual(
        rows.map(({ text }) => text),
        names.slice(0, rows.length),
      );
      return [rows.length, hasMore];
    };
    for (const [limit, maxBytes, expected] of [
      [100, undefined, [60, false]],
      [60, undefined, [60, false]],
      [59, undefined, [59, true]],
      [0, undefined, [0, true]],
      [100, 1, [1, true]],
      [100, 205_000, [20, true]],
      // Of the last 20, each has 20,000 bytes.
      [100, 445_000, [42, true]],
      [100, 1_000_000, [60, false]],
    ] as const) {
      assert.deepEqual(await pageOf(database, limit, maxBytes), expected);
      const inTransaction = database.write((transaction) => pageOf(transaction, limit, maxBytes));
      assert.deepEqual(await inTransaction, expected);
    }
    // A page that ends early leaves the connection usable.
    assert.equal((await database.all(all, {})).length, 60);
  });

  test('acknowledges a write only when others can see it', async (context) => {
    const { database, seesFromOutside } = await open(context, engine);
    const seenInside: boolean[] = [];
    const seenAfter = await Promise.all(
      ['a', 'b', 'c'].map(async (text) => {
        await database.write(async (transaction) => {
          await transaction.run(insert, { text });
          seenInside.push(await seesFromOutside(text));
        });
        return seesFromOutside(text);
      }),
    );
    assert.deepEqual(
      { seenInside, seenAfter },
      { seenInside: [false, false, false], seenAfter: [true, true, true] },
    );
  });

  test('shows a reader only what is committed, and a transaction also its own writes', async (context) => {
    const { database } = await open(context, engine);
    const sees = async (reader: Pick<Transaction, 'first'>) =>
      (await reader.first(one, { text: 'a' })) !== undefined;
    const seen: [when: string, seen: boolean][] = [['before', await sees(database)]];
    await database.write(async (transaction) => {
      await transaction.run(insert, { text: 'a' });
      seen.push(['inside', await sees(transaction)], ['beside', await sees(database)]);
    });
    // In the same turn as the acknowledgement and the reads before it.
    seen.push(['after', await sees(database)]);
    assert.deepEqual(seen, [
      ['before', false],
      ['inside', true],
      ['beside', false],
      ['after', true],
    ]);
  });

  test('shows what another program has just committed', async (context) => {
    const { database, insertFromOutside } = await open(context, engine);
    assert.deepEqual(await textsOf(database), []);
    await insertFromOutside('a');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await textsOf(database), ['a']);
  });

  test('sorts and compares texts by their bytes', async (context) => {
    const { database } = await open(context, engine);
    // The second to last sorts later in UTF-16 and earlier in UTF-8 than the last one.
    const texts = [
      'b',
      'B',
      'a',
      'A',
      '',
      ' ',
      'a b',
      'ab',
      '_',
      '~',
      '9',
      '10',
      'ä',
      'z',
      'é',
      'ß',
      '\u{10000}',
      '\uffee',
    ];
    await database.write(async (transaction) => {
      for (const text of texts) await transaction.run(insert, { text });
    });
    const sorted = texts.toSorted(byBytes);
    assert.deepEqual(await textsOf(database), sorted);
    const afterUnderscore = (await database.all(later, { text: '_' })).map(({ text }) => text);
    assert.deepEqual(afterUnderscore.toSorted(byBytes), sorted.slice(sorted.indexOf('_') + 1));
  });

  test('waits for running writes before it closes', async (context) => {
    const { database, reopen } = await open(context, engine);
    const texts = Array.from({ length: 60 }, (_, index) => String(index));
    const writes = texts.map((text) => database.write((transaction) => transaction.run(insert, { text })));
    const [counts] = await Promise.all([Promise.all(writes), database.close()]);
    assert.deepEqual(
      counts,
      texts.map(() => 1),
    );
    assert.deepEqual(await textsOf(await reopen()), texts.toSorted(byBytes));
  });

  test('continues after a commit that fails, of which nothing is stored', async (context) => {
    const { database } = await open(context, engine);
    await database.write(async (transaction) => {
      await transaction.execute(
        'create table children (parent text references set_up_links (token_hash) deferrable initially deferred)',
      );
    });
    const failing = database.write(async (transaction) => {
      await transaction.run(insert, { text: 'first' });
      // Fails at the commit if the parent was not inserted.
      await transaction.execute("insert into children (parent) values ('nobody')");
    });
    await assert.rejects(failing, /foreign key/i);
    assert.deepEqual(await textsOf(database), []);
    await database.write((transaction) => transaction.run(insert, { text: 'second' }));
    assert.deepEqual(await textsOf(database), ['second']);
  });

  test('is migrated once by programs that open it at the same time while it is empty', async (context) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'atrium-test-'));
    const server = engine === 'PostgreSQL' ? await createPostgresDatabase() : undefined;
    const databases = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase({ databaseUrl: server?.url, dataDirectory })),
    );
    context.after(async () => {
      for (const database of databases) await database.close();
      await server?.drop();
      rmSync(dataDirectory, { recursive: true, force: true });
    });
    for (const database of databases) {
      const versions = (await database.all(version, {})).map(({ id, version }) => `${id}: ${version}`);
      assert.match(versions.join(), /^1: [1-9]\d*$/);
    }
    await databases[0]?.write((transaction) => transaction.run(insert, { text: 'a' }));
    for (const database of databases) assert.deepEqual(await textsOf(database), ['a']);
  });
});

const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

const textsOf = async (database: Database): Promise<string[]> =>
  (await database.all(all, {})).map(({ text }) => text);

/** Opens a database, and another connection to it that the database object does not know about. */
async function open(context: TestContext, engine: Engine) {
  const { database, databaseUrl, dataDirectory, drop } = await openTestDatabase(engine);
  const databases = [database];
  const outsider =
    databaseUrl === undefined ? sqliteOutsider(dataDirectory) : await postgresOutsider(databaseUrl);
  context.after(async () => {
    await outsider.close();
    for (const opened of databases) await opened.close();
    await drop();
  });
  const reopen = async () => {
    const again = await openDatabase({ databaseUrl, dataDirectory });
    databases.splice(0, 1, again);
    return again;
  };
  return { database, reopen, seesFromOutside: outsider.sees, insertFromOutside: outsider.insert };
}

interface Outsider {
  sees(text: string): Promise<boolean>;
  insert(text: string): Promise<void>;
  close(): Promise<void>;
}

function sqliteOutsider(dataDirectory: string): Outsider {
  const connection = new DatabaseSync(join(dataDirectory, 'atrium.sqlite'));
  const one = connection.prepare('select 1 from set_up_links where token_hash = ?');
  const insert = connection.prepare("insert into set_up_links (token_hash, expires_at) values (?, '')");
  return {
    sees: async (text) => one.get(text) !== undefined,
    insert: async (text) => void insert.run(text),
    close: async () => connection.close(),
  };
}

async function postgresOutsider(connectionString: string): Promise<Outsider> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    sees: async (text) => {
      const { rowCount } = await client.query('select 1 from set_up_links where token_hash = $1', [text]);
      return rowCount === 1;
    },
    insert: async (text) => {
      await client.query("insert into set_up_links (token_hash, expires_at) values ($1, '')", [text]);
    },
    close: () => client.end(),
  };
}
