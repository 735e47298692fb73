import type { Connection } from './connection.ts';

/** How many results are kept, and how many rows each may have: about 1 MB, and 10 MB at most. */
const maxResults = 1_000;
const maxRows = 50;

/** The results of queries that nearly every request repeats. */
export interface RememberedResults {
  /** Forgets all results if anything was committed since the last call. Has to be called when a snapshot begins. */
  renew(): void;
  /** Returns the result of the same query with the same values in this snapshot, or runs it. It is frozen. */
  recall<Result>(text: string, values: readonly unknown[], run: () => Result): Result;
}

/**
 * SQLite tells, without reading anything, whether a connection of this process or another has committed since
 * (https://sqlite.org/pragma.html#pragma_data_version), so that no result outlives what it was read from.
 */
export function rememberResults({ query }: Connection): RememberedResults {
  const results = new Map<string, Map<unknown, unknown>>();
  let count = 0;
  let version: unknown;
  const forget = (): void => {
    results.clear();
    count = 0;
  };
  return {
    renew() {
      const row = query('pragma data_version').first() as { readonly data_version: number };
      if (row.data_version !== version) forget();
      version = row.data_version;
    },
    recall<Result>(text: string, values: readonly unknown[], run: () => Result): Result {
      const key = values.length === 1 ? values[0] : JSON.stringify(values);
      const known = results.get(text);
      // Sound because the text determines the columns, and so the type. A query that found nothing is run again.
      const result = known?.get(key) as Result | undefined;
      if (result !== undefined) return result;
      const found = run();
      if (found === undefined || (Array.isArray(found) && found.length > maxRows)) return found;
      if (count >= maxResults) forget();
      count += 1;
      const ofText = results.get(text) ?? new Map<unknown, unknown>();
      results.set(text, ofText.set(key, deepFrozen(found)));
      return found;
    },
  };
}

/** Freezes a row, or a list of rows, whose values are no objects. */
function deepFrozen<Result>(result: Result): Result {
  if (Array.isArray(result)) for (const row of result as unknown[]) Object.freeze(row);
  return Object.freeze(result);
}
