import { t } from '../../language/messages.ts';
import { ImportError } from '../conversion.ts';
import { CollectionFiles, isOfCollection } from './collection.ts';

/** The largest archive that is read, in bytes. */
export const maxArchiveSize = 64 * 1024 * 1024;
/** A small archive can unpack to any size. */
const maxUnpackedSize = 256 * 1024 * 1024;
const maxNameSize = 64 * 1024;
const blockSize = 512;

/**
 * Returns the collections of an export of Metabase as it is downloaded: a tar archive, compressed with gzip. It is unpacked while it
 * is read, and other files in it are skipped. Names in it are never paths on this machine. Throws `ImportError`.
 */
export async function readArchive(
  archive: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<CollectionFiles> {
  const bytes = new ByteReader(archive.pipeThrough(new DecompressionStream('gzip')).getReader());
  const collection = new CollectionFiles();
  try {
    let longName: string | undefined;
    for (;;) {
      const header = await bytes.take(blockSize);
      if (header === undefined || header.every((byte) => byte === 0)) return collection;
      const { name, size, type } = readHeader(header);
      const path = longName ?? name;
      const padding = (blockSize - (size % blockSize)) % blockSize;
      longName = undefined;
      if (type === 'L' || type === 'x') {
        if (size > maxNameSize) throw damaged();
        const text = decode((await bytes.take(size)) ?? new Uint8Array());
        longName = type === 'L' ? text.replace(/\0[^]*$/, '') : paxPath(text);
        await bytes.skip(padding);
      } else if ((type === '0' || type === '\0') && isOfCollection(path)) {
        collection.requireRoom(path, size);
        const content = await bytes.take(size);
        if (content === undefined) throw damaged();
        collection.add({ path, text: decode(content) });
        await bytes.skip(padding);
      } else await bytes.skip(size + padding);
    }
  } finally {
    await bytes.close();
  }
}

const damaged = (cause?: unknown): ImportError =>
  new ImportError(t('The archive is damaged, or is not a .tar.gz file.'), { cause });

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Reads a header of POSIX.1-1988 (ustar), which GNU tar extends. */
function readHeader(header: Uint8Array): { name: string; size: number; type: string } {
  const field = (start: number, length: number) =>
    decode(header.subarray(start, start + length)).replace(/\0[^]*$/, '');
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (Number.parseInt(field(148, 8), 8) !== sum) throw damaged();
  const size = Number.parseInt(field(124, 12), 8);
  // Larger sizes are written in another way, and are too large in any case.
  if (!Number.isSafeInteger(size) || size < 0 || size > maxUnpackedSize) throw damaged();
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
  const name = field(0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(header[156] ?? 0),
  };
}

/** Returns the path in an extended header, whose records are `LENGTH NAME=VALUE`; undefined if it has none. */
function paxPath(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const record = /^\d{1,9} path=(.*)$/.exec(line);
    if (record !== null) return record[1];
  }
  return undefined;
}

/** Reads a stream in pieces of any length. */
class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #unpacked = 0;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** Returns so many bytes; undefined if the stream ends before. */
  async take(size: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const part = await this.#next(size - filled);
      if (part === undefined) return undefined;
      taken.set(part, filled);
      filled += part.length;
    }
    return taken;
  }

  async skip(size: number): Promise<void> {
    let left = size;
    while (left > 0) {
      const part = await this.#next(left);
      if (part === undefined) throw damaged();
      left -= part.length;
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }

  async #next(most: number): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      let read: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;
      try {
        read = await this.#reader.read();
      } catch (error) {
        throw damaged(error);
      }
      if (read.done) return undefined;
      this.#unpacked += read.value.length;
      if (this.#unpacked > maxUnpackedSize)
        throw new ImportError(t('The archive unpacks to more than 256 MiB.'));
      this.#rest = read.value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
