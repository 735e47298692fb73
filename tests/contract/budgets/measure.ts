import { slowness, threadCpuMs } from '../../support/cpu-time.ts';
import { credentialOf } from '../../support/server/test-server.ts';
import type { Request, World } from '../roles/requests/world.ts';

/** What a response costs. */
export interface Cost {
  /** The code of the problem, if it is one. */
  readonly problem?: string;
  /** How much of it was read. */
  readonly bytes: number;
  /** The longest turn of the event loop, in milliseconds of the machine that limits are meant for. */
  readonly blockedMs: number;
}

/**
 * Sends a request, and reads at most `maxBytes` of the response, as fast as it comes. The time of a turn is the processor time of this
 * thread from one turn of the event loop to the next, so that a busy machine doesn't count.
 */
export async function measure(world: World, request: Request, maxBytes: number): Promise<Cost> {
  const { server, owner } = world;
  const [method = '', url = ''] = request.line.split(' ');
  const { cookie, ...credential } = credentialOf(owner) as Record<string, string>;
  const cookies = [request.cookie, cookie].filter((pair) => pair !== undefined).join('; ');
  const slow = Math.max(1, slowness());
  const turns = watchTurns();
  const gone = new AbortController();
  try {
    const response = await server.app.inject({
      method: method as 'GET',
      url,
      headers: { ...credential, ...request.headers, cookie: cookies },
      ...(request.body !== undefined && { payload: request.body }),
      payloadAsStream: true,
      signal: gone.signal,
    });
    const isEndless = String(response.headers['content-type']).startsWith('text/event-stream');
    let bytes = 0;
    let start = '';
    for await (const chunk of response.stream()) {
      bytes += (chunk as Buffer).length;
      if (response.statusCode >= 300) start += String(chunk);
      if (bytes > maxBytes || isEndless) break;
    }
    const blockedMs = turns.end() / slow;
    if (response.statusCode < 300) return { bytes, blockedMs };
    // Sound because every problem has a code.
    const { code } = JSON.parse(start) as { readonly code: string };
    return { problem: code, bytes, blockedMs };
  } finally {
    turns.end();
    gone.abort();
  }
}

/** Starts watching turns of the event loop. `end` returns the longest one, in milliseconds of processor time. */
export function watchTurns(): { end(): number } {
  let longestMs = 0;
  let lastMs = threadCpuMs();
  const count = (): void => {
    const nowMs = threadCpuMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const turn = (): void => {
    count();
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    end: () => {
      clearImmediate(next);
      count();
      return longestMs;
    },
  };
}
