import type { Report } from '#contract/reports/reports.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { findDraft, storeDraft, type DraftKey } from '../../drafts/storage.ts';
import { withStructure } from '../builder/content.ts';
import { emptyContent, recordIdOf, reportDrafts } from '../edit/content.ts';

/** A built query that becomes a new report. */
export interface NewReport {
  /** Where it belongs; with the `id` of the report that it comes from, if it is made from one. */
  readonly report: Pick<Report, 'organizationId' | 'dataSourceId'> & Partial<Pick<Report, 'id'>>;
  readonly structure: QueryStructure;
  readonly dialect: DialectName;
}

const placeOf = ({ report: { organizationId } }: NewReport, userId: string): DraftKey => ({
  userId,
  recordId: recordIdOf({ organizationId }),
});

/** Whether another new report isn't saved yet. */
export const hasNewReport = (report: NewReport, userId: string): boolean =>
  findDraft(localStorage, reportDrafts, placeOf(report, userId)) !== undefined;

/** Stores a query as the draft of a new report, which the editor then continues. */
export function storeNewReport(report: NewReport, userId: string): void {
  const blank = emptyContent(report.report.dataSourceId);
  storeDraft(localStorage, reportDrafts, placeOf(report, userId), {
    storedAt: new Date().toISOString(),
    base: { etag: '', content: blank },
    present: withStructure(blank, report.structure, report.dialect),
  });
}
