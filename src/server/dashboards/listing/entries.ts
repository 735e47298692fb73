import { createHash } from 'node:crypto';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { reportIdsOf } from '#shared/dashboard-filters/definitions.ts';
import { sortNameOf, wordsOf } from '../../base/texts/folded-text.ts';
import { parseJson } from '../../base/texts/json.ts';
import { findPublicReportNames } from '../../reports/names.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { insertWords, removeWords } from '../../storage/full-text.ts';
import {
  deleteIndexEntry,
  findToIndex,
  insertIndexEntry,
  lockIndexEntries,
  lockQueued,
  removeFromQueue,
  updateIndexEntry,
  type IndexedDashboard,
  type IndexEntry,
} from './entry-store.ts';

/** How much is indexed in a transaction, which takes some milliseconds on SQLite, while other writes wait. */
const partLengths = { SQLite: 200, PostgreSQL: 50 } as const;
const partCharacters = 50_000;

/**
 * Indexes some of the queued dashboards, changed ones first, and those of a rebuild only with `rebuilds`. Returns whether
 * there may be more.
 */
export function indexPart(database: Database, { rebuilds = false } = {}): Promise<boolean> {
  const partLength = partLengths[database.engine];
  return database.write(async (transaction) => {
    const changes = await lockQueued(transaction, partLength, { rebuilds });
    const dashboardIds = changes.map(({ dashboardId }) => dashboardId);
    // Locked before the dashboards are read, so that another replica that was indexing them has finished.
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

/** Returns how many characters were processed. */
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
  const words = await searchWordsOf(transaction, dashboard);
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

/** Returns the words of its name, its description and its reports' names, and for each report a word that nobody types. */
async function searchWordsOf(
  transaction: Transaction,
  { organizationId, name, description, widgets }: IndexedDashboard,
): Promise<string[]> {
  // Sound because the widgets were validated before they were stored.
  const shown = reportIdsOf(parseJson(widgets) as Widget[]).slice(0, maxReports);
  const names =
    organizationId === null ? [] : await findPublicReportNames(transaction, organizationId, shown);
  return [...wordsOf(name, description ?? '', ...names), ...shown.map(wordOfReport)];
}

/** Returns the word that finds the dashboards that show a report, whose ID may be any text. */
export const wordOfReport = (reportId: string): string =>
  `report0${createHash('sha256').update(reportId).digest('hex').slice(0, 20)}`;

/** The most reports of a dashboard whose names and uses are indexed. */
const maxReports = 200;

const toEntry = (
  { dashboardId, userId, organizationId, name, updatedAt, folderId }: IndexedDashboard,
  key: number,
  words: readonly string[],
): IndexEntry => ({
  key,
  dashboardId,
  scope: organizationId ?? userId,
  userId,
  sortName: sortNameOf(name),
  updatedAt,
  folderId: folderId ?? '',
  wordsHash: createHash('sha256').update(words.join(' ')).digest('base64url').slice(0, 22),
});

/** Returns the key of the inserted entry, which is the next free one, or undefined if another replica inserted it first. */
async function insertEntry(transaction: Transaction, entry: IndexEntry): Promise<number | undefined> {
  let { key } = entry;
  while (!(await insertIndexEntry(transaction, { ...entry, key }))) {
    if ((await lockIndexEntries(transaction, [entry.dashboardId])).size > 0) return undefined;
    key += 1;
  }
  return key;
}

/**
 * Returns a number that sorts like a UUIDv7 (RFC 9562, section 5.7): its milliseconds, here since 2020, and the twelve bits
 * that distinguish IDs of the same millisecond.
 */
export function keyOf(id: string): number {
  const timeMs = parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - Date.UTC(2020);
  return timeMs * 4096 + parseInt(id.slice(15, 18), 16);
}
