import assert from 'node:assert/strict';
import { slowness, threadCpuMs } from '../../support/cpu-time.ts';
import { credentialOf } from '../../support/server/test-server.ts';
import type { Request, World } from '../roles/requests/world.ts';

/** What a response costs. */
export interface Cost {
  readonly status: number;
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
      payloadAsStream: true,
      signal: gone.signal,
    });
    let bytes = 0;
    for await (const chunk of response.stream()) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes || response.headers['content-type'] === 'text/event-stream') break;
    }
    // An export that was left goes on for a moment.
    if (response.statusCode === 503) return { status: 503, bytes: 0, blockedMs: 0 };
    assert.ok(response.statusCode < 300, `${request.line}: ${response.statusCode}`);
    return { status: response.statusCode, bytes, blockedMs: turns.end() / slow };
  } finally {
    turns.end();
    gone.abort();
  }
}

/** Starts watching turns of the event loop. `end` returns the longest one, in milliseconds of processor time. */
function watchTurns(): { end(): number } {
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
