import type { WidgetResult } from '#contract/dashboards/results.ts';
import { buildDocument } from '../document/document.ts';
import type { ExportJob, RepeatedResults } from '../job.ts';

/** Returns the file of a job. Only what its format needs is loaded. */
export async function createExport(
  job: ExportJob,
  lines: readonly WidgetResult[],
  repeated: readonly RepeatedResults[] = [],
): Promise<Uint8Array> {
  const document = buildDocument(job, lines, repeated);
  const single = job.widgetId === undefined ? undefined : document.grids[0]?.widgets[0];
  switch (job.format) {
    case 'xlsx':
      return (await import('./xlsx.ts')).createXlsx(document, job);
    case 'svg':
      return (await import('./svg.ts')).createSvg(document, single);
    case 'png':
      return (await import('./png.ts')).createPng(document, single);
    case 'pdf':
      return (await import('./pdf.ts')).createPdf(document, single, job);
  }
}
