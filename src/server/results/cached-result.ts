import type { Column } from '#contract/data-sources/data-sources.ts';
import { timestamp } from '../base/clock.ts';
import { parseJson } from '../base/texts/json.ts';
import type { QueryRows } from '../engine/worker/messages.ts';

/** The result of a query, serialized once for all requests that it is sent to. */
export interface CachedResult {
  readonly columns: readonly Column[];
  /**
   * The JSON object of a `ReportResult` in UTF-8, without `isFromCache` and `faults`, which differ between requests, and
   * without the closing brace. A small one is text, which Node sends faster than bytes.
   */
  readonly json: string | readonly Uint8Array[];
  readonly sizeBytes: number;
  /** When the source returned it, in milliseconds since 1970. */
  readonly computedAt: number;
  /** Grows with every result that this process computes. */
  readonly sequence: number;
}

const smallBytes = 64 * 1024;

/** Whether a result is small enough to be sent in one piece, without reserving memory. */
export const isSmall = ({ sizeBytes }: Pick<CachedResult, 'sizeBytes'>): boolean => sizeBytes <= smallBytes;

/** Returns the rows of a query in the form in which they are cached and sent. */
export function toCachedResult(
  { columns, rowsJson, rowCount, isCutOff, durationMs }: QueryRows,
  { computedAt, sequence }: Pick<CachedResult, 'computedAt' | 'sequence'>,
): CachedResult {
  const facts = {
    rowCount,
    isCutOff,
    computedAt: timestamp(computedAt),
    durationMs: Math.round(durationMs * 10) / 10,
  };
  return fromPieces({ columns, computedAt, sequence }, [
    Buffer.from(`{"columns":${JSON.stringify(columns)},"rows":`),
    rowsJson,
    Buffer.from(`,${JSON.stringify(facts).slice(1, -1)}`),
  ]);
}

/** Returns a result whose JSON is in `pieces`. */
export function fromPieces(
  facts: Pick<CachedResult, 'columns' | 'computedAt' | 'sequence'>,
  pieces: readonly Uint8Array[],
): CachedResult {
  const sizeBytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const json = isSmall({ sizeBytes }) ? Buffer.concat(pieces).toString('utf8') : pieces;
  return { ...facts, json, sizeBytes };
}

/** Returns the JSON of a result as bytes. */
export const toPieces = ({ json }: Pick<CachedResult, 'json'>): readonly Uint8Array[] =>
  typeof json === 'string' ? [Buffer.from(json)] : json;

/** Returns the JSON of a result as text. */
export const toText = ({ json }: Pick<CachedResult, 'json'>): string =>
  typeof json === 'string' ? json : Buffer.concat(json).toString('utf8');

/** Returns the rows of a result. */
export function readRows(result: Pick<CachedResult, 'json'>): readonly (readonly unknown[])[] {
  // Sound because `toCachedResult` made it, of rows that the engine writes as arrays.
  const { rows } = parseJson(`${toText(result)}}`) as { rows: unknown[][] };
  return rows;
}
