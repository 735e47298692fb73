import type { LimitKey } from '../base/tenant.ts';
import { cancelled } from './in-flight.ts';

/** Limits the memory for results that clients have not read yet. */
export interface MemoryBudget {
  /** Reserves memory and returns a function that releases it; undefined if there isn't enough, or if others wait for it. */
  take(key: LimitKey, sizeBytes: number): (() => void) | undefined;
  /** Waits until the memory is available, and reserves it like `take`. Rejects with `QueryFailure` when the client disconnects. */
  wait(key: LimitKey, sizeBytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly key: LimitKey;
  readonly sizeBytes: number;
  start(release: () => void): void;
}

/**
 * Returns a budget of `maxBytes`. No organization can take more than it leaves free, so that clients that request a lot and
 * read nothing slow down only their own organization. A result larger than the budget gets all of it.
 */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const taken = new Map<LimitKey, number>();
  const waiting = new Set<Waiting>();
  let takenInTotal = 0;

  const takenBy = (key: LimitKey): number => taken.get(key) ?? 0;

  function mayTake({ key, sizeBytes }: Pick<Waiting, 'key' | 'sizeBytes'>): boolean {
    return takenBy(key) + sizeBytes <= maxBytes - takenInTotal || takenInTotal === 0;
  }

  function reserve(key: LimitKey, sizeBytes: number): () => void {
    taken.set(key, takenBy(key) + sizeBytes);
    takenInTotal += sizeBytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      takenInTotal -= sizeBytes;
      const left = takenBy(key) - sizeBytes;
      if (left === 0) taken.delete(key);
      else taken.set(key, left);
      startNext();
    };
  }

  /** Starts requests in order of arrival: those of one organization don't overtake each other. */
  function startNext(): void {
    const behind = new Set<LimitKey>();
    for (const next of waiting) {
      const { key, sizeBytes } = next;
      if (behind.has(key) || !mayTake(next)) {
        behind.add(key);
        continue;
      }
      waiting.delete(next);
      next.start(reserve(key, sizeBytes));
    }
  }

  return {
    take(key, sizeBytes) {
      const isFirst = ![...waiting].some((other) => other.key === key);
      return isFirst && mayTake({ key, sizeBytes }) ? reserve(key, sizeBytes) : undefined;
    },
    wait: (key, sizeBytes, signal) =>
      new Promise((resolve, reject) => {
        const next: Waiting = {
          key,
          sizeBytes,
          start: (release) => {
            signal.removeEventListener('abort', leave);
            resolve(release);
          },
        };
        function leave(): void {
          waiting.delete(next);
          reject(cancelled());
        }
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(next);
        startNext();
      }),
  };
}
