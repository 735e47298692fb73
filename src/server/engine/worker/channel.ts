import type { Duplex } from 'node:stream';

/*
 * The channel between the server and a worker: frames over a socket, each preceded by its length. Node's own IPC isn't used,
 * since a hostile worker could control the server through it: Node accepts descriptors and internal messages, buffers up to
 * 4 GiB, and crashes the server on bytes that aren't a message.
 */

/** The file descriptor of the socket in a worker. */
export const channelDescriptor = 3;

const lengthBytes = 4;

/** Sends one frame that consists of the parts. `onSent` is called when it was written, or when the other end is closed. */
export function sendFrame(channel: Duplex, parts: readonly Uint8Array[], onSent?: () => void): void {
  const head = Buffer.alloc(lengthBytes);
  head.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 0));
  channel.cork();
  channel.write(head);
  for (const part of parts) channel.write(part);
  if (onSent !== undefined) channel.write('', () => onSent());
  channel.uncork();
}

/**
 * Calls `take` with each frame that arrives. A frame longer than `maxBytes`, which is never read, and an error that `take`
 * throws both destroy the channel with an error.
 */
export function readFrames(channel: Duplex, maxBytes: number, take: (frame: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let byteCount = 0;
  let neededBytes = lengthBytes;

  /** Removes the first bytes of what was received, and returns them. */
  function cut(count: number): Buffer {
    const all = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    chunks = all.length === count ? [] : [all.subarray(count)];
    byteCount -= count;
    return all.subarray(0, count);
  }

  let isInFrame = false;
  channel.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    byteCount += chunk.length;
    try {
      while (byteCount >= neededBytes && !channel.destroyed) {
        const bytes = cut(neededBytes);
        if (isInFrame) take(bytes);
        neededBytes = isInFrame ? lengthBytes : bytes.readUInt32BE();
        if (neededBytes > maxBytes) throw new Error(`A message of ${neededBytes} bytes is too long`);
        isInFrame = !isInFrame;
      }
    } catch (error) {
      channel.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
