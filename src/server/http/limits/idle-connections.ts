import type { FastifyReply } from 'fastify';
import { allowSilence } from '../request/upload.ts';

/** How long a client may neither send nor read before its connection is closed. */
export const maxSilenceMs = 30_000;

/** Runs work that a response waits for, without closing the connection, which is silent in the meantime. */
export async function whileSilent<Result>(reply: FastifyReply, work: () => Promise<Result>): Promise<Result> {
  allowSilence(reply, 0);
  try {
    return await work();
  } finally {
    allowSilence(reply, maxSilenceMs);
  }
}

/** Yields the lines, and allows the connection to be idle until the next one. */
export async function* whileIdle<Piece>(
  reply: FastifyReply,
  lines: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  for (;;) {
    const next = await whileSilent(reply, () => lines.next());
    if (next.done === true) return;
    yield next.value;
  }
}
