import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { callForLines } from '../../app/api.ts';
import {
  createResultsLoader,
  type LoadedResults,
  type ReadResults,
  type ResultsLoader,
  type ResultsRequest,
} from './loader.ts';

export interface DashboardResults extends Pick<ResultsLoader, 'want' | 'refresh'> {
  readonly results: LoadedResults;
}

/**
 * Returns the results of a dashboard that its parts want, requested again when its version or a filter changes, every
 * `everySeconds` while the page is visible, and when `refresh` is called; `isForced` bypasses the server's cache. Until the first
 * results arrive, they are those that the dashboard showed before, such as while it was edited. They are requested with `read`, by
 * default with the session.
 */
export function useDashboardResults(
  { dashboardId, version, filters, widgetIds }: ResultsRequest,
  everySeconds?: number,
  read: ReadResults = readInSession,
): DashboardResults {
  const client = useQueryClient();
  const shownKey = useMemo(() => ['shown-results', dashboardId], [dashboardId]);
  const [loader] = useState(() =>
    createResultsLoader(read, client.getQueryData<LoadedResults['lines']>(shownKey)),
  );
  const results = useSyncExternalStore(loader.subscribe, loader.results);
  const { lines } = results;
  useEffect(() => () => loader.stop(), [loader]);
  // In the same step as its parts, so that everything that is wanted first is requested together.
  useLayoutEffect(
    () => loader.load({ dashboardId, version, filters, widgetIds }),
    [loader, dashboardId, version, filters, widgetIds],
  );
  useEffect(() => void client.setQueryData(shownKey, lines), [client, shownKey, lines]);
  useEffect(() => {
    if (everySeconds === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') loader.refresh(false);
    }, everySeconds * 1_000);
    return () => clearInterval(timer);
  }, [loader, everySeconds]);
  return useMemo(() => ({ results, want: loader.want, refresh: loader.refresh }), [results, loader]);
}

const readInSession: ReadResults = ({ dashboardId, filters }, batch, signal) =>
  callForLines('GET /api/dashboards/{dashboardId}/results', {
    params: { dashboardId },
    query: {
      ...filters,
      ...batch.filters,
      ...(batch.widgetIds !== undefined && { 'widget-ids': batch.widgetIds.join(',') }),
    },
    headers: batch.isForced ? { 'cache-control': 'no-cache' } : {},
    signal,
  });
