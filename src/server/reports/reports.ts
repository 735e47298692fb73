import type { ReportEdit, ReportInput, ReportSummary } from '#contract/reports/reports.ts';
import { mayOn } from '#shared/permissions.ts';
import { requireVisibleFolder } from '../access/folders-around.ts';
import type { Actor } from '../base/actor.ts';
import { timestamp, type Clock } from '../base/clock.ts';
import { AtriumError } from '../base/errors.ts';
import { toPage, type Page, type PageRequest } from '../base/paging.ts';
import { requirePermission } from '../organizations/authorization.ts';
import { requireFolderForNew } from '../folders/creation.ts';
import { standingOf } from '../records/access.ts';
import { createRecord } from '../records/create.ts';
import type { NewPlace } from '../records/record.ts';
import type { Reader, Transaction } from '../storage/database.ts';
import { requireReport } from './access.ts';
import { toContent } from './content.ts';
import { requireValidContent, storedReports } from './kind.ts';
import { selectReports, type StoredReport } from './store.ts';

/** Creates a report. Requires the editor role or higher. Throws `invalid_body` with every fault. */
export async function addReport(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  input: ReportInput,
  /** `id`: the ID that it gets, if one was chosen before. */
  { id, ...place }: NewPlace & { readonly id?: string } = {},
): Promise<StoredReport> {
  const { organizationId } = input;
  await requirePermission(transaction, actor, organizationId, 'report.create');
  const content = toContent(input);
  const { userId } = actor;
  await requireValidContent(transaction, organizationId, { content, userId });
  const at = timestamp(clock());
  return createRecord(transaction, storedReports, {
    ...(id !== undefined && { id }),
    userId,
    organizationId,
    place,
    at,
    change: 'created',
    content,
  });
}

/**
 * Creates a report in a folder, with the access of the folder from the first moment. Requires permission to edit the folder, and the
 * editor role or higher. Throws `not_found` for a folder that the actor may not see.
 */
export async function addReportInFolder(
  transaction: Transaction,
  clock: Clock,
  actor: Actor,
  folderId: string,
  input: ReportEdit,
): Promise<StoredReport> {
  const { organizationId } = await requireFolderForNew(transaction, actor, folderId, 'report.create');
  return addReport(transaction, clock, actor, { ...input, organizationId }, { folderId });
}

/** Lists the reports of an organization that the actor may see, newest first. Requires membership. */
export async function listReports(
  reader: Reader,
  actor: Actor,
  filter: { organizationId: string; dataSourceId?: string; folderId?: string; q?: string },
  page: PageRequest,
): Promise<Page<ReportSummary>> {
  await requirePermission(reader, actor, filter.organizationId, 'organization.view');
  await requireVisibleFolder(reader, { folderId: undefined, ...filter, userId: actor.userId });
  return toPage(await selectReports(reader, { ...filter, userId: actor.userId }, page), ({ id }) => id);
}

/**
 * Returns the dashboards of an organization that show a report and that the actor may see, and how many there are: in all with
 * `countsAll`, otherwise of those.
 */
export type FindUses = (
  actor: Actor,
  report: { readonly organizationId: string; readonly id: string },
  /** With `mayLag`, what was saved while the index can't be written may be missing. */
  options: { readonly mayLag?: boolean; readonly countsAll: boolean },
) => Promise<{ dashboards: { id: string; name: string }[]; dashboardCount: number }>;

/** Returns the dashboards that show a report that the actor may see. People who may edit the report get the count of all. */
export async function listReportUses(
  { database, findUses }: { database: Reader; findUses: FindUses },
  actor: Actor,
  id: string,
): ReturnType<FindUses> {
  const report = await requireReport(database, actor, id);
  const countsAll = mayOn(standingOf(report, actor.userId), 'report.edit');
  return findUses(actor, report, { mayLag: true, countsAll });
}

/** Throws `report_in_use` if dashboards show the report. Requires permission to edit it. */
export async function requireUnused(
  { database, findUses }: { readonly database: Reader; readonly findUses: FindUses },
  actor: Actor,
  id: string,
): Promise<void> {
  const uses = await findUses(actor, await requireReport(database, actor, id, 'edit'), { countsAll: true });
  if (uses.dashboardCount === 0) return;
  throw new AtriumError(
    'report_in_use',
    `${uses.dashboardCount === 1 ? 'A dashboard shows' : `${uses.dashboardCount} dashboards show`} this report.`,
    { extension: uses },
  );
}
