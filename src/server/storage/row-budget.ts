import { maxPageBytes } from '../base/paging.ts';

/** Decides which of the rows that a query returns, one after the other, are in a page. */
export interface RowBudget {
  /** Counts a row; returns false if it doesn't fit, and then no later one does. The first row always fits. */
  accepts(sizeBytes: number): boolean;
  /** Whether there was a row that didn't fit. */
  hasMore(): boolean;
  /** The size of the rows that fit. */
  sizeBytes(): number;
}

/** Returns a budget of `limit` rows and `maxBytes`. The query has to ask for one row more, to find whether there are more. */
export function createRowBudget(limit: number, maxBytes: number = maxPageBytes): RowBudget {
  let count = 0;
  let bytes = 0;
  let hasMore = false;
  return {
    accepts(sizeBytes) {
      hasMore ||= count === limit || (count > 0 && bytes + sizeBytes > maxBytes);
      if (hasMore) return false;
      count += 1;
      bytes += sizeBytes;
      return true;
    },
    hasMore: () => hasMore,
    sizeBytes: () => bytes,
  };
}
