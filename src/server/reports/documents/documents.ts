import { reportFormat, type ReportDocument } from '#contract/documents.ts';
import { uuidPattern } from '#contract/values.ts';
import type { DataSourceName } from '../../data-sources/names.ts';
import type { Reader } from '../../storage/database.ts';
import { toContent, type ReportContent } from '../content.ts';
import { selectReportOrigins } from '../store.ts';

/** What the reports of an organization are called in documents. An id of no report stays as it is. */
export interface ReportIds {
  /** Returns the id that a report has in documents. */
  readonly toDocumentId: (reportId: string) => string;
  /** Returns the id that the report of a document has here. */
  readonly toReportId: (documentId: string) => string;
}

/** Returns what reports are called in documents: those that were imported as they were where they came from. */
export async function findReportIds(reader: Reader, organizationId: string): Promise<ReportIds> {
  return reportIdsOf(await selectReportOrigins(reader, organizationId));
}

/** Returns `ids` with more of them, which go before. */
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

/** Whether a report may have this id: widgets may name any text. */
export const mayBeReportId = (text: string): boolean => uuid.test(text);

/** Returns the document of a report, its members always in one order. */
export function documentOfReport(
  id: string,
  content: ReportContent,
  { name, kind }: DataSourceName,
): ReportDocument {
  const { description, query, parameters, visualization, cacheSeconds } = content;
  return {
    format: reportFormat,
    id,
    name: content.name,
    ...(description !== undefined && { description }),
    dataSource: { name, kind },
    query,
    parameters,
    visualization,
    cacheSeconds,
  };
}

/** Returns the content that a document has over a data source. */
export const contentOfReportDocument = (document: ReportDocument, dataSourceId: string): ReportContent =>
  toContent({ ...document, dataSourceId });
