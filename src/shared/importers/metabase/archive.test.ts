import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ImportError } from '../conversion.ts';
import { readArchive } from './archive.ts';
import { CollectionFiles, detectCollection } from './collection.ts';
import { convertMetabase } from './convert.ts';

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly type?: string;
  /** The size in the header; by default, that of the text. */
  readonly size?: number;
}

function entry({ name, text = '', type = '0', size }: Entry): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100));
  header.write((size ?? content.length).toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const archiveOf = (...entries: readonly Entry[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  streamOf(gzipSync(Buffer.concat([...entries.map(entry), Buffer.alloc(1024)])));

const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  // Small parts, so that files begin and end in the middle of them.
  ReadableStream.from(
    Array.from({ length: Math.ceil(bytes.length / 100) }, (_, index) =>
      bytes.slice(index * 100, index * 100 + 100),
    ),
  );

const pathsOf = async (...entries: readonly Entry[]): Promise<string[]> =>
  (await readArchive(archiveOf(...entries))).files.map(({ path, text }) => `${path}: ${text}`);

describe('archives of Metabase', () => {
  test('have the files of collections, also with long names', async () => {
    const long = `export/collections/${'x'.repeat(150)}/a.yaml`;
    assert.deepEqual(
      await pathsOf(
        { name: 'export/collections/', type: '5' },
        { name: 'export/collections/one.yaml', text: 'ä: 1' },
        { name: 'export/databases/d.yaml', text: 'skipped' },
        { name: 'export/collections/link.yaml', type: '2' },
        { name: '././@LongLink', text: `${long}\0`, type: 'L' },
        { name: long, text: 'b: 1' },
        { name: 'PaxHeader', text: `30 mtime=1\n200 path=${long}2.yml\n`, type: 'x' },
        { name: 'x', text: '' },
        { name: '../../collections/../up.yaml', text: 'a name is not a path' },
      ),
      [
        'export/collections/one.yaml: ä: 1',
        `${long}: b: 1`,
        `${long}2.yml: `,
        '../../collections/../up.yaml: a name is not a path',
      ],
    );
  });

  const refused: readonly [
    what: string,
    archive: () => ReadableStream<Uint8Array<ArrayBuffer>>,
    reason: RegExp,
  ][] = [
    ['are not compressed', () => streamOf(Buffer.from('x'.repeat(1000))), /damaged/],
    ['are not archives', () => streamOf(gzipSync('x'.repeat(1000))), /damaged/],
    ['end in a file', () => streamOf(gzipSync(entry({ name: 'collections/a.yaml', size: 5000 }))), /damaged/],
    [
      'are cut off',
      () => streamOf(gzipSync(entry({ name: 'collections/a.yaml', text: 'a' })).subarray(0, 40)),
      /damaged/,
    ],
    [
      'have a large file',
      () => archiveOf({ name: 'collections/a.yaml', size: 5 * 1024 * 1024 }),
      /larger than 4 MiB/,
    ],
    ['have a long name', () => archiveOf({ name: 'x', type: 'L', size: 70_000 }), /damaged/],
    ['claim to have 8 GiB', () => archiveOf({ name: 'a', size: 8 * 1024 ** 3 - 1 }), /damaged/],
  ];
  for (const [what, archive, reason] of refused)
    test(`are refused if they ${what}`, async () => {
      await assert.rejects(readArchive(archive()), (error) => {
        assert.ok(error instanceof ImportError);
        assert.match(error.message, reason);
        return true;
      });
    });

  test('are refused before they unpack to any size', async () => {
    const part = entry({ name: 'other', text: '\0'.repeat(1024 * 1024) });
    let produced = 0;
    const bomb = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        produced += 1;
        if (produced > 1000) controller.close();
        else controller.enqueue(new Uint8Array(part));
      },
    });
    const compressed = bomb.pipeThrough(new CompressionStream('gzip'));
    await assert.rejects(readArchive(compressed), /unpacks to more than 256 MiB/);
    assert.ok(produced < 900, String(produced));
  });

  test('have at most as many files as the limit', () => {
    const collection = new CollectionFiles();
    for (let index = 0; index < 10_000; index += 1) collection.add({ path: `${index}`, text: '' });
    assert.throws(() => collection.add({ path: 'one', text: '' }), ImportError);
    const large = new CollectionFiles();
    const text = 'x'.repeat(4 * 1024 * 1024);
    for (let index = 0; index < 8; index += 1) large.add({ path: `${index}`, text });
    assert.throws(() => large.add({ path: 'one', text: 'x' }), ImportError);
  });
});

describe('files of Metabase', () => {
  const detect = (text: string) => {
    const collection = new CollectionFiles();
    collection.add({ path: 'collections/a.yaml', text });
    return detectCollection(collection);
  };
  const card = 'serdes/meta: [{ model: Card }]\n';

  test('are recognized, and others are not', () => {
    assert.equal(detect(`${card}name: a`)?.program, 'metabase');
    assert.equal(detect('name: a'), undefined);
    assert.throws(() => detect('a: ['), ImportError);
  });

  const hostile: readonly [what: string, text: string][] = [
    [
      'lists that repeat each other',
      `${card}a: &a [1, 1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]`,
    ],
    ['a list that is in itself', `${card}a: &a [*a]`],
    ['a key that is a list', `${card}? [1]\n: 2`],
    ['a deep list', `${card}a: ${'['.repeat(20_000)}`],
    ['a deep list that is closed', `${card}a: ${'['.repeat(500)}1${']'.repeat(500)}`],
  ];
  for (const [what, text] of hostile)
    test(`are refused with ${what}`, () => {
      assert.throws(() => detect(text)?.convert(new Map()), ImportError);
    });

  test('are refused with a large list that is repeated', () => {
    const list = Array.from({ length: 300_000 }, () => ({}));
    const file = { 'serdes/meta': [{ model: 'Card' }], lists: Array.from({ length: 20 }, () => list) };
    assert.throws(() => convertMetabase([file], new Map()), ImportError);
  });

  test('can’t change the prototype of objects', () => {
    const file = detect(
      `${card}__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\nname: a`,
    );
    assert.equal(file?.convert(new Map()).documents.length, 0);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });
});
