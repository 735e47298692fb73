import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useMemo } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { contentOf } from '#shared/content-widgets/content-widgets.ts';
import { isBuiltIn } from '#shared/dashboard-filters/definitions.ts';
import { structureOf, widgetsInOrder } from '#shared/sections/structure.ts';
import type { DraftBase } from '../../drafts/storage.ts';
import type { Search } from '../../ui/browser/search.ts';
import { referencesIn } from '#shared/content-widgets/references-in.ts';
import type { DraftContent, DraftWidget } from './draft/content.ts';
import { readLine } from '../results/report-line.ts';
import { useDashboardResults } from '../results/use-dashboard-results.ts';

/** The results of the reports in an edit. */
export interface EditorResults {
  /** Returns what a widget shows; undefined while it is loading. */
  readonly lineOf: (widget: ShownWidget) => WidgetResult | undefined;
  /** Whether reports without a line are still loading. */
  readonly isLoading: boolean;
  readonly retry: () => void;
}

type ShownWidget = Pick<DraftWidget, 'id' | 'reportId'>;

const lineKey = ['reports', 'lines'];

/** Returns the results of the saved dashboard in one stream, and those of each added report separately. */
export function useEditorResults({
  dashboardId,
  base,
  present,
  filters,
  openTab,
}: {
  readonly dashboardId: string;
  readonly base: DraftBase<DraftContent>;
  readonly present: DraftContent;
  readonly filters: Search;
  /** The key of the tab whose results are loaded; undefined for all tabs. */
  readonly openTab: string | undefined;
}): EditorResults {
  const client = useQueryClient();
  const widgetIds = useMemo(
    () => base.content.widgets.flatMap(({ id, reportId }) => (isBuiltIn(reportId) ? [] : (id ?? []))),
    [base.content.widgets],
  );
  const request = { dashboardId, version: base.etag, filters, widgetIds };
  const { results, want, refresh } = useDashboardResults(request);
  const isShown = useMemo(() => shownIn(present.widgets, openTab), [present.widgets, openTab]);
  useLayoutEffect(
    () =>
      want(
        'saved',
        widgetIds.filter(isShown).map((id) => ({ slot: id, widgetId: id, filters: {} })),
      ),
    [want, widgetIds, isShown],
  );
  const saved = new Set(base.content.widgets.map(({ reportId }) => reportId));
  const shown = new Set(present.widgets.map(({ reportId }) => reportId));
  const added = [...shown].filter((id) => !saved.has(id) && !isBuiltIn(id));
  const more = useQueries({
    queries: added.map((reportId) => ({
      queryKey: [...lineKey, reportId],
      queryFn: ({ signal }: { signal: AbortSignal }) => readLine(reportId, signal),
      staleTime: Infinity,
    })),
    combine,
  });
  const lineOf = useMemo(() => {
    const ofReports = new Map([
      ...[...results.lines.values()].map(({ line }) => [line.reportId, line] as const),
      ...more.lines.map((line) => [line.reportId, line] as const),
    ]);
    return ({ id, reportId }: ShownWidget) => {
      const own = id === undefined ? undefined : results.lines.get(id)?.line;
      // A copy of a widget, or one whose report was changed, has no result of its own yet.
      return own?.reportId === reportId ? own : ofReports.get(reportId);
    };
  }, [results.lines, more.lines]);
  const retry = useCallback(() => {
    refresh(false);
    void client.refetchQueries({ queryKey: lineKey, type: 'active' });
  }, [refresh, client]);
  return { lineOf, isLoading: results.loading.size > 0 || more.isLoading, retry };
}

/** Returns whether a saved widget, by its ID, needs its result: above the tabs, in the open tab, or for a value in a text. */
function shownIn(widgets: readonly DraftWidget[], openTab: string | undefined): (id: string) => boolean {
  if (openTab === undefined || widgets.some((widget) => referencesIn(contentOf(widget)).length > 0))
    return () => true;
  const structure = structureOf(widgets);
  const tabs = structure.tabs.filter(({ key }) => key === openTab);
  const ids = new Set(widgetsInOrder({ ...structure, tabs }).map(({ id }) => id));
  return (id) => ids.has(id);
}

const combine = (queries: readonly UseQueryResult<WidgetResult>[]) => ({
  lines: queries.flatMap(({ data }) => data ?? []),
  isLoading: queries.some(({ isFetching }) => isFetching),
});
