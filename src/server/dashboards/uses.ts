import type { Actor } from '../base/actor.ts';
import { reportKind, type ReportKind } from '../reports/kind.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { searchFor } from '../storage/full-text.ts';
import { wordOfReport } from './listing/entries.ts';
import type { DashboardIndex } from './listing/indexer.ts';
import { queueAllOf, queueFound } from './listing/entry-store.ts';
import { findListed } from './listing/row-store.ts';
import { selectFound } from './listing/store.ts';

/** Dashboards that show a report are counted up to this number. */
const maxCounted = 1_000;
const maxNamed = 100;

interface UsedReport {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Returns the dashboards of an organization that show a report: up to 100 that the actor may see, and how many there are, up to
 * 1,000: in all with `countsAll`, otherwise of those.
 */
export async function findUsesOfReport(
  { database, index }: { database: Database; index: DashboardIndex },
  actor: Actor,
  report: UsedReport,
  { countsAll, ...options }: { readonly mayLag?: boolean; readonly countsAll: boolean },
): Promise<{ dashboards: { id: string; name: string }[]; dashboardCount: number }> {
  await index.catchUp(options);
  const found = await selectFound(database, {
    scope: report.organizationId,
    search: searchOf(database, report),
    before: Number.MAX_SAFE_INTEGER,
    limit: maxCounted,
  });
  const ids = found.map(({ id }) => id);
  const visible = await findListed(database, ids, actor.userId);
  return {
    dashboards: ids
      .flatMap((id) => visible.get(id) ?? [])
      .slice(0, maxNamed)
      .map(({ id, name }) => ({ id, name })),
    dashboardCount: countsAll ? found.length : visible.size,
  };
}

/** Returns reports as a kind of record; the dashboards that show a renamed report are indexed again. */
export const reportsOnDashboards = (database: Database): ReportKind =>
  reportKind(async (transaction, { id, organizationId }, { isRenamed }) => {
    if (!isRenamed || organizationId === undefined) return;
    await queueFound(transaction, {
      search: searchOf(database, { id, organizationId }),
      before: Number.MAX_SAFE_INTEGER,
      limit: 1_000_000,
    });
  });

/** More reports than this are not looked up one by one. */
const maxLookedUp = 100;

/** Queues the dashboards of an organization that show reports to be indexed again, or all of its dashboards for many reports. */
export async function queueUsesOfReports(
  database: Database,
  transaction: Transaction,
  organizationId: string,
  reportIds: readonly string[],
): Promise<void> {
  if (reportIds.length > maxLookedUp) {
    await queueAllOf(transaction, organizationId);
    return;
  }
  for (const id of reportIds) {
    const search = searchOf(database, { organizationId, id });
    await queueFound(transaction, { search, before: Number.MAX_SAFE_INTEGER, limit: 1_000_000 });
  }
}

const searchOf = ({ engine }: Database, { organizationId, id }: UsedReport): string =>
  searchFor(engine, organizationId, [wordOfReport(id)]);
