import type { ReportInput, ReportSummary } from '#contract/reports/reports.ts';
import type { AuditAction } from '#shared/audit-actions.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError, invalidFaults } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { holdDataSource } from '../data-sources/data-sources.ts';
import { requireExpected, type ExpectedVersion } from '../records/edit.ts';
import { requirePermission } from '../organizations/authorization.ts';
import type { Database, Reader, Transaction } from '../storage/database.ts';
import { requireReport, requireReportToChange } from './access.ts';
import { findContentFaults, noDataSource, toContent, type ReportContent } from './content.ts';
import {
  findDeletedReport,
  insertReport,
  markReportDeleted,
  selectReportNames,
  selectReports,
  type StoredReport,
} from './store.ts';

/** Creates a report. Editor or higher. Throws `invalid_body` with every fault. */
export async function addReport(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: ReportInput,
): Promise<StoredReport> {
  const { organizationId } = input;
  await requirePermission(transaction, actor, organizationId, 'report.edit');
  const now = timestamp(clock());
  const report: StoredReport = {
    id: newId(),
    organizationId,
    userId: actor.userId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    updatedBy: actor.userId,
    change: 'created',
    restoredFrom: undefined,
    saveHash: undefined,
    content: toContent(input),
  };
  await requireSound(transaction, organizationId, report.content);
  await insertReport(transaction, report);
  return report;
}

/** Throws `invalid_body` with all that is wrong with a report. Its data source stays until the transaction ends. */
export async function requireSound(
  transaction: Transaction,
  organizationId: string,
  content: ReportContent,
): Promise<void> {
  const faults = findContentFaults(content);
  if (!(await holdDataSource(transaction, organizationId, content.dataSourceId))) {
    faults.unshift(noDataSource);
  }
  if (faults.length > 0) throw invalidFaults(faults);
}

/** Returns a report. Any member of its organization. Throws `not_found`. */
export const getReport = (reader: Reader, actor: Actor, id: string): Promise<StoredReport> =>
  requireReport(reader, actor, id);

/** Lists the reports of an organization, newest first. Any member. */
export async function listReports(
  reader: Reader,
  actor: Actor,
  filter: { organizationId: string; dataSourceId?: string; q?: string },
  page: PageRequest,
): Promise<Page<ReportSummary>> {
  await requirePermission(reader, actor, filter.organizationId, 'report.view');
  return toPage(await selectReports(reader, filter, page), page, ({ id }) => id);
}

/** Returns the dashboards of an organization that show a report: those that the actor may see, and how many there are. */
export type FindUses = (
  actor: Actor,
  report: { readonly organizationId: string; readonly id: string },
  /** `mayLag`: may leave out what was saved while the index can't be written. */
  options?: { readonly mayLag?: boolean },
) => Promise<{ dashboards: { id: string; name: string }[]; dashboardCount: number }>;

/** Has what shows a report learn its name anew, in the transaction that changes, deletes or restores it. */
export type Renamed = (
  transaction: Transaction,
  report: { readonly organizationId: string; readonly id: string },
) => Promise<void>;

/** Returns the names of those reports of an organization that are among `ids`, without those in the trash. */
export const findReportNames = (
  reader: Reader,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> => selectReportNames(reader, organizationId, ids);

/** Returns the dashboards that show a report. Any member of its organization. */
export const listReportUses = async (
  { database, findUses }: { database: Reader; findUses: FindUses },
  actor: Actor,
  id: string,
): ReturnType<FindUses> => findUses(actor, await requireReport(database, actor, id), { mayLag: true });

/** Puts a report into the trash. Editor or higher. Throws `report_in_use` when dashboards show it, unless it is forced. */
export async function deleteReport(
  {
    database,
    clock,
    findUses,
    renamed,
  }: { database: Database; clock: Clock; findUses: FindUses; renamed: Renamed },
  actor: Actor,
  input: { id: string; expected: ExpectedVersion; isForced: boolean },
): Promise<void> {
  const { id, expected, isForced } = input;
  if (!isForced) {
    const uses = await findUses(actor, await requireReport(database, actor, id, 'report.edit'));
    if (uses.dashboardCount > 0) {
      throw new AtriumError(
        'report_in_use',
        `${uses.dashboardCount === 1 ? 'A dashboard shows' : `${uses.dashboardCount} dashboards show`} this report.`,
        { extension: uses },
      );
    }
  }
  await database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id);
    requireExpected(expected, report.version);
    await markReportDeleted(transaction, id, { at: timestamp(clock()), userId: actor.userId });
    await renamed(transaction, report);
    await recordReportChange(transaction, clock, actor, 'report.deleted', report);
  });
}

/** Writes what was done to a report as a whole into the audit log; without an actor the server did it. */
export async function recordReportChange(
  transaction: Transaction,
  clock: Clock,
  actor: Actor | undefined,
  action: Extract<AuditAction, `report.${string}`>,
  report: {
    readonly id: string;
    readonly organizationId: string;
    readonly content: { readonly name: string };
  },
): Promise<void> {
  await recordAudit(transaction, clock, {
    organizationId: report.organizationId,
    action,
    ...(actor && { actor }),
    details: { reportId: report.id, name: report.content.name },
  });
}

/**
 * Returns the name of a report that is in the trash or was deleted for good, to whoever is a member of its organization; or
 * undefined.
 */
export async function findDeletedReportName(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<string | undefined> {
  const deleted = await findDeletedReport(reader, id);
  if (deleted === undefined) return undefined;
  try {
    await requirePermission(reader, actor, deleted.organizationId, 'report.view');
    return deleted.name;
  } catch (error) {
    if (error instanceof AtriumError) return undefined;
    throw error;
  }
}
