import type { ReportSummary } from '#contract/reports/reports.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { parseJson } from '../base/json.ts';
import { purgeOld, trashList, type ListTrash } from '../records/trash.ts';
import type { Database } from '../storage/database.ts';
import { requireOwnReport, requireReportToChange } from './access.ts';
import type { ReportContent } from './content.ts';
import {
  mayEditReport,
  lockOldReports,
  markReportDeleted,
  purgeReportRow,
  toSummary,
  type StoredReport,
} from './store.ts';
import { recordReportChange, type Renamed } from './reports.ts';

export const listDeletedReports: ListTrash<ReportSummary> = trashList(
  { table: 'reports', details: 'content', mayEdit: mayEditReport },
  ({ id, organizationId, userId, createdAt, updatedAt, details }) =>
    toSummary({
      id,
      organizationId: organizationId ?? '',
      userId,
      createdAt,
      updatedAt,
      // Sound because the column holds only what was stored as the content of a report.
      content: parseJson(details ?? '{}') as ReportContent,
    }),
);

/** Restores a report from the trash, with its versions. Editor or higher. Throws `not_found`. */
export function restoreDeletedReport(
  { database, clock, renamed }: { database: Database; clock: Clock; renamed: Renamed },
  actor: Actor,
  id: string,
): Promise<StoredReport> {
  return database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id, 'in the trash');
    await markReportDeleted(transaction, id, undefined);
    await renamed(transaction, report);
    await recordReportChange(transaction, clock, actor, 'report.restored', report);
    return report;
  });
}

/** Deletes a report in the trash permanently; widgets still show its name. Its owner, and admins. */
export async function purgeReport(database: Database, clock: Clock, actor: Actor, id: string): Promise<void> {
  await database.write(async (transaction) => {
    const report = await requireReportToChange(transaction, actor, id, 'in the trash');
    requireOwnReport(report, actor);
    await purgeReportRow(transaction, {
      id,
      organizationId: report.organizationId,
      name: report.content.name,
    });
    await recordReportChange(transaction, clock, actor, 'report.purged', report);
  });
}

/** Deletes permanently the reports that have been in the trash for 30 days. */
export const purgeOldReports = (
  database: Database,
  clock: Clock,
  stopped: Pick<AbortSignal, 'aborted'>,
): Promise<void> =>
  purgeOld(database, clock, stopped, {
    lockOld: lockOldReports,
    async remove(transaction, { id, organizationId, name }) {
      await purgeReportRow(transaction, { id, organizationId, name });
      const report = { id, organizationId, content: { name } };
      await recordReportChange(transaction, clock, undefined, 'report.purged', report);
    },
  });
