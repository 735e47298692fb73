import type { ContentChange } from '#contract/records/history.ts';

/** Returns the description of a change with the names of reports; the server names them by ID. */
export function withReportNames(
  { summary }: Pick<ContentChange, 'summary'>,
  nameOfReport: (reportId: string) => string,
): string {
  return summary.replaceAll(
    /report “([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})”/g,
    (_, id: string) => `report “${nameOfReport(id)}”`,
  );
}
