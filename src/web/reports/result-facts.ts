import type { ReportResult } from '#contract/reports/runs.ts';
import { t } from '#shared/language/messages.ts';

type Facts = Pick<ReportResult, 'rowCount' | 'isCutOff' | 'durationMs' | 'isFromCache'>;

/** Returns the number of rows and the duration of a run, as text. */
export function resultFacts({ rowCount, isCutOff, durationMs, isFromCache }: Facts): string {
  const size = isCutOff
    ? t(
        '{rowCount, plural, one {The first # row; there are more} other {The first # rows; there are more}}',
        { rowCount },
      )
    : t('{rowCount, plural, one {# row} other {# rows}}', { rowCount });
  const seconds = durationMs / 1_000;
  const took =
    durationMs < 1_000
      ? t('{count} ms', { count: Math.max(1, Math.round(durationMs)) })
      : t('{seconds} s', { seconds: seconds.toFixed(seconds < 10 ? 1 : 0) });
  return `${size} · ${isFromCache ? t('from the cache (took {took})', { took }) : took}`;
}
