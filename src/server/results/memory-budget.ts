import { QueryFailure } from '../engine/failure.ts';

/** What the answers that clients have not taken yet may hold of the server's memory. */
export interface AnswerRoom {
  /** Returns what gives the room back, or undefined when there is none: then the answer is let go, and `wait` is next. */
  take(organizationId: string, sizeBytes: number): (() => void) | undefined;
  /** Resolves when it is the turn of this size. Rejects with `QueryFailure` for a client that leaves. */
  wait(organizationId: string, sizeBytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly organizationId: string;
  readonly sizeBytes: number;
  begin(release: () => void): void;
}

/**
 * Returns room for so many bytes. No organization holds more than it leaves free, so that clients who ask for much and
 * read nothing are in the way of their own organization alone.
 */
export function createAnswerRoom(maxBytes: number): AnswerRoom {
  const held = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let heldInAll = 0;

  const heldBy = (organizationId: string): number => held.get(organizationId) ?? 0;

  function mayTake({ organizationId, sizeBytes }: Pick<Waiting, 'organizationId' | 'sizeBytes'>): boolean {
    return heldBy(organizationId) + sizeBytes <= maxBytes - heldInAll || heldInAll === 0;
  }

  function occupy(organizationId: string, sizeBytes: number): () => void {
    held.set(organizationId, heldBy(organizationId) + sizeBytes);
    heldInAll += sizeBytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      heldInAll -= sizeBytes;
      const left = heldBy(organizationId) - sizeBytes;
      if (left === 0) held.delete(organizationId);
      else held.set(organizationId, left);
      letBegin();
    };
  }

  /** In their order; those of an organization do not overtake each other. */
  function letBegin(): void {
    const behind = new Set<string>();
    for (const next of waiting) {
      const { organizationId, sizeBytes } = next;
      if (behind.has(organizationId) || !mayTake(next)) {
        behind.add(organizationId);
        continue;
      }
      waiting.delete(next);
      next.begin(occupy(organizationId, sizeBytes));
    }
  }

  return {
    take(organizationId, sizeBytes) {
      const isFirst = ![...waiting].some((other) => other.organizationId === organizationId);
      return isFirst && mayTake({ organizationId, sizeBytes })
        ? occupy(organizationId, sizeBytes)
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
          reject(new QueryFailure('cancelled', 'The answer was not wanted any more.'));
        }
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(next);
        letBegin();
      }),
  };
}
