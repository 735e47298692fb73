import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import { createPathNames, type ArchivePath } from './paths.ts';

/** A ZIP archive that is being written. Files are written one after the other: each method resolves when its file was read. */
export interface Archive {
  addText(path: ArchivePath, text: string): Promise<WrittenFile>;
  addJson(path: ArchivePath, value: unknown): Promise<WrittenFile>;
  /** Adds NDJSON: a line for each value. */
  addLines(path: ArchivePath, values: AsyncIterable<unknown> | Iterable<unknown>): Promise<WrittenFile>;
  addBytes(
    path: ArchivePath,
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: {
      /** Compressing it again would only take time. */
      readonly isCompressed?: boolean;
    },
  ): Promise<WrittenFile>;
}

export interface WrittenFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Of NDJSON. */
  readonly lines?: number;
}

/** What an archive is, in which version of its layout, and of what. */
export interface About {
  readonly format: string;
  readonly formatVersion: number;
  readonly organization?: { readonly id: string; readonly name: string };
  readonly person?: { readonly id: string };
}

export interface ArchiveInput {
  /** The first members of `manifest.json`, before `exportedAt` and `files`. */
  readonly about: About;
  /** In milliseconds since 1970. */
  readonly exportedAt: number;
  readonly signal: AbortSignal;
  /** Adds the files. What it returns is added to `manifest.json`, for example counts. */
  readonly write: (archive: Archive) => Promise<object>;
}

/**
 * Returns a ZIP archive as a stream, whose memory doesn't depend on its size; it uses Zip64 where it is needed. The last file is
 * `manifest.json`, with the size and the SHA-256 of each file. If `write` fails, if `signal` is aborted, or if the reader leaves, the
 * stream ends with an error: without its directory at the end, no program takes it for a complete archive.
 */
export function createArchive({ about, exportedAt, signal, write }: ArchiveInput): Readable {
  const zip = new ZipFile();
  // Sound because yazl creates it as a PassThrough.
  const output = zip.outputStream as PassThrough;
  const stopped = new AbortController();
  output.once('close', () => stopped.abort());
  zip.on('error', (error: Error) => output.destroy(error));
  const either = AbortSignal.any([signal, stopped.signal]);
  const files: WrittenFile[] = [];
  const nameOf = createPathNames();

  async function addChunks(
    place: ArchivePath,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    isCompressed = false,
  ): Promise<WrittenFile> {
    either.throwIfAborted();
    const path = nameOf(place);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        either.throwIfAborted();
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        yield chunk;
      }
    }
    const source = Readable.from(counted(), { objectMode: false });
    const read = once(source, 'end', { signal: either });
    zip.addReadStream(source, path, {
      mtime: new Date(exportedAt),
      mode: 0o100600,
      compress: !isCompressed,
    });
    try {
      await read;
    } finally {
      source.destroy();
    }
    const file = { path, sizeBytes, sha256: hash.digest('hex') };
    files.push(file);
    return file;
  }

  const addText = (path: ArchivePath, text: string): Promise<WrittenFile> =>
    addChunks(path, [Buffer.from(text)]);
  const addJson = (path: ArchivePath, value: unknown): Promise<WrittenFile> =>
    addText(path, `${JSON.stringify(value, undefined, 2)}\n`);

  const archive: Archive = {
    addText,
    addJson,
    addBytes: (path, bytes, { isCompressed } = {}) => addChunks(path, bytes, isCompressed),
    async addLines(path, values) {
      const lines = createLines(values);
      const written = { ...(await addChunks(path, lines.chunks)), lines: lines.count() };
      files.splice(-1, 1, written);
      return written;
    },
  };

  async function run(): Promise<void> {
    const more = await write(archive);
    await addJson(
      { name: 'manifest', ending: 'json' },
      { ...about, exportedAt: new Date(exportedAt).toISOString(), ...more, files: [...files] },
    );
    zip.end();
  }
  run().catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('The export failed.', { cause: error })),
  );
  return output;
}

/** Large enough that a chunk's share of the work is small. */
const chunkCharacters = 64 * 1024;

function createLines(values: AsyncIterable<unknown> | Iterable<unknown>): {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly count: () => number;
} {
  let count = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let text = '';
    for await (const value of values) {
      text += `${JSON.stringify(value)}\n`;
      count += 1;
      if (text.length < chunkCharacters) continue;
      yield Buffer.from(text);
      text = '';
    }
    if (text !== '') yield Buffer.from(text);
  }
  return { chunks: chunks(), count: () => count };
}
