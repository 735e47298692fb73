import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { ApiProblem, call } from '../../app/api.ts';
import type { DraftBase } from '../../drafts/storage.ts';
import type { DraftContent } from './draft/content.ts';
import { useDashboardResults } from '../results/use-dashboard-results.ts';

/** What is known of the reports of an edit. */
export interface EditorResults {
  /** By the id of a report; none while it waits. */
  readonly lines: ReadonlyMap<string, WidgetResult>;
  /** Whether those that have no line wait for one. */
  readonly isReading: boolean;
  readonly retry: () => void;
}

const noFilters = {};
const lineKey = ['reports', 'lines'];

/** Returns what the reports of a dashboard say, as it was saved, and those that the edit adds each by itself. */
export function useEditorResults(
  dashboardId: string,
  base: DraftBase<DraftContent>,
  present: DraftContent,
): EditorResults {
  const client = useQueryClient();
  const { results, askAgain } = useDashboardResults(dashboardId, base.etag, noFilters, undefined);
  const saved = new Set(base.content.widgets.map(({ reportId }) => reportId));
  const added = [...new Set(present.widgets.map(({ reportId }) => reportId))].filter((id) => !saved.has(id));
  const more = useQueries({
    queries: added.map((reportId) => ({
      queryKey: [...lineKey, reportId],
      queryFn: ({ signal }: { signal: AbortSignal }) => readLine(reportId, signal),
      staleTime: Infinity,
    })),
    combine,
  });
  const lines = useMemo(
    () =>
      new Map([
        ...[...results.lines].map(([reportId, { line }]) => [reportId, line] as const),
        ...more.lines.map((line) => [line.reportId, line] as const),
      ]),
    [results.lines, more.lines],
  );
  const retry = useCallback(() => {
    askAgain(false);
    void client.refetchQueries({ queryKey: lineKey, type: 'active' });
  }, [askAgain, client]);
  return { lines, isReading: results.isReading || more.isReading, retry };
}

const combine = (queries: readonly UseQueryResult<WidgetResult>[]) => ({
  lines: queries.flatMap(({ data }) => data ?? []),
  isReading: queries.some(({ isFetching }) => isFetching),
});

/** A report as the stream of a dashboard tells it. */
async function readLine(reportId: string, signal: AbortSignal): Promise<WidgetResult> {
  const line = { widgetIds: [], reportId };
  const params = { reportId };
  try {
    const [report, result] = await Promise.all([
      call('GET /api/reports/{reportId}', { params, signal }),
      call('POST /api/reports/{reportId}/run', { params, body: {}, signal }),
    ]);
    return { ...line, reportName: report.name, visualization: report.visualization, result };
  } catch (error) {
    if (error instanceof ApiProblem) return { ...line, problem: error.problem };
    throw error;
  }
}
