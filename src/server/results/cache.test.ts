import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { hoursMs } from '../base/clock.ts';
import { sweepResults, touchEveryMs, type ReadDisk } from './cache-directory.ts';
import { createResultCache, type ResultCache } from './cache.ts';
import { fromPieces, toPieces, type CachedResult } from './cached-result.ts';

const kibibyte = 1024;

const result = (sequence: number, sizeBytes = 10 * kibibyte): CachedResult =>
  fromPieces({ columns: [], computedAt: 1000 * sequence, sequence }, [Buffer.alloc(sizeBytes, sequence)]);

function open(
  context: TestContext,
  {
    maxMemoryBytes = 30 * kibibyte,
    maxDiskBytes = 1024 * kibibyte,
    ...options
  }: Partial<Parameters<typeof createResultCache>[0]> = {},
): { cache: ResultCache; directory: string; files(): string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-results-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const cache = createResultCache({ ...options, directory, maxMemoryBytes, maxDiskBytes });
  const files = () =>
    (existsSync(directory) ? readdirSync(directory, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  return { cache, directory, files };
}

/** Resolves when the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Reads the result of the key `0` twice at once, as soon as it is read from disk, and returns both. */
async function untilRead(cache: ResultCache, written: CachedResult): Promise<(CachedResult | undefined)[]> {
  for (;;) {
    const found = await Promise.all([cache.find('0', from(0)), cache.find('0', from(0))]);
    if (found[0] !== written) return found;
    await new Promise(setImmediate);
  }
}

const from = (least: number) => (age: { readonly sequence: number }) => age.sequence >= least;

describe('the cache of results', () => {
  test('returns only fresh results, from memory and from disk', async (context) => {
    const { cache, files } = open(context, { maxMemoryBytes: 15 * kibibyte });
    const find = (key: string, least: number) => cache.find(key, from(least));
    const findAll = async () => [await find('a', 5), await find('a', 6), await find('b', 0)];
    cache.put('a', result(5));
    assert.deepEqual(await findAll(), [result(5), undefined, undefined]);
    cache.put('c', result(1));
    await until(() => files().length === 1);
    assert.deepEqual(await findAll(), [result(5), undefined, undefined]);
    // It is only on disk again when another one replaces it in memory.
    cache.put('c', result(1));
    assert.deepEqual([await find('a', 6), await find('a', 5)], [undefined, result(5)]);
    cache.put('a', result(7));
    assert.deepEqual(await find('a', 6), result(7));
    await cache.close();
  });

  test('moves results that do not fit into memory to disk, and finds them at any time', async (context) => {
    const { cache, files } = open(context);
    for (let index = 0; index < 6; index += 1) cache.put(String(index), result(index));
    assert.deepEqual(await cache.find('0', from(0)), result(0), 'it is still being written');
    await until(() => files().length >= 4);
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 6; index += 1)
        assert.deepEqual(await cache.find(String(index), from(index)), result(index));
    }
    await cache.close();
    assert.deepEqual(files(), []);
  });

  test('returns text if a result is small, and bytes if it is large', async (context) => {
    const { cache, files } = open(context, { maxMemoryBytes: 150 * kibibyte });
    const [small, large] = [result(1), result(2, 100 * kibibyte)];
    assert.deepEqual([typeof small.json, typeof large.json], ['string', 'object']);
    cache.put('small', small);
    cache.put('large', large);
    cache.put('other', result(3, 140 * kibibyte));
    await until(() => files().length === 2);
    assert.deepEqual(await cache.find('small', from(1)), small);
    const { json = [], ...facts } = (await cache.find('large', from(2))) ?? {};
    const { json: expected, ...expectedFacts } = large;
    assert.deepEqual(facts, expectedFacts);
    assert.deepEqual(Buffer.concat(toPieces({ json })), Buffer.concat(toPieces({ json: expected })));
    await cache.close();
  });

  test('uses at most its disk space, and stores nothing that is larger than memory', async (context) => {
    const { cache, files } = open(context, { maxDiskBytes: 60 * kibibyte });
    // One at a time, since simultaneous writes can finish in any order.
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

  test('reads a file once for simultaneous requests', async (context) => {
    const { cache } = open(context);
    const first = result(0);
    cache.put('0', first);
    for (let index = 1; index < 4; index += 1) cache.put(String(index), result(index));
    const [one, other] = await untilRead(cache, first);
    assert.ok(one === other);
    assert.deepEqual(one, first);
    await cache.close();
  });

  test('never returns to an older result', async (context) => {
    const { cache, files } = open(context);
    for (const sequence of [1, 2, 3]) {
      cache.put('a', result(sequence));
      // Evicts it from memory, so that it is being written to disk.
      for (const other of ['b', 'c', 'd']) cache.put(other, result(0));
    }
    await until(() => files().length >= 2);
    assert.equal((await cache.find('a', from(0)))?.sequence ?? 3, 3);
    await cache.close();
  });

  test('computes again what the disk has lost', async (context) => {
    const { cache, directory, files } = open(context);
    const first = result(0);
    cache.put('0', first);
    for (let index = 1; index < 4; index += 1) cache.put(String(index), result(index));
    await untilRead(cache, first);
    // Another result may be written meanwhile, so that a directory is not empty at the first try.
    rmSync(directory, { recursive: true, maxRetries: 20, retryDelay: 5 });
    for (let index = 4; index < 6; index += 1) cache.put(String(index), result(index));
    assert.equal(await cache.find('0', from(0)), undefined);
    cache.put('0', result(9));
    for (let index = 6; index < 8; index += 1) cache.put(String(index), result(index));
    await until(() => files().length >= 1);
    await cache.close();
  });

  for (const [damage, change] of Object.entries({
    'a changed byte': (bytes: Buffer): Buffer => bytes.fill(1, 5_000, 5_001),
    'lost its end': (bytes: Buffer): Buffer => bytes.subarray(0, 5_000),
    'lost everything': (): Buffer => Buffer.alloc(0),
  })) {
    test(`computes a result again whose file has ${damage}, and reports it once`, async (context) => {
      const failures: string[] = [];
      const onDiskFailure = (error: unknown) => void failures.push(String(error));
      const { cache, directory, files } = open(context, { maxMemoryBytes: 15 * kibibyte, onDiskFailure });
      cache.put('0', result(0));
      cache.put('1', result(1));
      await until(() => files().length === 1);
      const [name = ''] = files();
      const file = readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .map((path) => join(directory, path))
        .find((path) => path.endsWith(name));
      assert.ok(file !== undefined);
      await until(() => statSync(file).size > 10 * kibibyte);
      writeFileSync(file, change(readFileSync(file)));
      while ((await cache.find('0', from(0))) !== undefined) await new Promise(setImmediate);
      assert.equal(await cache.find('0', from(0)), undefined);
      assert.match(failures.join('\n'), /^Error: The file of a cached result is damaged: .*$/);
      await until(() => !existsSync(file));
      await cache.close();
    });
  }

  test('leaves nothing of a file that could not be written completely, and reports it once', async (context) => {
    const failures: unknown[] = [];
    const onDiskFailure = (error: unknown) => void failures.push(error);
    const { cache, files } = open(context, { maxMemoryBytes: 15 * kibibyte, onDiskFailure });
    // Sound for the test: writing fails at the second piece.
    const half: CachedResult = { ...result(0), json: [Buffer.alloc(10 * kibibyte), 5 as never] };
    for (const key of ['a', 'b', 'c']) cache.put(key, half);
    while ((await cache.find('a', from(0))) !== undefined || (await cache.find('b', from(0))) !== undefined)
      await new Promise(setImmediate);
    assert.deepEqual([failures.length, files()], [1, []]);
    await cache.close();
  });

  test('writes nothing to a disk that is nearly full, and then removes what it has written', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    let bavail = 100;
    const readDisk: ReadDisk = async () => ({ bavail, blocks: 1000, bsize: kibibyte });
    const { cache, files } = open(context, { maxMemoryBytes: 15 * kibibyte, readDisk });
    const isFound = async (key: string) => (await cache.find(key, from(0))) !== undefined;
    for (const key of ['a', 'b']) cache.put(key, result(0));
    while (await isFound('a')) await new Promise(setImmediate);
    assert.deepEqual(files(), []);
    bavail = 200;
    cache.put('c', result(0));
    await until(() => files().length === 1);
    bavail = 99;
    await until(() => {
      context.mock.timers.tick(touchEveryMs);
      return files().length === 0;
    });
    assert.deepEqual([await isFound('b'), await isFound('c')], [false, true]);
    await cache.close();
  });

  test('forgets a result after a day, in memory, on disk, and after it was moved', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let now = 1;
    context.mock.method(performance, 'now', () => now);
    const pass = (hours: number) => {
      now += hoursMs(hours);
      context.mock.timers.tick(hoursMs(hours));
    };
    const { cache, files } = open(context, { maxMemoryBytes: 15 * kibibyte });
    const find = (key: string) => cache.find(key, from(0));
    /** Resolves once the result is read from disk, which moves the other one there. */
    const untilMoved = async (key: string, written: CachedResult) => {
      while ((await find(key)) === written) await new Promise(setImmediate);
      assert.deepEqual(await find(key), written);
    };
    const [first, second] = [result(1), result(2)];
    cache.put('a', first);
    pass(23);
    cache.put('b', second);
    await untilMoved('a', first);
    await untilMoved('b', second);
    pass(2);
    await until(() => files().length === 1);
    assert.equal(await find('a'), undefined, 'reading doesn’t extend it');
    assert.equal((await find('b'))?.sequence, 2);
    pass(23);
    await until(() => files().length === 0);
    assert.equal(await find('b'), undefined);
    cache.put('c', result(3));
    now += hoursMs(25);
    cache.put('d', result(4));
    await cache.close();
    assert.equal(await find('c'), undefined, 'what has expired in memory is not moved to disk');
  });

  test('deletes the files of processes that have crashed, and no others', async (context) => {
    const { cache, directory, files } = open(context);
    for (let index = 0; index < 4; index += 1) cache.put(String(index), result(index));
    await until(() => files().length >= 1);
    const [, machine] = (readdirSync(directory)[0] ?? '').split('-');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const ages = {
      old: 25,
      new: 23,
      // A process on this machine that has ended, and two on other machines.
      [`worker-${machine}-${pid}-1-ended`]: 0,
      [`worker-${'0'.repeat(12)}-1-1-alive`]: 0.2,
      [`worker-${'0'.repeat(12)}-1-1-ended`]: 0.3,
    };
    for (const [name, hours] of Object.entries(ages)) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'rows'), '[]');
      const changedAt = (Date.now() - hoursMs(hours)) / 1000;
      utimesSync(join(directory, name), changedAt, changedAt);
    }
    const before = readdirSync(directory);
    await sweepResults(Date.now, directory);
    assert.deepEqual(
      readdirSync(directory),
      before.filter((name) => name !== 'old' && !name.endsWith('ended')),
    );
    await cache.close();
  });
});
