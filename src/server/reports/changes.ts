import type { ContentChange } from '#contract/history.ts';
import { isSameJson } from '../records/fields.ts';
import type { ReportContent } from './content.ts';

/** Lists what changed from one content to another, each in a sentence and with its place. */
export function describeReportChanges(from: ReportContent, to: ReportContent): ContentChange[] {
  return Object.entries(fieldWords).flatMap(([name, words]) => {
    // Sound because the names are those of a report's content.
    const [before, after] = [from[name as keyof ReportContent], to[name as keyof ReportContent]];
    return isSameJson(before, after) ? [] : [describe(name, words, before, after)];
  });
}

function describe(name: string, words: string, before: unknown, after: unknown): ContentChange {
  const pointer = `/${name}`;
  if (before === undefined) return { kind: 'added', pointer, words: `${words} added.`, after };
  if (after === undefined) return { kind: 'removed', pointer, words: `${words} removed.`, before };
  return { kind: 'changed', pointer, words: `${words} changed.`, before, after };
}

const fieldWords: Readonly<Record<keyof ReportContent, string>> = {
  name: 'Name',
  description: 'Description',
  dataSourceId: 'Data source',
  query: 'Query',
  parameters: 'Parameters',
  visualization: 'Visualization',
  cacheSeconds: 'Time in the cache',
};
