import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** A failure is not remembered for longer. */
const maxFailedMs = 5_000;

/**
 * Returns a function that returns what `read` returned, at most `freshMs` ago; undefined if it failed or takes longer
 * than the deadline. It runs once at a time, so that neither many scrapers nor a slow database make more work.
 */
export function createReading<Value>(
  clock: Clock,
  freshMs: number,
  read: () => Promise<Value>,
  deadlineMs = 2_000,
): () => Promise<Value | undefined> {
  let last: { readonly at: number; readonly value: Value | undefined } | undefined;
  let running: Promise<Value | undefined> | undefined;

  const isFresh = ({ at, value }: { readonly at: number; readonly value: Value | undefined }): boolean =>
    Math.abs(clock() - at) < (value === undefined ? Math.min(freshMs, maxFailedMs) : freshMs);

  async function readNow(): Promise<Value | undefined> {
    const value = await read().catch(() => undefined);
    last = { at: clock(), value };
    running = undefined;
    return value;
  }

  return async () => {
    if (last !== undefined && isFresh(last)) return last.value;
    running ??= readNow();
    const timer = new AbortController();
    const late = delay(deadlineMs, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    try {
      return await Promise.race([running, late]);
    } finally {
      timer.abort();
    }
  };
}
