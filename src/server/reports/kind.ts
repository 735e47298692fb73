import type { ReportSummary } from '#contract/reports/reports.ts';
import { invalidFaults } from '../base/errors.ts';
import { holdDataSource } from '../data-sources/names.ts';
import { recordKind, type RecordKind } from '../records/kind.ts';
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
    details: 'content',
    content: reportFields,
    contentOf: ({ content }) => content,
    describeChanges: describeReportChanges,
    // Sound because every report has an organization and a content.
    toSummary: ({ details, organizationId, ...row }) =>
      toSummary({ ...row, organizationId: organizationId as string, content: details as string }),
    requireValid: (transaction, { organizationId }, content, stored) =>
      requireValidContent(transaction, organizationId, content, stored),
    onChange,
    onPurge: insertTombstone,
  });

/**
 * Throws `invalid_body` with every fault of a report. Its data source can't be deleted until the transaction ends. A built query
 * that is the same in `stored` isn't checked again: a later version of Atrium may generate other SQL.
 */
export async function requireValidContent(
  transaction: Transaction,
  organizationId: string,
  content: ReportContent,
  stored?: ReportContent,
): Promise<void> {
  const kind = await holdDataSource(transaction, organizationId, content.dataSourceId);
  const faults = findContentFaults(content);
  if (kind === undefined) faults.unshift(noDataSource);
  else if (stored === undefined || !isSameBuiltQuery(content, stored))
    faults.push(...findBuiltQueryFaults(content, kind));
  if (faults.length > 0) throw invalidFaults(faults);
}
