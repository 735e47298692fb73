/** Limits how long the results of an export may take. */
export interface ResultsLimit {
  /** Aborted when the client disconnects, or with the error of the limit when the time is over. */
  readonly signal: AbortSignal;
  /** Returns the same lines. After the last one, the time no longer counts. */
  readonly until: <Line>(lines: AsyncIterable<Line>) => AsyncGenerator<Line>;
  /** Must be called in the end. */
  readonly end: () => void;
}

/** Starts the time. An export has the turn of others while it waits for its results. */
export function limitResults(
  signal: AbortSignal,
  { timeoutMs, createError }: { readonly timeoutMs: number; readonly createError: () => Error },
): ResultsLimit {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(createError()), timeoutMs);
  const end = (): void => clearTimeout(timer);
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    async *until(lines) {
      for await (const line of lines) yield line;
      end();
    },
    end,
  };
}
