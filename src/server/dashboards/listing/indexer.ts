import { AtriumError } from '../../base/errors.ts';
import type { Database } from '../../storage/database.ts';
import { mergeWords } from '../../storage/full-text.ts';
import { indexPart } from './entries.ts';
import { findBacklog, hasQueued, hasQueuedRebuild } from './entry-store.ts';

/**
 * The index of dashboards, which sorts them by name and by update and makes them searchable by words. It indexes many changes at
 * once a little later, which is several times cheaper than with each write, so it must catch up before it is read.
 */
export interface DashboardIndex {
  /**
   * Resolves when the index includes everything that was committed before. Throws `unavailable` if that takes long or if
   * nothing can be stored; with `mayLag` it resolves instead, and the index shows the dashboards as they were.
   */
  catchUp(options?: { readonly mayLag?: boolean }): Promise<void>;
  /** Stops the work in the background. */
  close(): Promise<void>;
}

/** In the background, changes are indexed when nothing was written for this long, or when this many are queued. */
const everyMs = 1000;
const maxBacklog = 5000;
/** Merging rewrites everything that searches read, so it isn't done after every change. */
const mergeEveryMs = 3_600_000;
/** After an upgrade, indexing may take longer than a request can wait. */
const catchUpWithinMs = 10_000;

/** Starts indexing the dashboards of a database. */
export function createDashboardIndex(
  database: Database,
  onFailure: (error: unknown) => void,
  withinMs = catchUpWithinMs,
): DashboardIndex {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const closing = new AbortController();
  let newestSeen: string | undefined;

  async function drain(): Promise<void> {
    isMerged = false;
    while (!closing.signal.aborted && (await indexPart(database)));
  }

  /** A call during a run waits for the next one, since the current run may have read too early. */
  function run(): Promise<void> {
    next ??= (async () => {
      await running?.catch(() => {});
      next = undefined;
      running = drain();
      await running;
    })();
    return next;
  }

  async function catchUp({ mayLag = false } = {}): Promise<void> {
    if (!(await hasQueued(database))) return;
    const late = Promise.withResolvers<never>();
    const timeout = setTimeout(() => late.reject(stillIndexing()), withinMs).unref();
    try {
      await Promise.race([mayLag ? run().catch(ignoreUnavailable) : run(), late.promise]);
    } finally {
      clearTimeout(timeout);
    }
  }

  async function indexIfDue(): Promise<void> {
    const { count, newestId } = await findBacklog(database, maxBacklog);
    if (count === 0) {
      await rebuild();
      await mergeIfDue();
    }
    const isQuiet = newestId === newestSeen;
    newestSeen = newestId;
    if (count > 0 && (isQuiet || count === maxBacklog)) await run();
  }

  /** After an upgrade, every dashboard can be indexed again, and until then, lists and searches use its older entry. */
  async function rebuild(): Promise<void> {
    // Otherwise, a server without work would commit a transaction every second.
    if (!(await hasQueuedRebuild(database))) return;
    while (!closing.signal.aborted && (await indexPart(database, { rebuilds: true }))) isMerged = false;
  }

  let isMerged = true;
  let mergedAtMs = -Infinity;
  async function mergeIfDue(): Promise<void> {
    if (isMerged || performance.now() < mergedAtMs + mergeEveryMs) return;
    isMerged = true;
    mergedAtMs = performance.now();
    while (!closing.signal.aborted && (await mergeWords(database)));
  }

  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    working ??= indexIfDue()
      .catch(onFailure)
      .finally(() => {
        working = undefined;
      });
  }, everyMs).unref();

  return {
    catchUp,
    close: async () => {
      closing.abort();
      clearInterval(timer);
      await working;
      await Promise.allSettled([next, running]);
    },
  };
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof AtriumError && error.code === 'unavailable')) throw error;
}

const stillIndexing = (): AtriumError =>
  new AtriumError('unavailable', 'The dashboards are still being indexed. Try again in a few minutes.');
