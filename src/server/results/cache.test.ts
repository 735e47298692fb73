import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createResultCache, type CachedResult, type Period, type ResultCache } from './cache.ts';

const kibibyte = 1024;

function result(computedAt: number, sizeBytes = 10 * kibibyte): CachedResult {
  const rowsJson = Buffer.alloc(sizeBytes, computedAt);
  return { columns: [], rowsJson, rowCount: 1, isCutOff: false, durationMs: 1, computedAt };
}

function open(
  context: TestContext,
  { maxMemoryBytes = 30 * kibibyte, maxDiskBytes = 1024 * kibibyte } = {},
): { cache: ResultCache; directory: string; files(): string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-results-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const cache = createResultCache({ directory, maxMemoryBytes, maxDiskBytes });
  const files = () =>
    (existsSync(directory) ? readdirSync(directory, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  return { cache, directory, files };
}

/** Resolves when the condition holds: nobody tells when a file is written. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

const from = (since: number): Period => ({ since, now: Infinity });

describe('the cache of results', () => {
  test('returns nothing that was computed while the clock was ahead', async (context) => {
    const { cache } = open(context, { maxMemoryBytes: 15 * kibibyte });
    cache.put('a', result(7));
    const find = async (now: number) => (await cache.find('a', { since: 0, now }))?.computedAt;
    assert.deepEqual([await find(6), await find(7)], [undefined, 7]);
    cache.put('b', result(1));
    while ((await find(7)) === undefined) await new Promise(setImmediate);
    // It is on disk by now, and only there when another takes its place in memory.
    cache.put('b', result(1));
    assert.deepEqual([await find(6), await find(7)], [undefined, 7]);
    await cache.close();
  });

  test('knows what is new enough alone', async (context) => {
    const { cache } = open(context);
    cache.put('a', result(5));
    assert.deepEqual(
      [await cache.find('a', from(5)), await cache.find('a', from(6)), await cache.find('b', from(0))],
      [result(5), undefined, undefined],
    );
    cache.put('a', result(7));
    assert.deepEqual(await cache.find('a', from(6)), result(7));
    await cache.close();
  });

  test('puts on disk what memory has no room for, and finds it there', async (context) => {
    const { cache, files } = open(context);
    for (let index = 0; index < 6; index += 1) cache.put(String(index), result(index));
    await until(() => files().length === 4);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 6; index += 1) {
        let found = await cache.find(String(index), from(index));
        // On its way to the disk it is nowhere for a moment.
        for (; found === undefined; found = await cache.find(String(index), from(index))) {
          await new Promise(setImmediate);
        }
        assert.deepEqual({ ...found, rowsJson: Buffer.from(found.rowsJson) }, result(index));
      }
    }
    await cache.close();
    assert.deepEqual(files(), []);
  });

  test('keeps no more on disk than it may, and nothing that is larger than memory', async (context) => {
    const { cache, files } = open(context, { maxDiskBytes: 60 * kibibyte });
    // One after the other: of files that are written at once, the first result's may be the last.
    for (let index = 0; index < 20; index += 1) {
      const before = new Set(files());
      cache.put(String(index), result(index));
      const movesOneToDisk = index >= 2;
      await until(() => !movesOneToDisk || files().some((name) => !before.has(name)));
      await until(() => files().length <= 3);
    }
    assert.equal(files().length, 3);
    assert.equal(await cache.find('0', from(0)), undefined);
    cache.put('large', result(1, 100 * kibibyte));
    assert.equal(await cache.find('large', from(0)), undefined);
    await cache.close();
  });

  test('counts the columns of a result too', async (context) => {
    const { cache } = open(context);
    const column = { name: 'n'.repeat(8 * kibibyte), type: 'text', sourceType: 'VARCHAR' } as const;
    cache.put('wide', { ...result(1, 10), columns: [column, column] });
    assert.equal(await cache.find('wide', from(0)), undefined);
    await cache.close();
  });

  test('reads a file once for all who want it at once', async (context) => {
    const { cache } = open(context);
    for (let index = 0; index < 4; index += 1) cache.put(String(index), result(index));
    let found: (CachedResult | undefined)[] = [];
    // On its way to the disk it is nowhere for a moment.
    while (found[0] === undefined) {
      await new Promise(setImmediate);
      found = await Promise.all([cache.find('0', from(0)), cache.find('0', from(0))]);
    }
    assert.ok(found[0] === found[1]);
    await cache.close();
  });

  test('never brings back the older of two', async (context) => {
    const { cache, files } = open(context);
    for (const computedAt of [1, 2, 3]) {
      cache.put('a', result(computedAt));
      // Drives it out of memory, on its way to the disk.
      for (const other of ['b', 'c', 'd']) cache.put(other, result(0));
    }
    await until(() => files().length >= 2);
    assert.equal((await cache.find('a', from(0)))?.computedAt ?? 3, 3);
    await cache.close();
  });

  test('computes again what the disk has lost', async (context) => {
    const { cache, directory, files } = open(context);
    for (let index = 0; index < 4; index += 1) cache.put(String(index), result(index));
    await until(() => files().length === 2);
    rmSync(directory, { recursive: true });
    assert.equal(await cache.find('0', from(0)), undefined);
    cache.put('0', result(9));
    for (let index = 4; index < 8; index += 1) cache.put(String(index), result(index));
    await until(() => files().length >= 1);
    await cache.close();
  });

  test('removes what a process has left that broke off, and nothing of others', async (context) => {
    const { cache, directory } = open(context);
    await cache.close();
    for (const name of ['old', 'new']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'rows'), '[]');
    }
    const threeDaysAgo = Date.now() / 1000 - 3 * 86_400;
    utimesSync(join(directory, 'old'), threeDaysAgo, threeDaysAgo);
    const next = createResultCache({ directory, maxMemoryBytes: 1, maxDiskBytes: 1 });
    assert.deepEqual(
      [readdirSync(directory).includes('old'), readdirSync(directory).includes('new')],
      [false, true],
    );
    await next.close();
  });
});
