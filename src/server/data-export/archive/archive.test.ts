import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { readArchive } from '../../../../tests/support/archives.ts';
import { createArchive, type Archive } from './archive.ts';

const exportedAt = Date.parse('2026-11-21T09:00:00Z');
const about = { format: 'test', formatVersion: 1 };

const archiveOf = (
  write: (archive: Archive) => Promise<object>,
  signal: AbortSignal = new AbortController().signal,
): ReturnType<typeof createArchive> => createArchive({ about, exportedAt, signal, write });

test('an archive has its files, and a manifest with the checksum of each', async () => {
  const bytes = Buffer.from([0, 255, 7]);
  const archive = await buffer(
    archiveOf(async (to) => {
      await to.addText({ name: 'README', ending: 'txt' }, 'Grüße\n');
      await to.addJson({ folder: 'settings', name: 'policy', ending: 'json' }, { a: 1 });
      await to.addLines({ name: 'log', ending: 'ndjson' }, [{ n: 1 }, { n: 2 }]);
      await to.addLines({ name: 'empty', ending: 'ndjson' }, []);
      await to.addBytes({ folder: 'files/1', name: 'a', ending: 'bin' }, [bytes], { isCompressed: true });
      return { counts: { log: 2 } };
    }),
  );
  const files = await readArchive(archive);
  assert.deepEqual(
    [...files].filter(([path]) => path !== 'manifest.json').map(([path, content]) => [path, String(content)]),
    [
      ['README.txt', 'Grüße\n'],
      ['settings/policy.json', '{\n  "a": 1\n}\n'],
      ['log.ndjson', '{"n":1}\n{"n":2}\n'],
      ['empty.ndjson', ''],
      ['files/1/a.bin', String(bytes)],
    ],
  );
  const { files: listed, ...manifest } = JSON.parse(String(files.get('manifest.json')));
  assert.deepEqual(manifest, {
    format: 'test',
    formatVersion: 1,
    exportedAt: '2026-11-21T09:00:00.000Z',
    counts: { log: 2 },
  });
  assert.deepEqual(
    listed,
    [...files]
      .filter(([path]) => path !== 'manifest.json')
      .map(([path, content]) => ({
        path,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        ...(path === 'log.ndjson' && { lines: 2 }),
        ...(path === 'empty.ndjson' && { lines: 0 }),
      })),
  );
});

test('a failure in the middle leaves nothing that looks like an archive', async () => {
  async function* broken(): AsyncGenerator<object> {
    yield { n: 1 };
    throw new Error('the disk is full');
  }
  const chunks: Buffer[] = [];
  const output = archiveOf(async (to) => {
    await to.addText({ name: 'README', ending: 'txt' }, 'text');
    await to.addLines({ name: 'log', ending: 'ndjson' }, broken());
    return {};
  });
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  await assert.rejects(finished(output), /the disk is full/);
  await assert.rejects(readArchive(Buffer.concat(chunks)), /end of central directory/i);
});

test('nothing more is read after the reader left, or after it was cancelled', async () => {
  for (const leave of ['destroy', 'abort'] as const) {
    const cancel = new AbortController();
    let reads = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          reads += 1;
          yield Buffer.alloc(64 * 1024, reads % 251);
        }
      } finally {
        isClosed = true;
      }
    }
    const ended = Promise.withResolvers<unknown>();
    const output = archiveOf((to) => {
      const added = to.addBytes({ name: 'a', ending: 'bin' }, endless(), { isCompressed: true });
      added.catch(ended.resolve);
      return added;
    }, cancel.signal);
    const closed = Promise.withResolvers<void>();
    output.once('close', closed.resolve).on('error', () => undefined);
    await once(output, 'readable');
    if (leave === 'destroy') output.destroy();
    else cancel.abort();
    await Promise.all([closed.promise, ended.promise]);
    assert.ok(reads < 50, `${reads} chunks were read for a reader that reads nothing`);
    assert.equal(isClosed, true);
  }
});

test('an archive of any size needs the same memory', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  function* large(): Generator<Uint8Array> {
    for (let count = 0; count < 300; count += 1) yield chunk;
  }
  const before = process.memoryUsage().rss;
  let peak = before;
  let sizeBytes = 0;
  const output = archiveOf((to) =>
    to.addBytes({ name: 'large', ending: 'bin' }, large(), { isCompressed: true }),
  );
  for await (const part of output as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  assert.ok(sizeBytes > 300 * chunk.length);
  assert.ok(peak - before < 100 * 1024 ** 2, `${Math.round((peak - before) / 1024 ** 2)} MiB`);
});
