import type { Column } from '#contract/data-sources/data-sources.ts';
import { parseJson } from '../base/texts/json.ts';
import type { CachedResult } from './cached-result.ts';

/** The first rows of a result, and what is known about all of them. */
export interface FirstRows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** The number of rows of the whole result. */
  readonly rowCount: number;
  /** Whether the limits of the query left rows out of the result. */
  readonly isCutOff: boolean;
}

/**
 * Returns the first rows of a result, at most `maxRows`, whose JSON has at most `maxBytes`. Only they are parsed, so that a large result
 * takes no longer than a small one.
 */
export function firstRows(
  { columns, json }: Pick<CachedResult, 'columns' | 'json'>,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
): FirstRows {
  const pieces = typeof json === 'string' ? [Buffer.from(json)] : json;
  // As `toCachedResult` writes it.
  const start = Buffer.byteLength(`{"columns":${JSON.stringify(columns)},"rows":[`);
  const head = sliceOf(pieces, start, start + maxBytes);
  const text = head.toString('utf8', 0, endOfRows(head, maxRows));
  // Sound because the engine writes rows as arrays.
  const rows = parseJson(`[${text}]`) as unknown[][];
  return { columns, rows, ...factsOf(pieces) };
}

/** Returns where the first rows of a list end: at most `maxRows`, and only whole ones. */
function endOfRows(bytes: Buffer, maxRows: number): number {
  let end = 0;
  let count = 0;
  let depth = 0;
  for (let index = 0; index < bytes.length && count < maxRows; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfText(bytes, index);
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
      // The end of the list of rows.
      if (depth < 0) break;
      if (depth > 0) continue;
      end = index + 1;
      count += 1;
    }
  }
  return end;
}

/** Returns where the text that begins at `start` ends, or the length of all. */
function endOfText(bytes: Buffer, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

/** Longer than the facts after the rows. */
const maxFactsBytes = 200;

function factsOf(pieces: readonly Uint8Array[]): Pick<FirstRows, 'rowCount' | 'isCutOff'> {
  const sizeBytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const end = sliceOf(pieces, Math.max(0, sizeBytes - maxFactsBytes), sizeBytes).toString('utf8');
  const { rowCount, isCutOff } = JSON.parse(
    `{${end.slice(end.lastIndexOf(',"rowCount":') + 1)}}`,
  ) as FirstRows;
  return { rowCount, isCutOff };
}

/** Returns the bytes from `start` up to `end` of pieces that belong together. */
function sliceOf(pieces: readonly Uint8Array[], start: number, end: number): Buffer {
  const found: Uint8Array[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const from = Math.max(0, start - offset);
    const to = Math.min(piece.byteLength, end - offset);
    if (from < to) found.push(piece.subarray(from, to));
    offset += piece.byteLength;
  }
  return Buffer.concat(found);
}
