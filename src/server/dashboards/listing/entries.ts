import { createHash } from 'node:crypto';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { AtriumError } from '../../base/errors.ts';
import { sortNameOf, wordsOf } from '../../base/folded-text.ts';
import { parseJson } from '../../base/json.ts';
import { findReportNames } from '../../reports/reports.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { insertWords, mergeWords, removeWords } from '../../storage/full-text.ts';
import {
  deleteIndexEntry,
  findBacklog,
  lockIndexEntries,
  findToIndex,
  hasQueued,
  insertIndexEntry,
  lockQueued,
  removeFromQueue,
  updateIndexEntry,
  type IndexedDashboard,
  type IndexEntry,
} from './entry-store.ts';

/**
 * The dashboards by name, by update and by words. It follows them a little later, many at once, which is several times
 * cheaper than with each write; whoever reads from it has it catch up first.
 */
export interface DashboardIndex {
  /**
   * Resolves when the index includes everything that was committed before. Throws `unavailable` if that takes long or if
   * nothing can be stored; with `mayLag` it resolves instead, and the index shows the dashboards as they were.
   */
  catchUp(options?: { readonly mayLag?: boolean }): Promise<void>;
  /** Ends the work in the background. */
  close(): Promise<void>;
}

/** In one transaction: some milliseconds on SQLite, for which other writes wait, however long the texts are. */
const partLengths = { SQLite: 200, PostgreSQL: 50 } as const;
const partCharacters = 50_000;
/** In the background the index waits for a pause of those who write, up to so many changes. */
const everyMs = 1000;
const maxBacklog = 5000;
/** Merging rewrites all of what searches read, so it is worth its while only after many changes. */
const mergeEveryMs = 3_600_000;
/** After an upgrade there may be much to do, for longer than a request lasts. */
const catchUpWithinMs = 10_000;

/** Begins to keep the index of a database. */
export function createDashboardIndex(
  database: Database,
  onFailure: (error: unknown) => void,
  withinMs = catchUpWithinMs,
): DashboardIndex {
  const partLength = partLengths[database.engine];
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const closing = new AbortController();
  let newestSeen: string | undefined;

  async function drain(): Promise<void> {
    isMerged = false;
    while (!closing.signal.aborted && (await indexPart(database, partLength)));
  }

  /** Whoever asks while it runs is served by the run after it: the one under way may have read too early. */
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

  async function look(): Promise<void> {
    const { count, newestId } = await findBacklog(database, maxBacklog);
    if (count === 0) await mergeIfDue();
    const isQuiet = newestId === newestSeen;
    newestSeen = newestId;
    if (count > 0 && (isQuiet || count === maxBacklog)) await run();
  }

  let isMerged = false;
  let mergedAtMs = -Infinity;
  async function mergeIfDue(): Promise<void> {
    if (isMerged || performance.now() < mergedAtMs + mergeEveryMs) return;
    isMerged = true;
    mergedAtMs = performance.now();
    while (!closing.signal.aborted && (await mergeWords(database)));
  }

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(onFailure)
      .finally(() => {
        looking = undefined;
      });
  }, everyMs).unref();

  return {
    catchUp,
    close: async () => {
      closing.abort();
      clearInterval(timer);
      await looking;
      await Promise.allSettled([next, running]);
    },
  };
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof AtriumError && error.code === 'unavailable')) throw error;
}

const stillIndexing = (): AtriumError =>
  new AtriumError('unavailable', 'The dashboards are still being indexed. Try again in a while.');

/** Indexes some of the queued dashboards. Returns whether there may be more. */
function indexPart(database: Database, partLength: number): Promise<boolean> {
  return database.write(async (transaction) => {
    const changes = await lockQueued(transaction, partLength);
    const dashboardIds = changes.map(({ dashboardId }) => dashboardId);
    // In this order: the dashboards are read after another replica that was indexing them.
    const entries = await lockIndexEntries(transaction, dashboardIds);
    const indexed = new Set<string>();
    const done: string[] = [];
    let characters = 0;
    for (const { id, dashboardId } of changes) {
      if (characters > partCharacters) break;
      if (!indexed.has(dashboardId)) {
        characters += await indexDashboard(transaction, dashboardId, entries.get(dashboardId));
      }
      indexed.add(dashboardId);
      done.push(id);
    }
    await removeFromQueue(transaction, done);
    return done.length < changes.length || changes.length === partLength;
  });
}

/** Returns how many characters were looked at. */
async function indexDashboard(
  transaction: Transaction,
  dashboardId: string,
  before: { key: number; wordsHash: string } | undefined,
): Promise<number> {
  const dashboard = await findToIndex(transaction, dashboardId);
  if (dashboard === undefined) {
    if (before === undefined) return 0;
    await deleteIndexEntry(transaction, before.key);
    await removeWords(transaction, before.key);
    return 0;
  }
  const words = await wordsToFind(transaction, dashboard);
  const characters = dashboard.name.length + (dashboard.description?.length ?? 0) + dashboard.widgets.length;
  const entry = toEntry(dashboard, before?.key ?? keyOf(dashboardId), words);
  const { key, scope } = entry;
  if (before === undefined) {
    const freeKey = await insertEntry(transaction, entry);
    if (freeKey === undefined) {
      const ofOther = await lockIndexEntries(transaction, [dashboardId]);
      return indexDashboard(transaction, dashboardId, ofOther.get(dashboardId));
    }
    await insertWords(transaction, { key: freeKey, scope, words });
    return characters;
  }
  await updateIndexEntry(transaction, entry);
  if (before.wordsHash === entry.wordsHash) return characters;
  await removeWords(transaction, key);
  await insertWords(transaction, { key, scope, words });
  return characters;
}

/** Words of its name, its description and the names of its reports; and for each report a word that nobody types. */
async function wordsToFind(
  transaction: Transaction,
  { organizationId, name, description, widgets }: IndexedDashboard,
): Promise<string[]> {
  // Sound because the text is of what was validated when it was stored.
  const reportIds = new Set((parseJson(widgets) as Widget[]).map(({ reportId }) => reportId));
  const shown = [...reportIds].slice(0, maxReports);
  const names = organizationId === null ? [] : await findReportNames(transaction, organizationId, shown);
  return [...wordsOf(name, description ?? '', ...names), ...shown.map(wordOfReport)];
}

/** Returns the word by which the dashboards are found that show a report; its id may be any text. */
export const wordOfReport = (reportId: string): string =>
  `report0${createHash('sha256').update(reportId).digest('hex').slice(0, 20)}`;

/** Of so many reports the names are found, and the uses. */
const maxReports = 200;

const toEntry = (
  { dashboardId, userId, organizationId, name, updatedAt }: IndexedDashboard,
  key: number,
  words: readonly string[],
): IndexEntry => ({
  key,
  dashboardId,
  scope: organizationId ?? userId,
  userId,
  sortName: sortNameOf(name),
  updatedAt,
  wordsHash: createHash('sha256').update(words.join(' ')).digest('base64url').slice(0, 22),
});

/** Returns the key under which the entry was put, the next one that is free; undefined when another replica was first. */
async function insertEntry(transaction: Transaction, entry: IndexEntry): Promise<number | undefined> {
  let { key } = entry;
  while (!(await insertIndexEntry(transaction, { ...entry, key }))) {
    if ((await lockIndexEntries(transaction, [entry.dashboardId])).size > 0) return undefined;
    key += 1;
  }
  return key;
}

/**
 * Returns a number that sorts as a UUIDv7 does (RFC 9562, section 5.7): its milliseconds, here since 2020, and twelve
 * bits of what tells those of one millisecond apart.
 */
export function keyOf(id: string): number {
  const timeMs = parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - Date.UTC(2020);
  return timeMs * 4096 + parseInt(id.slice(15, 18), 16);
}
