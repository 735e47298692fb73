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
  /** Saves the report, unless something is missing; while a chart is pending, once it is there. */
  save(): void;
  /** Says whether the chart will be one that suits a result that isn't there yet. */
  setChartPending(isPending: boolean): void;
  /** The error of the last save; null if there is none. */
  readonly saveError: Error | null;
}
