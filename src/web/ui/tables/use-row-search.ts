import { useDeferredValue, useMemo, useState } from 'react';

/** The rows of a table that contain what is searched for. */
export interface RowSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The indexes of the rows that are shown; undefined for all. */
  readonly found: readonly number[] | undefined;
}

/** Searches rows, ignoring case. `textOf` returns the text of a row. */
export function useRowSearch(rowCount: number, textOf: (index: number) => string): RowSearch {
  const [text, setText] = useState('');
  const term = useDeferredValue(text).trim().toLowerCase();
  // The texts of all rows are built once for a search, not with each letter.
  const isSearching = term !== '';
  const texts = useMemo(
    () => (isSearching ? Array.from({ length: rowCount }, (_, index) => textOf(index).toLowerCase()) : []),
    [isSearching, rowCount, textOf],
  );
  const found = useMemo(
    () =>
      term === '' ? undefined : texts.flatMap((rowText, index) => (rowText.includes(term) ? [index] : [])),
    [texts, term],
  );
  return { text, setText, found };
}
