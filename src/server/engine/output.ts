import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { outputDescriptor } from './worker/messages.ts';

/** The pipe that the bytes of a stream go through, as fast as the server takes them. */
export interface QueryOutput {
  /** Resolves when more may be written. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when all is written. */
  flush(): Promise<void>;
  /** Of all that was ever written. */
  byteCount(): number;
}

/** `open` is called at the first stream: most workers see none. */
export function createQueryOutput(open: () => Writable = openPipe): QueryOutput {
  let pipe: Writable | undefined;
  let byteCount = 0;
  return {
    write: async (chunk) => {
      pipe ??= open();
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      byteCount += bytes.length;
      if (!pipe.write(bytes)) await once(pipe, 'drain');
    },
    // Not by `drain`, which comes only after more was written than the pipe wanted.
    flush: () =>
      new Promise((resolve) => {
        if (pipe === undefined) resolve();
        else pipe.write('', () => resolve());
      }),
    byteCount: () => byteCount,
  };
}

const openPipe = (): Writable => new Socket({ fd: outputDescriptor, readable: false, writable: true });
