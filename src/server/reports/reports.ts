import type { ReportInput, ReportSummary } from '#contract/reports/reports.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { createRecord } from '../records/create.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { requireReport } from './access.ts';
import { toContent } from './content.ts';
import { requireSound, storedReports } from './kind.ts';
import { findDeletedReport, selectReportNames, selectReports, type StoredReport } from './store.ts';

/** Creates a report. Editor or higher. Throws `invalid_body` with every fault. */
export async function addReport(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: ReportInput,
): Promise<StoredReport> {
  const { organizationId } = input;
  await requirePermission(transaction, actor, organizationId, 'report.edit');
  const content = toContent(input);
  await requireSound(transaction, organizationId, content);
  const { userId } = actor;
  const at = timestamp(clock());
  return createRecord(transaction, storedReports, { userId, organizationId, at, change: 'created', content });
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

/** Throws `report_in_use` if dashboards show a report that the actor may delete. */
export async function requireUnused(
  { database, findUses }: { readonly database: Reader; readonly findUses: FindUses },
  actor: Actor,
  id: string,
): Promise<void> {
  const uses = await findUses(actor, await requireReport(database, actor, id, 'edit'));
  if (uses.dashboardCount === 0) return;
  throw new AtriumError(
    'report_in_use',
    `${uses.dashboardCount === 1 ? 'A dashboard shows' : `${uses.dashboardCount} dashboards show`} this report.`,
    { extension: uses },
  );
}

/**
 * Returns the name of a report that is in the trash or was deleted permanently, for members of its organization; or
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
