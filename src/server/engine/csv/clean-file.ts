import { closeSync, openSync, writeSync } from 'node:fs';
import {
  maxColumns,
  maxListedFaults,
  type Delimiter,
  type ImportFault,
} from '#contract/data-sources/imports.ts';
import { describeFault, QueryFailure } from '../failure.ts';
import { cellsOf } from './cells.ts';
import type { Dialect } from './dialect.ts';
import type { RowFault } from './row.ts';
import { readRows, type CsvRow } from './rows.ts';

/** A CSV file that no reader can misunderstand: each row starts with its line, and has the same number of cells. */
export interface CleanFile {
  /** The cells of the header; undefined without one. */
  readonly header: readonly string[] | undefined;
  readonly columnCount: number;
  readonly brokenRowCount: number;
  /** The first broken rows. */
  readonly faults: readonly ImportFault[];
}

/**
 * Writes the rows of a text to a new file, and collects those that are broken. The first row decides how many cells the others
 * have. Throws `unreadable_file` if there is no row, or it has too many cells, and `too_large` if it would be larger than
 * `maxBytes`: short rows get several times as long by their line.
 */
export async function writeCleanFile(
  text: AsyncIterable<Buffer>,
  { delimiter, skipLines, hasHeader }: Dialect,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<CleanFile> {
  const faults: ImportFault[] = [];
  let header: readonly string[] | undefined;
  let columnCount = 0;
  let brokenRowCount = 0;
  const output = openOutput(path, maxBytes);
  try {
    for await (const rows of readRows(text, delimiter)) {
      for (const row of rows) {
        if (row.line <= skipLines) continue;
        const message = faultOf(row, columnCount);
        if (message !== undefined) {
          brokenRowCount += 1;
          if (faults.length < maxListedFaults)
            faults.push({ line: row.line, value: startOf(row.bytes), message });
          continue;
        }
        const isFirst = columnCount === 0;
        if (isFirst) {
          columnCount = row.cellCount;
          if (columnCount > maxColumns) throw tooManyColumns(columnCount);
        }
        if (isFirst && hasHeader) header = cellsOf(row.bytes.toString('utf8'), delimiter);
        else output.write(row, delimiter);
      }
    }
    output.flush();
  } finally {
    output.close();
  }
  if (columnCount === 0)
    throw new QueryFailure('unreadable_file', faults[0] ? describeFault(faults[0]) : 'The file has no rows.');
  return { header, columnCount, brokenRowCount, faults };
}

const tooManyColumns = (count: number): QueryFailure =>
  new QueryFailure('unreadable_file', `The file has ${count} columns. A table can have up to ${maxColumns}.`);

/** The place of a quote that isn't closed can't be known: another one may have closed it by accident. */
const quoteMessage =
  'A quote in this row is not closed, or has text after it. Quotes inside of a quoted cell must be doubled.';
const faultMessages: Readonly<Record<RowFault | 'encoding', string>> = {
  text_after_quote: quoteMessage,
  unclosed_quote: quoteMessage,
  too_long: 'The row is longer than 1 MB.',
  nul: 'The row has a NUL character.',
  encoding: 'The row has bytes that the encoding of the file does not have.',
};

function faultOf({ fault, cellCount }: CsvRow, columnCount: number): string | undefined {
  if (fault !== undefined) return faultMessages[fault];
  if (columnCount === 0 || cellCount === columnCount) return undefined;
  return `The row has ${cellCount === 1 ? '1 cell' : `${cellCount} cells`} instead of ${columnCount}.`;
}

const shownBytes = 100;

/** Returns the start of a broken row, which may have any bytes. */
const startOf = (bytes: Buffer): string =>
  bytes.toString('utf8', 0, shownBytes).replaceAll('\0', '\ufffd') + (bytes.length > shownBytes ? '…' : '');

interface Output {
  write(row: CsvRow, delimiter: Delimiter): void;
  flush(): void;
  close(): void;
}

const bufferBytes = 4 * 1024 * 1024;

function openOutput(path: string, maxBytes: number): Output {
  const file = openSync(path, 'wx');
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let used = 0;
  let flushed = 0;
  const flush = (): void => {
    flushed += used;
    if (flushed > maxBytes) throw new QueryFailure('too_large', 'The imported table is too large.');
    for (let written = 0; written < used;) written += writeSync(file, buffer, written, used - written);
    used = 0;
  };
  return {
    write(row, delimiter) {
      const bytes = row.isPlain ? row.bytes : requote(row.bytes, delimiter);
      // A row with quotes may get three times as long, and has up to 1 MiB.
      if (used + bytes.length + 32 > bufferBytes) flush();
      used += buffer.write(`${row.line}${delimiter}`, used, 'latin1');
      used += bytes.copy(buffer, used);
      buffer[used] = 10;
      used += 1;
    },
    flush,
    close: () => closeSync(file),
  };
}

/** Returns a row with every cell in quotes. */
const requote = (bytes: Buffer, delimiter: Delimiter): Buffer =>
  Buffer.from(
    cellsOf(bytes.toString('utf8'), delimiter)
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(delimiter),
  );
