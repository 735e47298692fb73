import type { ReportContent, ReportDraft } from './content.ts';

/** A report that is being edited, for the panes in which people edit its query. */
export interface EditedReport {
  readonly organizationId: string;
  /** Undefined for a new report. */
  readonly reportId: string | undefined;
  readonly saved: ReportContent;
  readonly content: ReportContent;
  readonly draft: ReportDraft;
  /** Consecutive changes with the same `group` are one step to undo. */
  change(part: Partial<ReportContent>, group?: string): void;
  /** Saves the report, unless something is missing. */
  save(): void;
  /** The error of the last save; null if there is none. */
  readonly saveError: Error | null;
}
