import type { DeletedReport } from '#contract/reports/reports.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { purgeOld, purgeTime } from '../records/trash.ts';
import { requireRole } from '../organizations/members.ts';
import type { Database, Reader } from '../storage/database.ts';
import { requireOwnReport, requireReportToChange } from './access.ts';
import {
  buryReport,
  lockOldReports,
  markReportDeleted,
  selectDeletedReports,
  type StoredReport,
} from './store.ts';
import { recordReportChange, type Renamed } from './reports.ts';

/** Lists the reports in an organization's bin, newest first. Editor or higher. */
export async function listDeletedReports(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  page: PageRequest,
): Promise<Page<DeletedReport>> {
  await requireRole(reader, actor, organizationId, 'editor');
  const rows = await selectDeletedReports(reader, organizationId, page);
  return toPage(
    rows.map((row) => ({ ...row, purgeAt: purgeTime(row.deletedAt) })),
    page,
    ({ id }) => id,
  );
}

/** Takes a report out of the bin, with its versions. Editor or higher. Throws `not_found`. */
export function restoreDeletedReport(
  { database, clock, renamed }: { database: Database; clock: Clock; renamed: Renamed },
  actor: Actor,
  id: string,
): Promise<StoredReport> {
  return database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id, 'in the bin');
    await markReportDeleted(transaction, id, undefined);
    await renamed(transaction, report);
    await recordReportChange(transaction, clock, actor, 'report.restored', report);
    return report;
  });
}

/** Removes a report in the bin for good; widgets still tell its name. Its owner, and admins. */
export async function purgeReport(database: Database, clock: Clock, actor: Actor, id: string): Promise<void> {
  await database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id, 'in the bin');
    requireOwnReport(report, actor);
    await buryReport(transaction, { id, organizationId: report.organizationId, name: report.content.name });
    await recordReportChange(transaction, clock, actor, 'report.purged', report);
  });
}

/** Removes for good the reports that have been in the bin for 30 days. */
export const purgeOldReports = (
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> =>
  purgeOld(database, clock, stopped, {
    lockOld: lockOldReports,
    async remove(transaction, { id, organizationId, name }) {
      await buryReport(transaction, { id, organizationId, name });
      const report = { id, organizationId, content: { name } };
      await recordReportChange(transaction, clock, undefined, 'report.purged', report);
    },
  });
