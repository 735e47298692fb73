import { isUtf8 } from 'node:buffer';
import { open, type FileHandle } from 'node:fs/promises';
import type { Encoding } from '#contract/data-sources/imports.ts';

const chunkBytes = 4 * 1024 * 1024;

/** Yields the bytes of a file, each chunk in a new buffer. */
async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  const file: FileHandle = await open(path, 'r');
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Yields the text of a file as UTF-8, without a byte order mark. Bytes that the encoding doesn't have become U+FFFD, except in UTF-8. */
export async function* readText(
  path: string,
  encoding: Encoding,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  if (encoding === 'utf-8') {
    let isFirst = true;
    for await (const chunk of readChunks(path, signal)) {
      yield isFirst && startsWith(chunk, utf8Mark) ? chunk.subarray(utf8Mark.length) : chunk;
      isFirst = false;
    }
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of readChunks(path, signal))
    yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

const utf8Mark = [0xef, 0xbb, 0xbf];
const marks: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', utf8Mark],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the encoding of a file: by its byte order mark, its NUL bytes, or whether all of it is UTF-8. */
export async function guessEncoding(path: string, signal: AbortSignal): Promise<Encoding> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of readChunks(path, signal)) {
    if (isFirst) {
      const found = marks.find(([, mark]) => startsWith(chunk, mark))?.[0] ?? guessUtf16(chunk);
      if (found !== undefined) return found;
      isFirst = false;
    }
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = endOfCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return 'windows-1252';
    rest = bytes.subarray(end);
  }
  return rest.length === 0 ? 'utf-8' : 'windows-1252';
}

const startsWith = (bytes: Buffer, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

/** In UTF-16, most characters of a table have a zero as one of their two bytes: digits, delimiters, Latin letters. */
function guessUtf16(chunk: Buffer): Encoding | undefined {
  const length = Math.min(chunk.length, 4096);
  let [even, odd] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    if (chunk[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = length / 8;
  if (odd > many && even < odd / 4) return 'utf-16le';
  return even > many && odd < even / 4 ? 'utf-16be' : undefined;
}

/** Returns the index after the last complete character of UTF-8. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
