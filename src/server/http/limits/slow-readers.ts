import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { minutesMs } from '../../base/clock.ts';

/** The least that a client must read in each interval while data is waiting: about 35 kB a second. */
const slowestReader = { minBytes: 2 * 1024 ** 2, everyMs: minutesMs(1) };

/** What a connection had sent when data began to wait, and by when how much of it has to be read. */
interface Wait {
  readonly sentBytes: number;
  readonly minBytes: number;
  readonly until: number;
}

/**
 * Closes connections whose clients read a response more slowly than `slowestReader`, whatever the response is: what they don't read
 * stays in memory, and whatever the response holds is held for as long as it takes. Time in which the server has nothing to send doesn't
 * count.
 */
export function cutSlowReaders(http: Server): void {
  const check = watchReaders(http, slowestReader, () => performance.now());
  const timer = setInterval(check, slowestReader.everyMs).unref();
  http.once('close', () => clearInterval(timer));
}

/** Returns what has to be called every `everyMs` of `clock`. */
export function watchReaders(
  http: Server,
  { minBytes, everyMs }: { readonly minBytes: number; readonly everyMs: number },
  clock: () => number,
): () => void {
  const waits = new Map<Socket, Wait | undefined>();
  http.on('connection', (socket: Socket) => {
    waits.set(socket, undefined);
    socket.once('close', () => waits.delete(socket));
  });

  /** A large piece counts only once all of it was read, so it gets the time that it needs at the least speed. */
  function expected(waitingBytes: number, now: number): Pick<Wait, 'minBytes' | 'until'> {
    const intervals = Math.max(1, waitingBytes / minBytes);
    // The timer can run a little early.
    return { minBytes: Math.min(minBytes, waitingBytes), until: now + everyMs * (intervals - 0.1) };
  }

  return () => {
    const now = clock();
    for (const [socket, wait] of waits) {
      const waitingBytes = socket.writableLength;
      const sentBytes = socket.bytesWritten - waitingBytes;
      if (waitingBytes === 0) waits.set(socket, undefined);
      else if (wait !== undefined && now < wait.until) continue;
      else if (wait !== undefined && sentBytes - wait.sentBytes < wait.minBytes) socket.destroy();
      else waits.set(socket, { sentBytes, ...expected(waitingBytes, now) });
    }
  };
}
