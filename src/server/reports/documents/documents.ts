import { reportFormat, type ReportDocument } from '#contract/records/documents.ts';
import { uuidPattern } from '#contract/values.ts';
import type { DataSourceName } from '../../data-sources/names.ts';
import type { Reader } from '../../storage/database.ts';
import { prepare } from '../../storage/prepared-query.ts';
import { toContent, type ReportContent } from '../content.ts';

/** Translates between the IDs of reports here and in documents. An ID that isn't a report's is returned unchanged. */
export interface ReportIds {
  /** Returns the ID of a report in documents. */
  readonly toDocumentId: (reportId: string) => string;
  /** Returns the ID here of the report with this ID in documents. */
  readonly toReportId: (documentId: string) => string;
}

const origins = prepare((db, p: { organizationId: string }) =>
  db
    .selectFrom('reports')
    .select((where) => ['id', where.ref('origin_id').$notNull().as('documentId')])
    .where('organization_id', '=', p.organizationId)
    .where('origin_id', 'is not', null),
);

const reportIds = prepare((db, p: { organizationId: string }) =>
  db.selectFrom('reports').select('id').where('organization_id', '=', p.organizationId),
);

/** Returns the IDs of an organization's reports, including those in the trash. */
export async function listReportIds(reader: Reader, organizationId: string): Promise<string[]> {
  return (await reader.all(reportIds, { organizationId })).map(({ id }) => id);
}

/** Returns the IDs of an organization's reports in documents: imported reports, including those in the trash, keep their ID. */
export async function findReportIds(reader: Reader, organizationId: string): Promise<ReportIds> {
  return reportIdsOf(await reader.all(origins, { organizationId }));
}

/** Returns `ids` with additional pairs, which take precedence. */
export function withReportIds(
  ids: ReportIds,
  more: readonly { readonly id: string; readonly documentId: string }[],
): ReportIds {
  const { toDocumentId, toReportId } = reportIdsOf(more);
  return {
    toDocumentId: (id) => ids.toDocumentId(toDocumentId(id)),
    toReportId: (id) => ids.toReportId(toReportId(id)),
  };
}

function reportIdsOf(pairs: readonly { readonly id: string; readonly documentId: string }[]): ReportIds {
  const documentIds = new Map(pairs.map(({ id, documentId }) => [id, documentId]));
  const reportIds = new Map(pairs.map(({ id, documentId }) => [documentId, id]));
  return {
    toDocumentId: (id) => documentIds.get(id) ?? id,
    toReportId: (id) => reportIds.get(id) ?? id,
  };
}

const uuid = new RegExp(uuidPattern);

/** Whether this could be the ID of a report; the report ID of a widget may be any text. */
export const mayBeReportId = (text: string): boolean => uuid.test(text);

/** Returns the document of a report, with its members always in the same order. */
export function documentOfReport(
  id: string,
  content: ReportContent,
  { name, kind }: DataSourceName,
  isRestricted: boolean,
): ReportDocument {
  const { description, query, structure, parameters, visualization, cacheSeconds, drill } = content;
  return {
    format: reportFormat,
    id,
    name: content.name,
    ...(isRestricted && { restricted: true }),
    ...(description !== undefined && { description }),
    dataSource: { name, kind },
    query,
    ...(structure !== undefined && { structure }),
    parameters,
    visualization,
    cacheSeconds,
    ...(drill !== undefined && { drill }),
  };
}

/** Returns the content of a document, with the ID of its data source here. */
export const contentOfReportDocument = (document: ReportDocument, dataSourceId: string): ReportContent =>
  toContent({ ...document, dataSourceId });
