import type { ReportSummary } from '#contract/reports/reports.ts';
import { invalidFaults } from '../base/errors.ts';
import { holdDataSource } from '../data-sources/names.ts';
import { isSameJson } from '../records/fields.ts';
import { recordKind, type ChangedContent, type RecordKind } from '../records/kind.ts';
import type { RecordHead } from '../records/record.ts';
import type { Transaction } from '../storage/database.ts';
import { findBuiltQueryFaults, isSameBuiltQuery } from './built-query.ts';
import { describeReportChanges } from './changes.ts';
import { findContentFaults, noDataSource, reportFields, type ReportContent } from './content.ts';
import { insertTombstone } from './names.ts';
import { reportRows, toSummary, type StoredReport } from './store.ts';

export type ReportKind = RecordKind<ReportContent, StoredReport, ReportSummary>;

/** How reports are stored and found, without what depends on other features. */
export const storedReports = {
  ...reportRows,
  name: 'report',
  // Sound because every report belongs to an organization.
  build: (head: RecordHead, content: ReportContent): StoredReport => ({
    ...head,
    organizationId: head.organizationId as string,
    name: content.name,
    content,
  }),
} as const;

/** Returns reports as a kind of record; `onChange` updates what shows a report by its name. */
export const reportKind = (onChange: ReportKind['onChange']): ReportKind =>
  recordKind<ReportContent, StoredReport, ReportSummary>({
    ...storedReports,
    content: reportFields,
    contentOf: ({ content }) => content,
    describeChanges: describeReportChanges,
    // Sound because every report has an organization and a data source.
    toSummary: ({ organizationId, dataSourceId, ...row }) =>
      toSummary({ ...row, organizationId: organizationId as string, dataSourceId: dataSourceId as string }),
    requireValid: (transaction, { organizationId }, change) =>
      requireValidContent(transaction, organizationId, change),
    onChange,
    onPurge: insertTombstone,
  });

/** What may only be changed by people who may query the data source. */
const queriedFields = ['dataSourceId', 'query', 'structure', 'parameters', 'drill'] as const;

/**
 * Throws `invalid_body` with every fault of a report. Its data source can't be deleted until the transaction ends, and the member
 * must be allowed to query it unless the query stays as it is. A built query that is the same in `known` isn't checked again: a
 * later version of Atrium may generate other SQL.
 */
export async function requireValidContent(
  transaction: Transaction,
  organizationId: string,
  { content, before, known, userId }: ContentChange,
): Promise<void> {
  const source = await holdDataSource(transaction, { organizationId, id: content.dataSourceId, userId });
  const faults = findContentFaults(content);
  const isQueryKept =
    before !== undefined && queriedFields.every((field) => isSameJson(before[field], content[field]));
  if (source === undefined || (!source.mayUse && !isQueryKept)) faults.unshift(noDataSource);
  else if (known === undefined || !isSameBuiltQuery(content, known))
    faults.push(...(await findBuiltQueryFaults(content, source.kind)));
  if (faults.length > 0) throw invalidFaults(faults);
}

/** A content that a member stores: instead of `before`, unless the report is new. */
type ContentChange = Omit<ChangedContent<ReportContent>, 'before' | 'known'> &
  Partial<Pick<ChangedContent<ReportContent>, 'before' | 'known'>>;
