import type { Delimiter } from '#contract/data-sources/imports.ts';

/** Returns the cells of a row that was scanned without a fault. */
export function cellsOf(row: string, delimiter: Delimiter): string[] {
  const cells: string[] = [];
  for (let index = 0; ;) {
    let first = index;
    while (row[first] === ' ') first += 1;
    const isQuoted = row[first] === '"';
    const quoted = isQuoted ? readQuoted(row, first + 1) : undefined;
    const end = row.indexOf(delimiter, quoted?.end ?? index);
    cells.push(quoted?.value ?? row.slice(index, end === -1 ? undefined : end));
    if (end === -1) return cells;
    index = end + 1;
  }
}

function readQuoted(row: string, start: number): { readonly value: string; readonly end: number } {
  const parts: string[] = [];
  for (let from = start; ;) {
    const closing = row.indexOf('"', from);
    const end = closing === -1 ? row.length : closing;
    parts.push(row.slice(from, end));
    if (row[end + 1] !== '"') return { value: parts.join('"'), end: end + 1 };
    from = end + 2;
  }
}
