import { timestamp, type Clock } from '../../base/clock.ts';
import type { Database } from '../../storage/database.ts';
import { deleteStreams, extendStreams, insertStream, type OpenStream } from './stream-store.ts';

/** How long a stream counts as open after it was last recorded. A process that was killed leaves its streams for this long. */
const openMs = 45_000;
/** How long streams that open and close are collected, since after a restart all of them open at the same time. */
const collectMs = 20;

/** Records which streams of this process are open, so that every process can show who has a dashboard open. */
export interface Presence {
  opened(stream: OpenStream): void;
  closed(stream: OpenStream): void;
  /** Records that streams are still open. */
  extend(ids: readonly string[]): void;
  /** Records what was collected. */
  flush(): Promise<void>;
}

/** Returns a presence. Nothing waits for it: if it can't be stored, streams work without it. */
export function createPresence({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Presence {
  let opened = new Map<string, OpenStream>();
  let closed = new Map<string, OpenStream>();
  let extended: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), collectMs).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One after the other, so that a stream is never removed before it is stored.
    running = running.then(store).catch(ignore);
    return running;
  }

  async function store(): Promise<void> {
    const [opening, closing, extending] = [[...opened.values()], [...closed.values()], extended];
    if (opening.length + closing.length + extending.length === 0) return;
    opened = new Map();
    closed = new Map();
    extended = [];
    await database.write(async (transaction) => {
      const expiresAt = timestamp(clock() + openMs);
      for (const stream of opening) await insertStream(transaction, { ...stream, expiresAt });
      if (extending.length > 0) await extendStreams(transaction, { ids: extending, expiresAt });
      if (closing.length > 0) {
        await deleteStreams(
          transaction,
          closing.map(({ id }) => id),
        );
      }
      const changed = new Set([...opening, ...closing].map(({ dashboardId }) => dashboardId));
      for (const id of changed) transaction.announce(id);
    });
  }

  return {
    opened(stream) {
      opened.set(stream.id, stream);
      schedule();
    },
    closed(stream) {
      // One that was never stored needn't be removed.
      if (!opened.delete(stream.id)) closed.set(stream.id, stream);
      schedule();
    },
    extend(ids) {
      extended = ids;
      schedule();
    },
    flush,
  };
}

/** The database reports its faults by itself. */
const ignore = (): void => {};
