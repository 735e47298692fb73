import type { Delimiter } from '#contract/data-sources/imports.ts';

/** The maximum length of a row. A quote that is open for longer was most likely never meant to open. */
export const maxRowBytes = 1024 * 1024;

/** Why a row can't be read. */
export type RowFault = 'text_after_quote' | 'unclosed_quote' | 'too_long' | 'nul';

/** A row of a CSV file in a buffer. */
export interface ScannedRow {
  /** The index after its last byte, without the line break. After a fault, the end of its first line. */
  readonly end: number;
  /** The index of the next row. After a fault, that of the next line. */
  readonly next: number;
  readonly cellCount: number;
  /** Whether every reader understands its bytes: it has quotes only around whole cells. */
  readonly isPlain: boolean;
  /** How many lines it has. */
  readonly lineCount: number;
  readonly fault: RowFault | undefined;
  /** How many bytes after `next` were read to find a fault, and have to be read again. */
  readonly rereadBytes: number;
  /** Whether the line of a fault continues after the buffer. */
  readonly isCutOff: boolean;
}

/**
 * Scans the row that starts at an index. Returns undefined if the buffer ends before the row, unless the file ends there, too
 * (`isLast`).
 */
export type RowScanner = (bytes: Buffer, start: number, isLast: boolean) => ScannedRow | undefined;

const [tab, lineFeed, carriageReturn, space, quote] = [9, 10, 13, 32, 34];

/**
 * Returns a scanner of rows as RFC 4180 defines them. Spaces around quotes are ignored, and a quote inside of an unquoted cell
 * is text. Line breaks are LF, CRLF or CR. Its time is linear in the length of the row.
 */
export function createRowScanner(delimiter: Delimiter): RowScanner {
  const separator = delimiter.charCodeAt(0);
  const isSpecial = new Uint8Array(256);
  for (const byte of [0, lineFeed, carriageReturn, quote, separator]) isSpecial[byte] = 1;

  return (bytes, start, isLast) => {
    const limit = Math.min(bytes.length, start + maxRowBytes);
    const isTooLong = limit < bytes.length;
    let index = start;
    let cellStart = start;
    let isText = false;
    let cellCount = 1;
    let lineCount = 1;
    let isPlain = true;

    const endAt = (end: number, next: number): ScannedRow => ({
      end,
      next,
      cellCount,
      isPlain,
      lineCount,
      fault: undefined,
      rereadBytes: 0,
      isCutOff: false,
    });

    const faultUpTo = (end: number, fault: RowFault): ScannedRow => {
      const row = faultAt(bytes, start, fault, isLast);
      return { ...row, rereadBytes: Math.max(0, end - row.next) };
    };

    for (;;) {
      while (index < limit && isSpecial[bytes[index] as number] === 0) index += 1;
      if (index >= limit) {
        if (isTooLong) return faultUpTo(limit, 'too_long');
        return isLast ? endAt(index, index) : undefined;
      }
      switch (bytes[index]) {
        case separator:
          cellCount += 1;
          index += 1;
          cellStart = index;
          isText = false;
          break;
        case lineFeed:
          return endAt(index, index + 1);
        case carriageReturn:
          if (index + 1 === bytes.length && !isLast) return undefined;
          return endAt(index, index + (bytes[index + 1] === lineFeed ? 2 : 1));
        case quote: {
          isText ||= !isBlank(bytes, cellStart, index);
          if (isText || index > cellStart) isPlain = false;
          index += 1;
          if (isText) break;
          const quoted = scanQuoted(bytes, index, limit);
          if (quoted.fault !== undefined) {
            const mayContinue = quoted.fault === 'unclosed_quote' && !isLast && !isTooLong;
            return mayContinue ? undefined : faultUpTo(quoted.end, quoted.fault);
          }
          lineCount += quoted.lineBreaks;
          const after = skipBlank(bytes, quoted.end, limit, separator);
          if (after > quoted.end) isPlain = false;
          if (after === bytes.length && !isLast) return undefined;
          const byte = bytes[after];
          const isEnd = after === bytes.length || byte === lineFeed || byte === carriageReturn;
          if (!isEnd && byte !== separator) return faultUpTo(after, 'text_after_quote');
          index = after;
          break;
        }
        default:
          return faultUpTo(index, 'nul');
      }
    }
  };
}

/** Scans a quoted cell from the byte after its first quote to the one after its last. */
function scanQuoted(
  bytes: Buffer,
  start: number,
  limit: number,
): { readonly end: number; readonly lineBreaks: number; readonly fault?: RowFault } {
  let lineBreaks = 0;
  for (let index = start; index < limit; index += 1) {
    switch (bytes[index]) {
      case quote:
        if (bytes[index + 1] !== quote) return { end: index + 1, lineBreaks };
        index += 1;
        break;
      case lineFeed:
        lineBreaks += 1;
        break;
      case carriageReturn:
        if (bytes[index + 1] !== lineFeed) lineBreaks += 1;
        break;
      case 0:
        return { end: index, lineBreaks, fault: 'nul' };
      default:
    }
  }
  return { end: limit, lineBreaks, fault: 'unclosed_quote' };
}

function faultAt(
  bytes: Buffer,
  start: number,
  fault: RowFault,
  isLast: boolean,
): Omit<ScannedRow, 'rereadBytes'> {
  const more = { cellCount: 0, isPlain: false, lineCount: 1, fault };
  const line = endOfLine(bytes, start);
  if (line !== undefined) return { ...more, end: line[0], next: line[1], isCutOff: false };
  // A CR at the end may be the first half of a CRLF.
  const isHalf = !isLast && bytes.at(-1) === carriageReturn;
  const next = isHalf ? bytes.length - 1 : bytes.length;
  return { ...more, end: next, next, isCutOff: !isLast };
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) if (bytes[index] !== space) return false;
  return true;
}

function skipBlank(bytes: Buffer, from: number, to: number, separator: number): number {
  let index = from;
  while (index < to && bytes[index] !== separator && (bytes[index] === space || bytes[index] === tab))
    index += 1;
  return index;
}

/** Returns the end of the line at `start` and the start of the next one, or undefined if the buffer ends before. */
export function endOfLine(bytes: Buffer, start: number): readonly [end: number, next: number] | undefined {
  for (let index = start; index < bytes.length; index += 1) {
    if (bytes[index] === lineFeed) return [index, index + 1];
    if (bytes[index] === carriageReturn) {
      if (index + 1 === bytes.length) return undefined;
      return [index, index + (bytes[index + 1] === lineFeed ? 2 : 1)];
    }
  }
  return undefined;
}
