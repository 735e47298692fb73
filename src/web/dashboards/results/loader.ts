import { hashKey } from '@tanstack/react-query';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { givenIn, type Search } from '../../ui/browser/search.ts';
import { batchesOf, type Batch, type Wanted } from './batches.ts';

/** The dashboard whose results are loaded: `version` is its entity tag, `widgetIds` are all widgets that show a report. */
export interface ResultsRequest {
  readonly dashboardId: string;
  readonly version: string;
  readonly filters: Search;
  readonly widgetIds: readonly string[];
}

/** The results of a dashboard's reports that have arrived so far. */
export interface LoadedResults {
  /** What was wanted when results were last requested. */
  readonly wanted: readonly Wanted[];
  /** The last line about each slot. */
  readonly lines: ReadonlyMap<string, ReceivedLine>;
  /** How many times the results were requested: a line of an earlier round is old. */
  readonly round: number;
  /** The slots whose results are on their way. */
  readonly loading: ReadonlySet<string>;
  /** The slots that were requested in this round, but got no line. */
  readonly missing: ReadonlySet<string>;
  /** Why the last request that failed did so. */
  readonly error: Error | null;
  /** When a line last arrived, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** A line, and the round of requests in which it was current. */
interface ReceivedLine {
  readonly widgetId: string;
  readonly line: WidgetResult;
  readonly round: number;
  /** The filters that it was requested with, and those that are different from the dashboard's. */
  readonly filters: Search;
  readonly ownFilters: Search;
}

/** Requests the results of a batch, and yields the lines that arrive together. */
export type ReadResults = (
  request: ResultsRequest,
  batch: Batch & { readonly isForced: boolean },
  signal: AbortSignal,
) => AsyncIterable<readonly WidgetResult[]>;

export interface ResultsLoader {
  readonly subscribe: (listener: () => void) => () => void;
  readonly results: () => LoadedResults;
  /** Loads the wanted results of a request. Another request starts a new round. */
  load(request: ResultsRequest): void;
  /** Sets what the part of a page with this ID wants; undefined when it is gone. It is loaded in the same round. */
  want(partId: string, wanted: readonly Wanted[] | undefined): void;
  /** Loads everything that is wanted again; `isForced` bypasses the server's cache. */
  refresh(isForced: boolean): void;
  /** Aborts all requests. Loading again continues. */
  stop(): void;
}

/** The server runs the reports of a request at the same time, so that few requests are enough. */
const maxRequests = 3;

/**
 * Returns a loader of a dashboard's results. Results are requested once they are wanted, such as when they come into view. Each
 * line replaces the one before, so that a widget shows its old result until it has a new one. The result of a report without a
 * parameter whose filter was changed isn't old.
 */
export function createResultsLoader(
  read: ReadResults,
  before: LoadedResults['lines'] = new Map(),
): ResultsLoader {
  const listeners = new Set<() => void>();
  let results: LoadedResults = {
    wanted: [],
    lines: before,
    round: Math.max(0, ...[...before.values()].map(({ round }) => round)),
    loading: new Set(),
    missing: new Set(),
    error: null,
    updatedAt: 0,
  };
  let request: ResultsRequest | undefined;
  const wantedByParts = new Map<string, readonly Wanted[]>();
  let isForced = false;
  /** What was requested in this round. */
  let requested = new Set<string>();
  let waiting: (Batch & { readonly isForced: boolean })[] = [];
  let running = new Set<AbortController>();
  let isScheduled = false;

  function change(changed: Partial<LoadedResults>): void {
    results = { ...results, ...changed };
    for (const listener of listeners) listener();
  }

  function abort(): void {
    for (const controller of running) controller.abort();
    running = new Set();
    waiting = [];
  }

  function beginRound(lines: LoadedResults['lines']): void {
    abort();
    requested = new Set();
    change({ lines, round: results.round + 1, loading: new Set(), missing: new Set(), error: null });
  }

  /** What is wanted at the same time is requested together. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      requestWanted();
    });
  }

  function requestWanted(): void {
    if (request === undefined) return;
    // A text may want the result of a widget that is shown, too.
    const parts = [...wantedByParts.values()].flat();
    const wanted = [...new Map(parts.map((each) => [each.slot, each])).values()];
    const fresh = wanted.filter(({ slot }) => !requested.has(slot));
    for (const { slot } of fresh) requested.add(slot);
    waiting.push(...batchesOf(fresh, request.widgetIds).map((batch) => ({ ...batch, isForced })));
    isForced = false;
    const isSame =
      wanted.length === results.wanted.length &&
      wanted.every(({ slot }, index) => slot === results.wanted[index]?.slot);
    if (fresh.length > 0 || !isSame)
      change({ wanted, loading: new Set([...results.loading, ...fresh.map(({ slot }) => slot)]) });
    startNext();
  }

  function startNext(): void {
    if (request === undefined) return;
    for (const batch of waiting.splice(0, maxRequests - running.size)) {
      const controller = new AbortController();
      running.add(controller);
      void run(request, batch, controller);
    }
  }

  async function run(
    ofRequest: ResultsRequest,
    batch: Batch & { readonly isForced: boolean },
    controller: AbortController,
  ): Promise<void> {
    const isCurrent = () => running.has(controller);
    let error: Error | undefined;
    try {
      for await (const lines of read(ofRequest, batch, controller.signal)) {
        if (!isCurrent()) return;
        receive(lines, ofRequest, batch);
      }
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    if (!isCurrent()) return;
    running.delete(controller);
    const unanswered = batch.wanted.filter(({ slot }) => results.loading.has(slot));
    const loading = results.loading.difference(new Set(unanswered.map(({ slot }) => slot)));
    const missing = new Set([...results.missing, ...unanswered.map(({ slot }) => slot)]);
    change({ loading, missing, ...(error !== undefined && { error }) });
    startNext();
  }

  function receive(received: readonly WidgetResult[], { filters }: ResultsRequest, batch: Batch): void {
    const lines = new Map(results.lines);
    const loading = new Set(results.loading);
    const slots = Map.groupBy(batch.wanted, ({ widgetId }) => widgetId);
    for (const line of received) {
      for (const { slot, widgetId } of line.widgetIds.flatMap((id) => slots.get(id) ?? [])) {
        const known = lines.get(slot)?.line;
        lines.set(slot, {
          widgetId,
          // The same object, so that its chart isn't rendered again.
          line: known !== undefined && isSame(known, line) ? known : line,
          round: results.round,
          filters: { ...filters, ...batch.filters },
          ownFilters: batch.filters,
        });
        loading.delete(slot);
      }
    }
    change({ lines, loading, updatedAt: Date.now() });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    results: () => results,
    load(next) {
      const isOther = request === undefined || hashKey([request]) !== hashKey([next]);
      request = next;
      if (isOther) beginRound(withUntouched(results.lines, next, results.round + 1));
      schedule();
    },
    want(partId, wanted) {
      if (wanted === undefined) wantedByParts.delete(partId);
      else wantedByParts.set(partId, wanted);
      schedule();
    },
    refresh(force) {
      isForced = force;
      beginRound(results.lines);
      schedule();
    },
    stop() {
      abort();
      requested = requested.difference(results.loading);
      change({ loading: new Set() });
    },
  };
}

/** Returns the names of the filters that apply to a report. */
const filtersOfLine = ({ parameters = [] }: Pick<WidgetResult, 'parameters'>): string[] => [
  ...new Set(parameters.flatMap(({ filter }) => filter ?? [])),
];

/** Returns the lines as current in a round if no filter of their parameters has changed. */
const withUntouched = (
  lines: LoadedResults['lines'],
  request: ResultsRequest,
  round: number,
): LoadedResults['lines'] =>
  new Map(
    [...lines].map(([slot, known]) => {
      const filters = { ...request.filters, ...known.ownFilters };
      const isTouched = filtersOfLine(known.line).some(
        (name) => hashKey([givenIn(known.filters, name)]) !== hashKey([givenIn(filters, name)]),
      );
      return [slot, isTouched ? known : { ...known, round, filters }];
    }),
  );

/** Whether two lines show the same, wherever their results come from. */
const isSame = (one: WidgetResult, other: WidgetResult): boolean =>
  // The results are compared only if they can be the same, because they may be large.
  one.result?.computedAt === other.result?.computedAt && textOf(one) === textOf(other);

const textOf = ({ result, widgetIds: _, ...line }: WidgetResult): string =>
  JSON.stringify([line, result && { ...result, isFromCache: true }]);
