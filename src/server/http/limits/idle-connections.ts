import type { FastifyReply } from 'fastify';
import { allowAnswer } from '../request/upload.ts';

/** Whoever neither sends nor reads for this long holds nothing any more. */
export const maxSilenceMs = 30_000;

/** Awaits what an answer takes. Meanwhile the connection may be silent: that is not for the client to end. */
export async function whileSilent<Result>(reply: FastifyReply, work: () => Promise<Result>): Promise<Result> {
  allowAnswer(reply, 0);
  try {
    return await work();
  } finally {
    allowAnswer(reply, maxSilenceMs);
  }
}
