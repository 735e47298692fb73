import type { AtriumDocument } from '#contract/records/documents.ts';
import { reportIdsOf } from '#shared/dashboard-filters/definitions.ts';
import type { Actor } from '../../base/actor.ts';
import { keyOfOrganization, keyOfPerson, type LimitKey } from '../../base/tenant.ts';
import { nextTurn } from '../../base/turns.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { findReportIds, listReportIds, mayBeReportId } from '../../reports/documents/documents.ts';
import { findReportsOf, readReportDocuments } from '../../reports/documents/export.ts';
import type { Reader } from '../../storage/database.ts';
import { selectPlaces } from './store.ts';
import { documentOf } from './documents.ts';
import { contentOf } from '../content/content.ts';
import { dashboardRows, type ReadableDashboard } from '../store.ts';

/**
 * Returns the documents of the dashboards of an organization that the actor may see, preceded by those of the reports that they
 * show and that the actor may see; with `everyReport`, also by those that none shows. Both are sorted by ID, and each is read only
 * when it is requested. Throws `not_found` and `sso_required`.
 */
export async function exportDashboards(
  reader: Reader,
  actor: Actor,
  organizationId: string,
  { everyReport = false } = {},
): Promise<AsyncGenerator<AtriumDocument>> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  return readDocuments(reader, organizationId, actor.userId, everyReport);
}

/** Like `exportDashboards`, with all dashboards, for the operator and for exports of everything. */
export const exportEveryDashboard = (
  reader: Reader,
  organizationId: string,
  { everyReport = false } = {},
): AsyncGenerator<AtriumDocument> => readDocuments(reader, organizationId, undefined, everyReport);

/** Leaves out what is deleted or hidden from the user in the meantime. Without a user, nothing is hidden. */
async function* readDocuments(
  reader: Reader,
  organizationId: string,
  userId: string | undefined,
  everyReport = false,
): AsyncGenerator<AtriumDocument> {
  const find: FindDashboard = (id) =>
    userId === undefined
      ? dashboardRows.findInOrganization(reader, { organizationId, id })
      : dashboardRows.findReadable(reader, { id, userId });
  const key = userId === undefined ? keyOfOrganization(organizationId) : keyOfPerson(userId);
  const reportIds = await findReportIds(reader, organizationId);
  const exported = everyReport
    ? await listReportIds(reader, organizationId)
    : await findShown(reader, organizationId, find, key);
  const findReport = findReportsOf(reader, organizationId, userId);
  yield* readReportDocuments(reader, organizationId, exported, {
    ...reportIds,
    find: findReport,
    userId,
    key,
  });
  for await (const { documentId, dashboard } of readDashboards(reader, organizationId, find, key)) {
    yield documentOf(documentId, contentOf(dashboard), reportIds, dashboard.isHidden);
  }
}

type FindDashboard = (id: string) => Promise<ReadableDashboard | undefined>;

const chunkLength = 64 * 1024;

/** Reports come before the dashboards, which are therefore read twice instead of being held in memory. */
async function findShown(
  reader: Reader,
  organizationId: string,
  find: FindDashboard,
  key: LimitKey,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  let length = 0;
  for await (const { dashboard } of readDashboards(reader, organizationId, find, key)) {
    for (const id of reportIdsOf(contentOf(dashboard).widgets)) if (mayBeReportId(id)) shown.add(id);
    length += dashboard.widgetsJson.length;
    if (length < chunkLength) continue;
    length = 0;
    await nextTurn(key);
  }
  return shown;
}

const pageSize = 100;

async function* readDashboards(
  reader: Reader,
  organizationId: string,
  find: FindDashboard,
  key: LimitKey,
): AsyncGenerator<{ documentId: string; dashboard: ReadableDashboard }> {
  for (let after = ''; ;) {
    const places = await selectPlaces(reader, { organizationId, after, limit: pageSize });
    for (const { id, documentId } of places) {
      const dashboard = await find(id);
      if (dashboard !== undefined) yield { documentId, dashboard };
    }
    const last = places.at(-1);
    if (last === undefined || places.length < pageSize) return;
    after = last.documentId;
    // The embedded database never waits, and a reader may see few of many dashboards, so let other work run in between.
    await nextTurn(key);
  }
}
