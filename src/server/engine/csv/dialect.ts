import { delimiters, type Delimiter } from '#contract/data-sources/imports.ts';
import { QueryFailure } from '../failure.ts';
import { cellsOf } from './cells.ts';
import { createRowScanner, maxRowBytes } from './row.ts';
import { readRows } from './rows.ts';
import { looksLikeData } from './values.ts';

/** Where the cells and the names of the columns are in a text file. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** The number of lines above the table. */
  readonly skipLines: number;
  readonly hasHeader: boolean;
}

/** Enough rows to see the form of a table. */
const sampleRows = 500;

interface SampleRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Returns the first bytes of a text, at least one row unless a row is too long. */
export async function readStart(text: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of text) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxRowBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, 2 * maxRowBytes);
}

/** Returns the dialect of a text by its start, with what was `chosen`. Throws `unreadable_file` if it is no table. */
export async function guessDialect(start: Buffer, chosen: Partial<Dialect>): Promise<Dialect> {
  const candidates = chosen.delimiter === undefined ? delimiters : [chosen.delimiter];
  let best: { readonly delimiter: Delimiter; readonly rows: SampleRow[]; readonly score: number } | undefined;
  for (const delimiter of candidates) {
    const rows = await sampleOf(start, delimiter, chosen.skipLines ?? 0);
    const score = scoreOf(rows, delimiter);
    if (best === undefined || score > best.score) best = { delimiter, rows, score };
  }
  if (best === undefined || best.rows.length === 0) throw emptyFile(start);
  const { delimiter, rows } = best;
  const first = chosen.skipLines === undefined ? firstRowOf(rows) : 0;
  return {
    delimiter,
    skipLines: chosen.skipLines ?? (first === 0 ? 0 : (rows[first]?.line ?? 1) - 1),
    hasHeader: chosen.hasHeader ?? isHeader(rows[first]?.cells ?? []),
  };
}

function emptyFile(start: Buffer): QueryFailure {
  const isLong = start.length > maxRowBytes && createRowScanner(',')(start, 0, false)?.fault === 'too_long';
  const message = isLong
    ? 'The first line is longer than 1 MB. The file does not look like a table.'
    : start.includes(0)
      ? 'The file contains NUL characters. It does not look like a text file.'
      : 'The file has no rows.';
  return new QueryFailure('unreadable_file', message);
}

async function sampleOf(start: Buffer, delimiter: Delimiter, skipLines: number): Promise<SampleRow[]> {
  const sample: SampleRow[] = [];
  async function* once(): AsyncGenerator<Buffer> {
    yield start;
  }
  for await (const rows of readRows(once(), delimiter)) {
    for (const { line, bytes, fault } of rows) {
      if (line <= skipLines || sample.length >= sampleRows || fault !== undefined) continue;
      sample.push({ line, cells: cellsOf(bytes.toString('utf8'), delimiter) });
    }
  }
  // The last row of a sample may be cut off.
  return start.length > maxRowBytes && sample.length < sampleRows && sample.length > 1
    ? sample.slice(0, -1)
    : sample;
}

/** Returns the number of cells that most rows with more than one cell have. */
function widthOf(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])[0];
}

/**
 * Returns how well a delimiter explains the rows. Nearly every line of a table has it, and equally often. Tabs, semicolons and
 * bars are rarely part of a text, while commas are in numbers and sentences.
 */
function scoreOf(rows: readonly SampleRow[], delimiter: Delimiter): number {
  const width = widthOf(rows);
  if (width === 1) return 0;
  const share = rows.filter(({ cells }) => cells.length === width).length / rows.length;
  // A text with a delimiter here and there has a single column.
  const isRare = rows.filter(({ cells }) => cells.length > 1).length < rows.length / 5;
  if (isRare) return 0;
  return share * Math.log2(width) + (share >= 0.9 && delimiter !== ',' ? 100 : 0);
}

/** Returns the index of the first row of the table: titles above it have fewer cells, or only one that isn't empty. */
function firstRowOf(rows: readonly SampleRow[]): number {
  const width = widthOf(rows);
  const index = rows.findIndex(
    ({ cells }) =>
      cells.length === width && (width === 1 || cells.filter((cell) => cell.trim() !== '').length > 1),
  );
  return Math.max(index, 0);
}

/** Whether a row has names rather than values. Years can be names, too. */
function isHeader(cells: readonly string[]): boolean {
  const values = cells.filter(looksLikeData);
  return values.every((value) => /^(19|20)\d\d$/.test(value.trim())) && values.length < cells.length;
}
