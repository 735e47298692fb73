import { cancelled } from './in-flight.ts';

/** How much of the server's memory the results may take that clients have not read yet. */
export interface MemoryBudget {
  /** Reserves memory and returns what releases it; undefined if there is not enough, or if others wait for it already. */
  take(organizationId: string, sizeBytes: number): (() => void) | undefined;
  /** Resolves when it is the turn of this size. Rejects with `QueryFailure` when the client leaves. */
  wait(organizationId: string, sizeBytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly organizationId: string;
  readonly sizeBytes: number;
  begin(release: () => void): void;
}

/**
 * Returns a budget of `maxBytes`. No organization may take more than it leaves free, so that clients who request a lot and
 * read nothing slow down only their own organization. A result that is larger than the budget gets all of it.
 */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let takenInAll = 0;

  const takenBy = (organizationId: string): number => taken.get(organizationId) ?? 0;

  function mayTake({ organizationId, sizeBytes }: Pick<Waiting, 'organizationId' | 'sizeBytes'>): boolean {
    return takenBy(organizationId) + sizeBytes <= maxBytes - takenInAll || takenInAll === 0;
  }

  function reserve(organizationId: string, sizeBytes: number): () => void {
    taken.set(organizationId, takenBy(organizationId) + sizeBytes);
    takenInAll += sizeBytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      takenInAll -= sizeBytes;
      const left = takenBy(organizationId) - sizeBytes;
      if (left === 0) taken.delete(organizationId);
      else taken.set(organizationId, left);
      beginNext();
    };
  }

  /** In order of arrival: requests of one organization do not overtake each other. */
  function beginNext(): void {
    const behind = new Set<string>();
    for (const next of waiting) {
      const { organizationId, sizeBytes } = next;
      if (behind.has(organizationId) || !mayTake(next)) {
        behind.add(organizationId);
        continue;
      }
      waiting.delete(next);
      next.begin(reserve(organizationId, sizeBytes));
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
          begin: (release) => {
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
        beginNext();
      }),
  };
}
