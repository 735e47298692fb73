import type { FastifyReply } from 'fastify';
import { minutesMs } from '../../base/clock.ts';

/** The least that a client must read in each interval while data is waiting: about 35 kB a second. */
export const slowestClient = { minBytes: 2 * 1024 ** 2, everyMs: minutesMs(1) };

/**
 * Returns a signal that is aborted when a client reads a response more slowly than `slowestClient`. Time in which the server
 * has nothing to send doesn't count.
 */
export function slowClientSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const slow = new AbortController();
  const { socket } = raw;
  // A closed response emits no second `close`, which would stop the timer.
  if (socket === null || raw.destroyed) return slow.signal;
  const { minBytes, everyMs } = slowestClient;
  let sentBefore: number | undefined;
  const timer = setInterval(() => {
    const sent = socket.bytesWritten - socket.writableLength;
    const isWaiting = socket.writableLength > 0;
    if (isWaiting && sentBefore !== undefined && sent - sentBefore < minBytes)
      slow.abort(new Error('The client reads too slowly.'));
    sentBefore = isWaiting ? sent : undefined;
  }, everyMs);
  raw.once('close', () => clearInterval(timer));
  return slow.signal;
}
