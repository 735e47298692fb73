import type { ColumnLabel } from '#contract/models.ts';
import type { Fault } from '#contract/problem.ts';
import type { Result } from '../../results/results.ts';

/** The result of a report; `faults` are the reasons why its visualization can't show it. */
export interface ReportRun {
  readonly result: Result;
  readonly faults: readonly Fault[];
  readonly labels?: readonly ColumnLabel[];
}

/** JSON to send to a client: as a whole, or in pieces if it is large. */
export type ResultJson = string | Iterable<string | Uint8Array>;

/** How much of a large result is passed to the connection at once, which copies it. */
const pieceBytes = 256 * 1024;

/** Returns the JSON of a `ReportResult` between `before` and `after`. A large one releases its memory once it is read. */
export function toResultJson(
  { result, faults, labels = [] }: ReportRun,
  before = '',
  after = '',
): ResultJson {
  const labelled = labels.length === 0 ? '' : `,"labels":${JSON.stringify(labels)}`;
  const rest = `,"isFromCache":${result.isFromCache},"faults":${faults.length === 0 ? '[]' : JSON.stringify(faults)}${labelled}}`;
  const { json } = result;
  if (typeof json === 'string') return before + json + rest + after;
  return (function* readPieces() {
    try {
      yield before;
      for (const bytes of json) {
        for (let start = 0; start < bytes.byteLength; start += pieceBytes)
          yield bytes.subarray(start, start + pieceBytes);
      }
      yield rest + after;
    } finally {
      result.release();
    }
  })();
}
