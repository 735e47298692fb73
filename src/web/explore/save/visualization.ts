import type { ReportInput } from '#contract/reports/reports.ts';
import type { Axis } from '#shared/explore/axes.ts';
import { rowsName } from './table-report.ts';

/** Returns how a saved report is shown: as a table, or as the chart that it was saved from. */
export const visualizationOf = (chart: Axis | undefined): NonNullable<ReportInput['visualization']> =>
  chart === undefined
    ? { kind: 'table' }
    : { kind: 'bar', x: chart.column, series: [{ field: rowsName(chart.column) }] };
