import { experimental_streamedQuery as streamedQuery, hashKey, queryOptions } from '@tanstack/react-query';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { givenIn, type Search } from '../../ui/browser/search.ts';

/** The results of a dashboard's reports that have arrived so far. */
export interface ReceivedResults {
  /** The last line about each widget, by its ID. */
  readonly lines: ReadonlyMap<string, ReceivedLine>;
  /** How many times the results were requested: a line of an earlier round is old. */
  readonly round: number;
  /** The last request. */
  readonly request: ResultsRequest | undefined;
}

/** A line, and the round of requests in which it was current. */
interface ReceivedLine {
  readonly line: WidgetResult;
  readonly round: number;
  /** The filters that it was requested with. */
  readonly filters: Search;
}

export const noResults: ReceivedResults = { lines: new Map(), round: 0, request: undefined };

/** Which results are requested: `version` is the entity tag of the dashboard. */
export interface ResultsRequest {
  readonly dashboardId: string;
  readonly version: string;
  readonly filters: Search;
}

/**
 * The results of a dashboard, as they arrive. `read` yields the lines that arrive together; each replaces the line about
 * its widgets in the results before, so that a widget shows its old result until it has a new one. The result of a report
 * without a parameter whose filter was changed isn't old.
 */
export const resultsQuery = (
  request: ResultsRequest,
  read: (signal: AbortSignal) => AsyncIterable<readonly WidgetResult[]>,
  before: ReceivedResults,
) =>
  queryOptions({
    queryKey: ['results', request.dashboardId, request.version, request.filters],
    queryFn: streamedQuery({
      async *streamFn({ signal }): AsyncGenerator<ResultsRequest | readonly WidgetResult[]> {
        yield request;
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
  { lines, round, request }: ReceivedResults,
  chunk: ResultsRequest | readonly WidgetResult[],
): ReceivedResults {
  if (!isLines(chunk)) {
    const isRefresh = request !== undefined && hashKey([request]) === hashKey([chunk]);
    return {
      lines: isRefresh ? lines : withUntouched(lines, chunk, round + 1),
      round: round + 1,
      request: chunk,
    };
  }
  const received = new Map(lines);
  for (const line of chunk) {
    const filters = request?.filters ?? {};
    for (const id of line.widgetIds) {
      const before = received.get(id)?.line;
      // The same object, so that its chart isn't rendered again.
      received.set(id, { line: before && isSame(before, line) ? before : line, round, filters });
    }
  }
  return { lines: received, round, request };
}

const isLines = (chunk: ResultsRequest | readonly WidgetResult[]): chunk is readonly WidgetResult[] =>
  Array.isArray(chunk);

/** Returns the names of the filters that apply to a report. */
const filtersOfLine = ({ parameters = [] }: Pick<WidgetResult, 'parameters'>): string[] => [
  ...new Set(parameters.flatMap(({ filter }) => filter ?? [])),
];

/** Returns the lines as current in a round if no filter of their parameters has changed. */
const withUntouched = (
  lines: ReceivedResults['lines'],
  { filters }: ResultsRequest,
  round: number,
): ReceivedResults['lines'] =>
  new Map(
    [...lines].map(([widgetId, known]) => {
      const isTouched = filtersOfLine(known.line).some(
        (name) => hashKey([givenIn(known.filters, name)]) !== hashKey([givenIn(filters, name)]),
      );
      return [widgetId, isTouched ? known : { ...known, round, filters }];
    }),
  );

/** Whether two lines show the same, wherever their results come from. */
const isSame = (one: WidgetResult, other: WidgetResult): boolean =>
  // The results are compared only if they can be the same, because they may be large.
  one.result?.computedAt === other.result?.computedAt && textOf(one) === textOf(other);

const textOf = ({ result, ...line }: WidgetResult): string =>
  JSON.stringify([line, result && { ...result, isFromCache: true }]);
