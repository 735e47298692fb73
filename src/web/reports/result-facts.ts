import type { ReportResult } from '#contract/reports/runs.ts';
import { counted } from '../ui/text/nouns.ts';

type Facts = Pick<ReportResult, 'rowCount' | 'isCutOff' | 'durationMs' | 'isFromCache'>;

/** Returns the number of rows and the duration of a run, as text. */
export function resultFacts({ rowCount, isCutOff, durationMs, isFromCache }: Facts): string {
  const rows = counted(rowCount, 'row');
  const size = isCutOff ? `The first ${rows}; there are more` : rows;
  const seconds = durationMs / 1_000;
  const took =
    durationMs < 1_000
      ? `${Math.max(1, Math.round(durationMs))} ms`
      : `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${size} · ${isFromCache ? `from the cache (took ${took})` : took}`;
}
