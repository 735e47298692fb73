import { cancelled } from './in-flight.ts';

/** Limits the memory for results that clients have not read yet. */
export interface MemoryBudget {
  /** Reserves memory and returns a function that releases it; undefined if there isn't enough, or if others wait for it. */
  take(organizationId: string, sizeBytes: number): (() => void) | undefined;
  /** Waits until the memory is available, and reserves it like `take`. Rejects with `QueryFailure` when the client disconnects. */
  wait(organizationId: string, sizeBytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly organizationId: string;
  readonly sizeBytes: number;
  start(release: () => void): void;
}

/**
 * Returns a budget of `maxBytes`. No organization can take more than it leaves free, so that clients that request a lot and
 * read nothing slow down only their own organization. A result larger than the budget gets all of it.
 */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let takenInTotal = 0;

  const takenBy = (organizationId: string): number => taken.get(organizationId) ?? 0;

  function mayTake({ organizationId, sizeBytes }: Pick<Waiting, 'organizationId' | 'sizeBytes'>): boolean {
    return takenBy(organizationId) + sizeBytes <= maxBytes - takenInTotal || takenInTotal === 0;
  }

  function reserve(organizationId: string, sizeBytes: number): () => void {
    taken.set(organizationId, takenBy(organizationId) + sizeBytes);
    takenInTotal += sizeBytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      takenInTotal -= sizeBytes;
      const left = takenBy(organizationId) - sizeBytes;
      if (left === 0) taken.delete(organizationId);
      else taken.set(organizationId, left);
      startNext();
    };
  }

  /** Starts requests in order of arrival: those of one organization don't overtake each other. */
  function startNext(): void {
    const behind = new Set<string>();
    for (const next of waiting) {
      const { organizationId, sizeBytes } = next;
      if (behind.has(organizationId) || !mayTake(next)) {
        behind.add(organizationId);
        continue;
      }
      waiting.delete(next);
      next.start(reserve(organizationId, sizeBytes));
    }
  }

  return {
    take(organizationId, sizeBytes) {
      const isFirst = ![...waiting].some((other) => other.organizationId === organizationId);
      return isFirst && mayTake({ organizationId, sizeBytes })
        ? reserve(organizationId, sizeBytes)
        : undefined;
    },
    wait: (organizationId, sizeBytes, signal) =>
      new Promise((resolve, reject) => {
        const next: Waiting = {
          organizationId,
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
