/** What is waiting to be done: pieces with a key. */
export interface Waiting {
  readonly key: string;
  /** The organization that the pieces belong to. */
  readonly organizationId: string;
}

/** Work that several processes share. It consists of pieces, each with a key, such as the webhook of an event. */
export interface ClaimedWork {
  /** Returns the keys that have pieces to do now. */
  readonly findWaiting: () => Promise<Waiting[]>;
  /** Claims up to `limit` pieces of a key, so that no other process does them. Returns what does each of them. */
  readonly take: (key: string, limit: number) => Promise<(() => Promise<void>)[]>;
  /** How many pieces are done at once. A key that is slow delays only its own pieces. */
  readonly maxPerKey: number;
  /** So that one organization with many slow keys leaves places for others. */
  readonly maxPerOrganization: number;
  readonly maxInFlight: number;
  /** How often to look for pieces once it was started. */
  readonly pollMs: number;
  /** Called for the first of several failures. */
  readonly onFailure: (error: unknown) => void;
}

export interface ClaimedWorkRunner {
  /** Does what is due, and resolves once nothing is. */
  runDue(): Promise<void>;
  /** Looks for what is due from now on, at first after `pollMs`. */
  start(): void;
  /** Looks for what is due at once, unless it wasn't started or is about to. */
  wake(): void;
  /** Begins nothing more, and waits for what is being done. */
  stop(): Promise<void>;
}

/** Returns what does this process's part of the work. */
export function createClaimedWorkRunner({
  findWaiting,
  take,
  maxPerKey,
  maxPerOrganization,
  maxInFlight,
  pollMs,
  onFailure,
}: ClaimedWork): ClaimedWorkRunner {
  const running = new Map<Promise<void>, Waiting>();
  /** The keys in the order in which they were last served, so that none waits behind one with many pieces. */
  const served = new Map<string, number>();
  let turn = 0;
  let isStopped = false;
  let isFailing = false;
  let beginning: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  async function beginDue(): Promise<void> {
    const waiting = await findWaiting();
    const keys = new Set(waiting.map(({ key }) => key));
    for (const key of served.keys()) if (!keys.has(key)) served.delete(key);
    for (const each of waiting.toSorted((one, other) => lastTurnOf(one) - lastTurnOf(other))) {
      const { key, organizationId } = each;
      const limit = Math.min(
        maxPerKey - countRunning((other) => other.key === key),
        maxPerOrganization - countRunning((other) => other.organizationId === organizationId),
        maxInFlight - running.size,
      );
      if (limit <= 0 || isStopped) continue;
      served.set(key, (turn += 1));
      for (const piece of await take(key, limit)) begin(each, piece);
    }
    isFailing = false;
  }

  const lastTurnOf = ({ key }: Waiting): number => served.get(key) ?? 0;

  const countRunning = (isCounted: (waiting: Waiting) => boolean): number =>
    [...running.values()].filter(isCounted).length;

  function begin(waiting: Waiting, piece: () => Promise<void>): void {
    const done = piece()
      .catch(fail)
      .finally(() => {
        running.delete(done);
        wake();
      });
    running.set(done, waiting);
  }

  function fail(error: unknown): void {
    if (!isFailing) onFailure(error);
    isFailing = true;
  }

  function wake(): void {
    if (timer === undefined || isStopped) return;
    if (beginning !== undefined) {
      isAskedAgain = true;
      return;
    }
    isAskedAgain = false;
    beginning = beginDue()
      .catch(fail)
      .finally(() => {
        beginning = undefined;
        if (isAskedAgain) wake();
      });
  }

  return {
    async runDue() {
      do {
        await beginDue();
        if (running.size > 0) await Promise.race(running.keys());
      } while (running.size > 0 || (await findWaiting()).length > 0);
    },
    start() {
      timer = setInterval(wake, pollMs).unref();
    },
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await beginning;
      await Promise.all(running.keys());
    },
  };
}
