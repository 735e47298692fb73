import type { Report, ReportEdit } from '#contract/reports/reports.ts';

/** A proposed report as the editor of reports and the charts expect it; the server has filled in all defaults. */
export type ShownReport = Omit<ReportEdit, 'parameters' | 'visualization' | 'cacheSeconds'> &
  Pick<Report, 'parameters' | 'visualization' | 'cacheSeconds'>;

/** Returns a proposed report with its defaults. */
export const withDefaults = ({
  parameters = [],
  visualization = { kind: 'table' },
  cacheSeconds = 60,
  ...report
}: ReportEdit): ShownReport => ({ ...report, parameters, visualization, cacheSeconds });
