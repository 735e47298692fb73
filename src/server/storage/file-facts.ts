import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** The size of a file, and its SHA-256 in hex. */
export interface FileFacts {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Hashing a chunk of this size blocks the event loop for less than a millisecond. */
const chunkBytes = 256 * 1024;

/** Reads a whole file. `onChunk` is awaited after each chunk, so that a reader can limit its speed. */
export async function readFacts(
  path: string,
  onChunk?: (chunkBytes: number) => Promise<void> | void,
): Promise<FileFacts> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const file = await open(path, 'r');
  try {
    for (let sizeBytes = 0; ;) {
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) return { sizeBytes, sha256: hash.digest('hex') };
      hash.update(chunk.subarray(0, bytesRead));
      sizeBytes += bytesRead;
      await onChunk?.(bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Flushes a file or the entries of a directory to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
