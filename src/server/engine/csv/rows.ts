import { isUtf8 } from 'node:buffer';
import type { Delimiter } from '#contract/data-sources/imports.ts';
import { QueryFailure } from '../failure.ts';
import { createRowScanner, endOfLine, type RowFault } from './row.ts';

/** A row of a CSV file. */
export interface CsvRow {
  /** The line on which it starts, from 1. */
  readonly line: number;
  /** UTF-8, without the line break. Of a broken row, its first line. */
  readonly bytes: Buffer;
  readonly cellCount: number;
  /** Whether every reader understands its bytes. */
  readonly isPlain: boolean;
  readonly fault: RowFault | 'encoding' | undefined;
}

/** How many bytes may be read a second time, after quotes that turn out not to be closed. */
const maxRereadBytes = 64 * 1024 * 1024;

const replacement = Buffer.from('\ufffd');

/**
 * Yields the rows of a text without blank lines, as many at a time as are in memory, which have to be read before the next
 * ones. After a broken row, it continues on the next line. Throws `unreadable_file` if so many rows are broken that this would
 * take too long.
 */
export async function* readRows(
  text: AsyncIterable<Buffer>,
  delimiter: Delimiter,
): AsyncGenerator<Iterable<CsvRow>, void> {
  const scanRow = createRowScanner(delimiter);
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let rereadBytes = 0;
  let isSkipping = false;

  function* take(bytes: Buffer, isLast: boolean): Generator<CsvRow, void> {
    let start = 0;
    if (isSkipping) {
      start = endOfLine(bytes, 0)?.[1] ?? bytes.length;
      isSkipping = start === bytes.length && bytes.at(-1) !== 10;
    }
    const isReadable = isText(bytes);
    while (start < bytes.length) {
      const row = scanRow(bytes, start, isLast);
      if (row === undefined) break;
      const content = bytes.subarray(start, row.end);
      const { cellCount, isPlain } = row;
      const fault = row.fault ?? (isReadable || isText(content) ? undefined : 'encoding');
      if (content.length > 0) yield { line, bytes: content, cellCount, isPlain, fault };
      rereadBytes += row.rereadBytes;
      if (rereadBytes > maxRereadBytes)
        throw new QueryFailure('unreadable_file', 'The file has too many quotes that are not closed.');
      line += row.lineCount;
      start = row.next;
      isSkipping = row.isCutOff;
    }
    rest = bytes.subarray(start);
  }

  for await (const chunk of text) {
    if (chunk.length > 0) yield take(Buffer.concat([rest, chunk]), false);
  }
  yield take(rest, true);
}

/** Whether bytes are UTF-8, without the character that stands for bytes that an encoding doesn't have. */
const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(replacement);
