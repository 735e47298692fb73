import { queryOptions } from '@tanstack/react-query';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ReportEdit } from '#contract/reports/reports.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { readLine } from '../../dashboards/results/report-line.ts';
import { withDefaults } from './report-content.ts';

const previewOf = (
  orgId: string,
  { dataSourceId, query, parameters, visualization }: ReportEdit,
  signal: AbortSignal,
): Promise<ReportResult> =>
  call('POST /api/reports/preview', {
    body: {
      organizationId: orgId,
      dataSourceId,
      query,
      ...(parameters && { parameters }),
      ...(visualization && { visualization }),
    },
    signal,
  });

/** The result of a proposed report, which is run with your permissions. */
export const previewQuery = (orgId: string, report: ReportEdit) =>
  queryOptions({
    queryKey: ['proposals', orgId, 'preview', report],
    queryFn: ({ signal }) => previewOf(orgId, report, signal),
    staleTime: 60_000,
    retry: false,
  });

/** The result of a report that a proposed dashboard shows; of the open proposal for it if it doesn't exist yet. */
export const lineQuery = (orgId: string, reportId: string) =>
  queryOptions({
    queryKey: ['proposals', orgId, 'line', reportId],
    queryFn: async ({ signal }) => {
      const line = await readLine(reportId, signal);
      if (line.problem?.code !== 'not_found') return line;
      return (await findProposedLine(orgId, reportId, signal)) ?? line;
    },
    staleTime: 60_000,
    retry: false,
  });

async function findProposedLine(
  orgId: string,
  reportId: string,
  signal: AbortSignal,
): Promise<WidgetResult | undefined> {
  const params = { orgId };
  const query = { 'record-id': reportId, limit: '1' };
  const { items } = await call('GET /api/organizations/{orgId}/proposals', { params, query, signal });
  const [found] = items;
  if (found === undefined) return undefined;
  const { report } = await call('GET /api/organizations/{orgId}/proposals/{proposalId}', {
    params: { orgId, proposalId: found.id },
    signal,
  });
  if (report === undefined) return undefined;
  const { name, visualization } = withDefaults(report);
  const line = { widgetIds: [], reportId, reportName: name, visualization };
  try {
    return { ...line, result: await previewOf(orgId, report, signal) };
  } catch (error) {
    if (error instanceof ApiProblem) return { ...line, problem: error.problem };
    throw error;
  }
}
