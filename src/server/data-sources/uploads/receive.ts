import { open } from 'node:fs/promises';
import { AtriumError } from '../../base/errors.ts';

export const maxUploadBytes = 2 * 1024 ** 3;

/** Writes the received bytes to a file, at the pace of the disk, and returns how many there were. */
export async function receive(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  onChunk: (chunkBytes: number) => void,
): Promise<number> {
  const file = await open(path, 'wx');
  try {
    let sizeBytes = 0;
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxUploadBytes) throw tooLarge();
      onChunk(chunk.length);
      await writeWhole(file, chunk);
    }
    if (sizeBytes === 0) throw new AtriumError('unreadable_file', 'The file is empty.');
    return sizeBytes;
  } finally {
    await file.close();
  }
}

async function writeWhole(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) written += (await file.write(chunk, written)).bytesWritten;
}

export const tooLarge = (): AtriumError =>
  new AtriumError('body_too_large', 'The file is too large. A file can have up to 2 GB.');
