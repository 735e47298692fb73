import { setImmediate } from 'node:timers/promises';
import type { AtriumDocument } from '#contract/documents.ts';
import type { Actor } from '../../base/actor.ts';
import { requirePermission } from '../../organizations/authorization.ts';
import { findReportIds, mayBeReportId } from '../../reports/documents/documents.ts';
import { readReportDocuments } from '../../reports/documents/export.ts';
import type { Reader } from '../../storage/database.ts';
import { documentPlaces, type DocumentPlace } from './store.ts';
import { documentOf } from './documents.ts';
import { contentOf } from '../content/content.ts';
import { findDashboardInOrganization, findReadableDashboard, type StoredDashboard } from '../store.ts';

/**
 * Returns the documents of the dashboards of an organization that the actor may see, and before them those of the reports
 * that these show, both in the order of their ids, each read when it is asked for. Throws `not_found`, and
 * `sso_required`.
 */
export async function exportDashboards(
  reader: Reader,
  actor: Actor,
  organizationId: string,
): Promise<AsyncGenerator<AtriumDocument>> {
  await requirePermission(reader, actor, organizationId, 'organization.view');
  return readDocuments(reader, organizationId, (id) =>
    findReadableDashboard(reader, { id, userId: actor.userId }),
  );
}

/** As `exportDashboards`, of all dashboards, for the operator. */
export const exportEveryDashboard = (
  reader: Reader,
  organizationId: string,
): AsyncGenerator<AtriumDocument> =>
  readDocuments(reader, organizationId, (id) =>
    findDashboardInOrganization(reader, { organizationId, id, place: 'in use' }),
  );

/** What is deleted or taken away meanwhile is left out. */
async function* readDocuments(
  reader: Reader,
  organizationId: string,
  find: FindDashboard,
): AsyncGenerator<AtriumDocument> {
  const reportIds = await findReportIds(reader, organizationId);
  const shown = await findShown(reader, organizationId, find);
  yield* readReportDocuments(reader, organizationId, shown, reportIds);
  for await (const { documentId, dashboard } of readDashboards(reader, organizationId, find)) {
    yield documentOf(documentId, contentOf(dashboard), reportIds);
  }
}

type FindDashboard = (id: string) => Promise<StoredDashboard | undefined>;

const chunkLength = 64 * 1024;

/** The reports come before the dashboards, which are read twice rather than all held in memory. */
async function findShown(
  reader: Reader,
  organizationId: string,
  find: FindDashboard,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  let length = 0;
  for await (const { dashboard } of readDashboards(reader, organizationId, find)) {
    for (const { reportId } of contentOf(dashboard).widgets) if (mayBeReportId(reportId)) shown.add(reportId);
    length += dashboard.widgetsJson.length;
    if (length < chunkLength) continue;
    length = 0;
    await setImmediate();
  }
  return shown;
}

async function* readDashboards(
  reader: Reader,
  organizationId: string,
  find: FindDashboard,
): AsyncGenerator<{ documentId: string; dashboard: StoredDashboard }> {
  const [own, imported] = documentPlaces.map((list) => readPlaces(reader, organizationId, list));
  if (own === undefined || imported === undefined) throw new Error('There are two lists.');
  for await (const { id, documentId } of mergeByDocument(own, imported)) {
    const dashboard = await find(id);
    if (dashboard !== undefined) yield { documentId, dashboard };
  }
}

const pageSize = 100;

async function* readPlaces(
  reader: Reader,
  organizationId: string,
  list: (typeof documentPlaces)[number],
): AsyncGenerator<DocumentPlace> {
  for (let after = ''; ;) {
    const places = await list(reader, { organizationId, after, limit: pageSize });
    yield* places;
    const last = places.at(-1);
    if (last === undefined || places.length < pageSize) return;
    after = last.documentId;
    // The embedded database never waits, and a reader may see few of many: others have their turn.
    await setImmediate();
  }
}

/** Merges two lists that are in order into one that is. */
async function* mergeByDocument(
  one: AsyncGenerator<DocumentPlace>,
  other: AsyncGenerator<DocumentPlace>,
): AsyncGenerator<DocumentPlace> {
  let [first, second] = [await one.next(), await other.next()];
  while (first.done !== true || second.done !== true) {
    if (second.done === true || (first.done !== true && first.value.documentId < second.value.documentId)) {
      yield first.value as DocumentPlace;
      first = await one.next();
    } else {
      yield second.value;
      second = await other.next();
    }
  }
}
