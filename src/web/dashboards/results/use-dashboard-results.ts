import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { callForLines } from '../../app/api.ts';
import type { Search } from '../../ui/browser/search.ts';
import { noResults, resultsQuery, type ReceivedResults } from './queries.ts';

/** The results of a dashboard's reports, and whether more are on their way. */
export interface DashboardResults extends ReceivedResults {
  readonly isLoading: boolean;
  /** When the results last changed, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** Why the last request failed. */
  readonly error: Error | null;
}

/**
 * Returns the results of a dashboard, requested again when its version or a filter changes, every `everySeconds` while
 * the page is visible, and when `refresh` is called; `isForced` bypasses the server's cache. Until the first results arrive,
 * they are those that the dashboard showed before, such as while it was edited.
 */
export function useDashboardResults(
  dashboardId: string,
  version: string,
  filters: Search,
  everySeconds: number | undefined,
): { readonly results: DashboardResults; readonly refresh: (isForced: boolean) => void } {
  const isForced = useRef(false);
  const client = useQueryClient();
  const shownKey = useMemo(() => ['shown-results', dashboardId], [dashboardId]);
  const before = useRef(client.getQueryData<ReceivedResults>(shownKey) ?? noResults);
  const read = (signal: AbortSignal) => {
    const headers = isForced.current ? { 'cache-control': 'no-cache' } : {};
    isForced.current = false;
    return callForLines('GET /api/dashboards/{dashboardId}/results', {
      params: { dashboardId },
      query: { ...filters },
      headers,
      signal,
    });
  };
  const { data, isFetching, error, dataUpdatedAt, refetch } = useQuery({
    ...resultsQuery({ dashboardId, version, filters }, read, before.current),
    refetchInterval: everySeconds !== undefined && everySeconds * 1_000,
  });
  before.current = data;
  useEffect(() => void client.setQueryData(shownKey, data), [client, shownKey, data]);
  const refresh = useCallback(
    (force: boolean) => {
      isForced.current = force;
      void refetch();
    },
    [refetch],
  );
  const results = useMemo(
    () => ({ ...data, isLoading: isFetching, updatedAt: dataUpdatedAt, error }),
    [data, isFetching, dataUpdatedAt, error],
  );
  return { results, refresh };
}
