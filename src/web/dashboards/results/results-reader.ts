import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { Search } from '../../ui/browser/search.ts';

/** What the reports of a dashboard say, as far as it is here. */
export interface DashboardResults {
  /** By the id of a report, the last line about it, and the round of asking that it came with. */
  readonly lines: ReadonlyMap<string, { readonly line: WidgetResult; readonly round: number }>;
  /** How often was asked: a line of an earlier round is old. */
  readonly round: number;
  readonly isReading: boolean;
  /** When the last round was complete, in milliseconds since 1970. */
  readonly readAt: number | undefined;
  /** Why the last round broke off. */
  readonly error: unknown;
}

/** What is asked: with which filters, and whether the sources are, however fresh the cache is. */
export interface Asking {
  readonly filters: Search;
  readonly isForced?: boolean;
}

/** Reads the results of a dashboard, and keeps the old ones until there are new ones. */
export interface ResultsReader {
  /** Asks anew; what is being read breaks off. */
  ask(asking: Asking): void;
  current(): DashboardResults;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Returns a reader that has asked nothing yet; `read` yields a line for each report as it is ready. */
export function createResultsReader(
  read: (asking: Asking, signal: AbortSignal) => AsyncIterable<WidgetResult>,
  clock: () => number = Date.now,
): ResultsReader {
  const listeners = new Set<() => void>();
  let results: DashboardResults = {
    lines: new Map(),
    round: 0,
    isReading: true,
    readAt: undefined,
    error: undefined,
  };
  let reading = new AbortController();

  function show(change: Partial<DashboardResults>): void {
    results = { ...results, ...change };
    for (const listener of listeners) listener();
  }

  async function readAll(asking: Asking, round: number, signal: AbortSignal): Promise<void> {
    try {
      for await (const line of read(asking, signal)) {
        if (signal.aborted) return;
        show({ lines: new Map(results.lines).set(line.reportId, { line, round }) });
      }
      if (!signal.aborted) show({ isReading: false, readAt: clock() });
    } catch (error) {
      if (!signal.aborted) show({ isReading: false, error });
    }
  }

  return {
    ask(asking) {
      reading.abort();
      reading = new AbortController();
      const round = results.round + 1;
      show({ round, isReading: true, error: undefined });
      void readAll(asking, round, reading.signal);
    },
    current: () => results,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => reading.abort(),
  };
}
