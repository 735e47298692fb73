import type { ContentChange } from '#contract/history.ts';
import { isSameJson } from '../records/fields.ts';
import type { ReportContent } from './content.ts';

/** Lists what changed from one content to another, each change as a sentence with a pointer. */
export function describeReportChanges(from: ReportContent, to: ReportContent): ContentChange[] {
  return Object.entries(fieldNames).flatMap(([field, name]) => {
    // Sound because these are the fields of a report's content.
    const [before, after] = [from[field as keyof ReportContent], to[field as keyof ReportContent]];
    return isSameJson(before, after) ? [] : [describe(field, name, before, after)];
  });
}

function describe(field: string, name: string, before: unknown, after: unknown): ContentChange {
  const pointer = `/${field}`;
  if (before === undefined) return { kind: 'added', pointer, words: `${name} added.`, after };
  if (after === undefined) return { kind: 'removed', pointer, words: `${name} removed.`, before };
  return { kind: 'changed', pointer, words: `${name} changed.`, before, after };
}

const fieldNames: Readonly<Record<keyof ReportContent, string>> = {
  name: 'Name',
  description: 'Description',
  dataSourceId: 'Data source',
  query: 'Query',
  parameters: 'Parameters',
  visualization: 'Visualization',
  cacheSeconds: 'Cache duration',
};
