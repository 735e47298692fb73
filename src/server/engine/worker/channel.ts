import type { Duplex } from 'node:stream';

/*
 * The way between the server and a worker: frames over a socket, each with its length in front. Node's own IPC is not used
 * for it, since what a worker writes there decides what the server's Node does: it takes descriptors, obeys messages of its
 * own, buffers up to 4 GiB, and ends the server on bytes that are no message.
 */

/** The descriptor, in a worker, of the socket. */
export const channelDescriptor = 3;

const lengthBytes = 4;

/** Sends one frame, which consists of the parts. `onSent` is called when the system has it, or the other end is gone. */
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
 * Calls `take` with each frame that comes in. One that is longer than `maxBytes` ends the channel before it is read, and
 * what `take` throws does, too: both as an error of the channel.
 */
export function readFrames(channel: Duplex, maxBytes: number, take: (frame: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let byteCount = 0;
  let neededBytes = lengthBytes;

  /** Returns the first bytes of what has come in. */
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
