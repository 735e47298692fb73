import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ExportJob } from '../job.ts';

/** Returns the job in the first line, and the results in the others. */
export function readInput(input: string): {
  readonly job: ExportJob;
  readonly lines: readonly WidgetResult[];
} {
  const [job = '', ...lines] = input.split('\n');
  return {
    // Sound because the server wrote it.
    job: JSON.parse(job) as ExportJob,
    lines: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WidgetResult),
  };
}
