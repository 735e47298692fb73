import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { callForLines } from '../../app/api.ts';
import { stringifySearch, type Search } from '../../ui/browser/search.ts';
import { createResultsReader, type DashboardResults } from './results-reader.ts';

/**
 * Returns what the reports of a dashboard say, asked again when its version or a filter changes, every `everySeconds`
 * while the page is in sight, and when `askAgain` is called.
 */
export function useDashboardResults(
  dashboardId: string,
  version: string,
  filters: Search,
  everySeconds: number | undefined,
): { readonly results: DashboardResults; readonly askAgain: (isForced: boolean) => void } {
  const reader = useMemo(
    () =>
      createResultsReader(({ filters, isForced = false }, signal) =>
        callForLines('GET /api/dashboards/{dashboardId}/results', {
          params: { dashboardId },
          query: { ...filters },
          headers: isForced ? { 'cache-control': 'no-cache' } : {},
          signal,
        }),
      ),
    [dashboardId],
  );
  // The same filters are the same question, whichever object holds them.
  const question = stringifySearch(filters);
  const asked = useMemo(() => ({ filters, version }), [question, version]);
  const askAgain = useCallback(
    (isForced: boolean) => reader.ask({ filters: asked.filters, isForced }),
    [reader, asked],
  );

  useEffect(() => {
    reader.ask({ filters: asked.filters });
    return () => reader.close();
  }, [reader, asked]);

  const isInSight = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (everySeconds === undefined || !isInSight) return undefined;
    const timer = setInterval(() => askAgain(false), everySeconds * 1_000);
    return () => clearInterval(timer);
  }, [everySeconds, isInSight, askAgain]);

  return { results: useSyncExternalStore(reader.subscribe, reader.current), askAgain };
}
