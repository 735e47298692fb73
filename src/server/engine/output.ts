import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { outputDescriptor } from './worker/messages.ts';

/** The pipe that carries the bytes of a stream to the server, as fast as the server reads them. */
export interface QueryOutput {
  /** Resolves when more may be written. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
  /** Returns the number of bytes written since the worker started. */
  byteCount(): number;
}

/** `open` is called when the first stream starts: most workers never stream. */
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
    // Doesn't wait for `drain`, which is emitted only after a write that filled the buffer.
    flush: () =>
      new Promise((resolve) => {
        if (pipe === undefined) resolve();
        else pipe.write('', () => resolve());
      }),
    byteCount: () => byteCount,
  };
}

const openPipe = (): Writable => new Socket({ fd: outputDescriptor, readable: false, writable: true });
