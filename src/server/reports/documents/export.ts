import type { ReportDocument } from '#contract/records/documents.ts';
import { findDataSourceName } from '../../data-sources/names.ts';
import type { LimitKey } from '../../base/tenant.ts';
import { nextTurn } from '../../base/turns.ts';
import type { Reader } from '../../storage/database.ts';
import { reportRows, type ReadableReport } from '../store.ts';
import { documentOfReport, type ReportIds } from './documents.ts';

type FindReport = (id: string) => Promise<ReadableReport | undefined>;

/** Returns a function that finds the reports of an organization: those that a user may see, or all without a user. */
export const findReportsOf =
  (reader: Reader, organizationId: string, userId: string | undefined): FindReport =>
  (id) =>
    userId === undefined
      ? reportRows.findInOrganization(reader, { organizationId, id })
      : reportRows.findReadable(reader, { id, userId });

/**
 * Yields the documents of the reports of an organization with these IDs, in the order of the documents' IDs. Leaves out those
 * that `find` doesn't return, and reports whose data source no longer exists or isn't visible to the user.
 */
export async function* readReportDocuments(
  reader: Reader,
  organizationId: string,
  ids: Iterable<string>,
  {
    toDocumentId,
    find,
    userId,
    key,
  }: Pick<ReportIds, 'toDocumentId'> & {
    readonly find: FindReport;
    readonly userId: string | undefined;
    /** Whose turns of the event loop it takes. */
    readonly key: LimitKey;
  },
): AsyncGenerator<ReportDocument> {
  const places = [...ids].map((id) => ({ id, documentId: toDocumentId(id) }));
  places.sort((one, other) => (one.documentId < other.documentId ? -1 : 1));
  for (const [index, { id, documentId }] of places.entries()) {
    // The embedded database never waits, and widgets may refer to many deleted reports, so let other work run in between.
    if (index % 100 === 99) await nextTurn(key);
    const report = await find(id);
    if (report?.organizationId !== organizationId) continue;
    const source = await findDataSourceName(reader, organizationId, report.content.dataSourceId, userId);
    if (source !== undefined) yield documentOfReport(documentId, report.content, source, report.isHidden);
  }
}
