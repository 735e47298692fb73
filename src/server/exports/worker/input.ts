import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ExportJob, RepeatedResults, RepetitionLine } from '../job.ts';

/** Returns the job in the first line, and the results in the others: first those of the dashboard, then those of repeated sections. */
export function readInput(input: string): {
  readonly job: ExportJob;
  readonly lines: readonly WidgetResult[];
  readonly repeated: readonly RepeatedResults[];
} {
  const [job = '', ...others] = input.split('\n');
  const lines: WidgetResult[] = [];
  const repeated: (RepeatedResults & { readonly lines: WidgetResult[] })[] = [];
  for (const text of others) {
    if (text === '') continue;
    // Sound because the server wrote it, as the job.
    const line = JSON.parse(text) as WidgetResult | RepetitionLine;
    if ('repetitionOf' in line) repeated.push({ ...line.repetitionOf, lines: [] });
    else (repeated.at(-1)?.lines ?? lines).push(line);
  }
  return { job: JSON.parse(job) as ExportJob, lines, repeated };
}
