import type { Readable } from 'node:stream';

/** Returns the bytes of a stream if they are at most `maxBytes`, and otherwise the stream, with all of its bytes still in it. */
export async function collect(stream: Readable, maxBytes: number): Promise<Buffer | Readable> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    length += bytes.length;
    if (length <= maxBytes) continue;
    // At once: a stream whose last bytes were read can take them back only until it reports its end.
    stream.unshift(Buffer.concat(chunks));
    return stream;
  }
  return Buffer.concat(chunks);
}
