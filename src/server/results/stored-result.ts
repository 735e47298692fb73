import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { fromPieces, toPieces, type CachedResult } from './cached-result.ts';

/** A file with a result: its facts in the first line, then the JSON. */
export interface StoredResult {
  readonly file: string;
  readonly fileBytes: number;
  /** Of the whole file: what a disk has damaged is never sent. */
  readonly checksum: number;
}

/** Writes a result to a new file in a directory; leaves nothing if that fails. */
export async function writeResult(directory: string, result: CachedResult): Promise<StoredResult> {
  const { columns, computedAt, sequence } = result;
  const file = join(directory, randomUUID());
  const pieces = [Buffer.from(`${JSON.stringify({ columns, computedAt, sequence })}\n`), ...toPieces(result)];
  try {
    await writeFile(file, pieces, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return {
    file,
    fileBytes: pieces.reduce((sum, { byteLength }) => sum + byteLength, 0),
    checksum: pieces.reduce((sum, piece) => crc32(piece, sum), 0),
  };
}

/** Returns the result in a file. Throws if it can't be read, or isn't what was written. */
export async function readResult({ file, fileBytes, checksum }: StoredResult): Promise<CachedResult> {
  const bytes = await readFile(file);
  if (bytes.byteLength !== fileBytes || crc32(bytes) !== checksum)
    throw new Error(`The file of a cached result is damaged: ${file}`);
  const end = bytes.indexOf('\n');
  // Sound because of the checksum of what `writeResult` wrote.
  const facts = JSON.parse(bytes.toString('utf8', 0, end)) as Parameters<typeof fromPieces>[0];
  return fromPieces(facts, [bytes.subarray(end + 1)]);
}
