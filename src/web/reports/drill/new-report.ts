import type { Report } from '#contract/reports/reports.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { findDraft, storeDraft, type DraftKey } from '../../drafts/storage.ts';
import { withStructure } from '../builder/content.ts';
import { emptyContent, recordIdOf, reportDrafts } from '../edit/content.ts';

const placeOf = (report: Pick<Report, 'organizationId'>, userId: string): DraftKey => ({
  userId,
  recordId: recordIdOf({ organizationId: report.organizationId }),
});

/** Returns why no query can be opened as a new report; undefined if one can. */
export const reasonAgainstNewReport = (
  report: Pick<Report, 'organizationId'>,
  userId: string,
): string | undefined =>
  findDraft(localStorage, reportDrafts, placeOf(report, userId)) === undefined
    ? undefined
    : 'You have a new report that isn’t saved yet. Save or discard it first.';

/** Stores a query as the draft of a new report, which the editor then continues. */
export function storeNewReport(
  report: Pick<Report, 'organizationId' | 'dataSourceId'>,
  userId: string,
  structure: QueryStructure,
  dialect: DialectName,
): void {
  const blank = emptyContent(report.dataSourceId);
  storeDraft(localStorage, reportDrafts, placeOf(report, userId), {
    storedAt: new Date().toISOString(),
    base: { etag: '', content: blank },
    present: withStructure(blank, structure, dialect),
  });
}
