import type { WidgetInput } from '#contract/dashboards/dashboards.ts';
import type { ReportEdit } from '#contract/reports/reports.ts';

/** A report of the sample, and its position on the dashboard. */
export interface SampleReport {
  readonly report: Omit<ReportEdit, 'dataSourceId'>;
  readonly layout: NonNullable<WidgetInput['layout']>;
}
