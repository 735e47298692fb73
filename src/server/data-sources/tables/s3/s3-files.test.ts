import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import {
  startS3Server,
  testLimits,
  type S3Server,
} from '../../../../../tests/support/storage/s3/s3-server.ts';
import { temporaryDirectory, until } from '../../../../../tests/support/server/server-process.ts';
import { atEndOf } from '../../../../../tests/support/endings.ts';
import { readFacts } from '../../../storage/file-facts.ts';
import { openObjects, type ObjectLimits } from './objects.ts';
import { createS3Files, type S3Files } from './s3-files.ts';

const megabyte = 1024 ** 2;

interface Replica extends S3Files {
  /** Writes a local file, stores it, and returns its path within the directory. */
  add(name: string, content: Buffer): Promise<string>;
  path(name: string): string;
  /** What was reported about the storage. */
  readonly reports: string[];
}

async function openReplica(
  context: TestContext,
  server: S3Server,
  {
    directory = temporaryDirectory(context),
    maxCacheBytes = 100 * megabyte,
    limits = testLimits,
    downloadLimits = limits,
  }: {
    readonly directory?: string;
    readonly maxCacheBytes?: number;
    readonly limits?: ObjectLimits;
    readonly downloadLimits?: ObjectLimits;
  } = {},
): Promise<Replica> {
  const objects = await openObjects(server.place('p/'), limits);
  const files = await createS3Files(objects, {
    reader: { all: async () => [], first: async () => undefined, page: () => assert.fail() },
    directory,
    maxCacheBytes,
    limits: downloadLimits,
    claim: async () => undefined,
  });
  atEndOf(context, () => files.close());
  const reports: string[] = [];
  files.listen({
    began: ({ fault }) => void reports.push(fault),
    ended: () => void reports.push('ended'),
    damaged: (key, { fault }) => void reports.push(`${key} ${fault}`),
  });
  const path = (name: string) => join(directory, 'organization', 'source', name);
  return {
    ...files,
    reports,
    path,
    async add(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      await files.store(path(name), await readFacts(path(name)));
      return path(name);
    },
  };
}

/** Fetches a file, and returns its content or why there is none. */
async function fetch(replica: Replica, name: string): Promise<Buffer | string | undefined> {
  const path = replica.path(name);
  const faults = await replica.fetch([{ path }]);
  return faults.get(path)?.fault ?? readFileSync(path);
}

describe('files on S3-compatible storage', () => {
  test('are stored by one replica and read by another, small and in parts', async (context) => {
    const server = await startS3Server(context);
    const [one, other] = [await openReplica(context, server), await openReplica(context, server)];
    const [small, large] = [randomBytes(1_000), randomBytes(12 * megabyte)];
    await one.add('small.duckdb', small);
    await one.add('large.duckdb', large);
    assert.equal(server.requests.filter((line) => /partNumber=/.test(line)).length, 3);
    assert.deepEqual(await fetch(other, 'small.duckdb'), small);
    const gets = () =>
      server.requests.filter((line) => line.startsWith('GET') && line.includes('large')).length;
    const many = await Promise.all(Array.from({ length: 10 }, () => fetch(other, 'large.duckdb')));
    assert.ok(many.every((content) => large.equals(content as Buffer)));
    assert.equal(gets(), 1, 'concurrent requests share one download');
    assert.equal(statSync(other.path('large.duckdb')).mode & 0o777, 0o600);
    assert.deepEqual(other.state(), {
      isReachable: true,
      lastError: undefined,
      damagedCount: 0,
      cacheBytes: small.length + large.length,
      maxCacheBytes: 100 * megabyte,
    });
    await one.remove(one.path('small.duckdb'));
    assert.equal(existsSync(one.path('small.duckdb')), false);
    assert.deepEqual(await fetch(one, 'small.duckdb'), 'missing');
    await one.removeDirectory(dirname(one.path('large.duckdb')));
    const left = [];
    for await (const { key } of one.objects.list('')) left.push(key);
    assert.deepEqual(left, []);
    assert.equal(one.cache.sizeBytes(), 0);
  });

  test('are read from the cache while the storage is down, also after a restart', async (context) => {
    const server = await startS3Server(context);
    const directory = temporaryDirectory(context);
    const before = await openReplica(context, server, { directory });
    const content = randomBytes(1_000);
    await before.add('cached.duckdb', content);
    await before.add('evicted.duckdb', content);
    rmSync(before.path('evicted.duckdb'));
    writeFileSync(`${before.path('evicted.duckdb')}.download`, 'a part');
    server.stop();
    const replica = await openReplica(context, server, { directory });
    assert.deepEqual(readdirSync(dirname(replica.path('cached.duckdb'))), ['cached.duckdb']);
    assert.deepEqual(await fetch(replica, 'cached.duckdb'), content);
    assert.equal(await fetch(replica, 'evicted.duckdb'), 'unreachable');
    await assert.rejects(replica.add('new.duckdb', content), { name: 'AtriumError', code: 'unavailable' });
    assert.deepEqual([replica.reports, replica.state().isReachable], [['unreachable'], false]);
    server.resume();
    assert.deepEqual(await fetch(replica, 'evicted.duckdb'), content);
    assert.deepEqual([replica.reports, replica.state().isReachable], [['unreachable', 'ended'], true]);
  });

  test('end a wait for a server that hangs, before and during a transfer', async (context) => {
    const server = await startS3Server(context);
    const short = { ...testLimits, connectMs: 500, idleMs: 500 };
    const one = await openReplica(context, server);
    const other = await openReplica(context, server, { limits: short });
    await one.add('a.duckdb', randomBytes(4 * megabyte));
    server.proxy.partition({ includingNew: true });
    assert.equal(await fetch(other, 'a.duckdb'), 'unreachable');
    await assert.rejects(other.add('b.duckdb', randomBytes(1_000)), { code: 'unavailable' });
    server.proxy.heal();
    server.proxy.cutAll();

    const third = await openReplica(context, server, { downloadLimits: short });
    server.proxy.partitionAfter(megabyte);
    assert.equal(await fetch(third, 'a.duckdb'), 'unreachable');
    assert.match(third.state().lastError?.message ?? '', /^The transfer of an object (paused|was too slow)/);
    assert.deepEqual(readdirSync(dirname(third.path('a.duckdb'))), []);
    server.proxy.heal();
    // On a busy machine, it may exceed the short deadlines now and then.
    for (const replica of [other, third])
      await until('the file arrives', async () =>
        (await fetch(replica, 'a.duckdb')) instanceof Buffer ? true : undefined,
      );
  });

  test('that are missing or damaged are reported once, and never cached', async (context) => {
    const server = await startS3Server(context);
    const [one, other] = [await openReplica(context, server), await openReplica(context, server)];
    const content = randomBytes(1_000);
    const path = await one.add('a.duckdb', content);
    const facts = await readFacts(path);
    const damaged = Buffer.from(content);
    damaged[500] = 255 - (damaged[500] ?? 0);
    writeFileSync(path, damaged);
    // As the server would have it after a fault of its disk: with the checksum of the file that was stored.
    await one.objects.put('organization/source/a.duckdb', path, facts);
    for (let round = 0; round < 2; round += 1) assert.equal(await fetch(other, 'a.duckdb'), 'damaged');
    assert.equal(await fetch(other, 'never.duckdb'), 'missing');
    assert.deepEqual(readdirSync(dirname(other.path('a.duckdb'))), []);
    const key = 'organization/source';
    assert.deepEqual(other.reports, [`${key}/a.duckdb damaged`, `${key}/never.duckdb missing`]);
    assert.deepEqual([other.state().isReachable, other.state().damagedCount], [true, 2]);
    assert.equal(
      server.requests.filter((line) => line.startsWith('GET') && line.includes('a.duckdb')).length,
      1,
    );
    await other.remove(other.path('never.duckdb'));
    assert.equal(other.state().damagedCount, 1);
    const wanted = { path: other.path('b.duckdb') };
    await one.add('b.duckdb', content);
    for (const known of [{ sizeBytes: 999 }, { sha256: 'f'.repeat(64) }]) {
      const third = await openReplica(context, server);
      const faults = await third.fetch([{ path: third.path('b.duckdb'), ...known }]);
      assert.equal(faults.get(third.path('b.duckdb'))?.fault, 'damaged');
    }
    assert.equal((await other.fetch([{ ...wanted, ...(await readFacts(one.path('b.duckdb'))) }])).size, 0);
  });

  test('have copies up to a total size: the least recently used goes first, none that was just used', async (context) => {
    const server = await startS3Server(context);
    const one = await openReplica(context, server);
    for (const name of ['a', 'b', 'c', 'd']) await one.add(`${name}.duckdb`, randomBytes(1_000));
    const directory = temporaryDirectory(context);
    const first = await openReplica(context, server, { directory, maxCacheBytes: 3_000 });
    for (const name of ['a', 'b', 'c']) assert.ok((await fetch(first, `${name}.duckdb`)) instanceof Buffer);
    assert.equal(await fetch(first, 'd.duckdb'), 'full');
    const age = (name: string, minutes: number) => {
      const then = new Date(Date.now() - minutes * 60_000);
      utimesSync(first.path(`${name}.duckdb`), then, then);
    };
    age('a', 4);
    age('b', 5);
    age('c', 3);
    const later = await openReplica(context, server, { directory, maxCacheBytes: 3_000 });
    assert.ok((await fetch(later, 'd.duckdb')) instanceof Buffer);
    const names = () => readdirSync(dirname(later.path('d'))).toSorted();
    assert.deepEqual(names(), ['a.duckdb', 'c.duckdb', 'd.duckdb']);
    await later.add('e.duckdb', randomBytes(1_500));
    assert.deepEqual(names(), ['d.duckdb', 'e.duckdb']);
    assert.deepEqual([later.state().cacheBytes, later.reports], [2_500, []]);
  });

  test('are downloaded after copies were removed if the disk is full', async (context) => {
    const server = await startS3Server(context);
    const [one, other] = [await openReplica(context, server), await openReplica(context, server)];
    for (const name of ['a', 'old']) await one.add(`${name}.duckdb`, randomBytes(1_000));
    const [path, old] = [other.path('a.duckdb'), other.path('old.duckdb')];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(old, 'x');
    utimesSync(old, 0, 0);
    await other.cache.rescan();
    // Every write to it fails as on a full disk.
    symlinkSync('/dev/full', `${path}.download`);
    assert.ok((await fetch(other, 'a.duckdb')) instanceof Buffer);
    assert.equal(existsSync(old), false);
    assert.deepEqual(other.reports, []);
  });

  test('leave no parts behind if an upload fails halfway, nor after a crash', async (context) => {
    const server = await startS3Server(context);
    const replica = await openReplica(context, server);
    const path = replica.path('a.duckdb');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, randomBytes(6 * megabyte));
    server.forbid(/partNumber=2/);
    await assert.rejects(replica.store(path, await readFacts(path)), { code: 'unavailable' });
    assert.equal(server.requests.filter((line) => /partNumber=/.test(line)).length, 2);
    const uploads = (method: string) =>
      server.requests.filter((line) => line.startsWith(method) && line.includes('uploadId'));
    assert.equal(uploads('DELETE').length, 1);
    const client = new S3Client({ endpoint: server.endpoint, forcePathStyle: true, region: 'us-east-1' });
    atEndOf(context, () => client.destroy());
    const { bucket: Bucket } = server.place();
    for (const Key of ['p/organization/source/killed.duckdb', 'other/a'])
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    await replica.objects.abortUploads(Date.now() - 60_000);
    assert.equal(uploads('DELETE').length, 1);
    await replica.objects.abortUploads(Date.now() + 60_000);
    assert.deepEqual(
      uploads('DELETE').map((line) => line.split('?')[0]),
      ['DELETE /tables/p/organization/source/a.duckdb', 'DELETE /tables/p/organization/source/killed.duckdb'],
    );
  });
});
