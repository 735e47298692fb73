import { experimental_streamedQuery as streamedQuery, queryOptions } from '@tanstack/react-query';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Search } from '../../ui/browser/search.ts';

/** The results of a dashboard's reports that have arrived so far. */
export interface ReceivedResults {
  /** The last line about each report, by its ID, and the round of requests that it came with. */
  readonly lines: ReadonlyMap<string, { readonly line: WidgetResult; readonly round: number }>;
  /** How many times the results were requested: a line of an earlier round is old. */
  readonly round: number;
}

export const noResults: ReceivedResults = { lines: new Map(), round: 0 };

/** Which results are requested: `version` is the entity tag of the dashboard. */
export interface ResultsRequest {
  readonly dashboardId: string;
  readonly version: string;
  readonly filters: Search;
}

/**
 * The results of a dashboard, as they arrive. `read` yields the lines that arrive together; each replaces the line about
 * its report in the results before, so that a widget shows its old result until it has a new one.
 */
export const resultsQuery = (
  { dashboardId, version, filters }: ResultsRequest,
  read: (signal: AbortSignal) => AsyncIterable<readonly WidgetResult[]>,
  before: ReceivedResults,
) =>
  queryOptions({
    queryKey: ['results', dashboardId, version, filters],
    queryFn: streamedQuery({
      async *streamFn({ signal }): AsyncGenerator<'begin' | readonly WidgetResult[]> {
        yield 'begin';
        yield* read(signal);
      },
      refetchMode: 'append',
      reducer: withChunk,
      initialValue: before,
    }),
    initialData: before,
    // They belong to another request: the new results are requested at once.
    initialDataUpdatedAt: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });

function withChunk(
  { lines, round }: ReceivedResults,
  chunk: 'begin' | readonly WidgetResult[],
): ReceivedResults {
  if (chunk === 'begin') return { lines, round: round + 1 };
  const received = new Map(lines);
  for (const line of chunk) received.set(line.reportId, { line, round });
  return { lines: received, round };
}
