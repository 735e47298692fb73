import type { ContentChange } from '#contract/records/history.ts';
import { describeField, isSameJson } from '../records/fields.ts';
import type { ReportContent } from './content.ts';

/** Lists what changed from one content to another, each change as a sentence with a pointer. */
export function describeReportChanges(from: ReportContent, to: ReportContent): ContentChange[] {
  return Object.entries(fieldNames).flatMap(([field, name]) => {
    // Sound because these are the fields of a report's content.
    const [before, after] = [from[field as keyof ReportContent], to[field as keyof ReportContent]];
    return isSameJson(before, after) ? [] : [describeField(field, name, before, after)];
  });
}

const fieldNames: Readonly<Record<keyof ReportContent, string>> = {
  name: 'Name',
  description: 'Description',
  dataSourceId: 'Data source',
  query: 'Query',
  structure: 'Steps of the query',
  parameters: 'Parameters',
  visualization: 'Visualization',
  cacheSeconds: 'Cache duration',
  drill: 'Clicks on the chart',
};
