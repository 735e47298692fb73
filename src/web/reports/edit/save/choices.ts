import type { ReportEdit } from '#contract/reports/reports.ts';
import {
  onEachSide,
  valueInWords,
  type Choices,
  type ConflictItem,
  type EditConflict,
} from '../../../drafts/conflict/conflict.ts';

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  dataSourceId: 'Data source',
  query: 'Query',
  parameters: 'Parameters',
  visualization: 'Chart',
  cacheSeconds: 'Cache results for',
};

/** Returns the parts of a report that both sides changed, each with its own choice. */
export const itemsOf = ({ conflicts }: Pick<EditConflict<ReportEdit>, 'conflicts'>): ConflictItem[] =>
  conflicts.map((conflict) => {
    const key = conflict.pointer.slice(1);
    const label = labels[key] ?? key;
    return { key, title: label, differences: [{ label, ...onEachSide(conflict, valueInWords) }] };
  });

/** Returns the merged edit with the chosen side of each part; by default, mine. */
export function applyChoices(
  { merged, conflicts }: Pick<EditConflict<ReportEdit>, 'merged' | 'conflicts'>,
  choices: Choices,
): ReportEdit {
  const chosen = conflicts.map(({ pointer, mine, theirs }): [string, unknown] => {
    const key = pointer.slice(1);
    return [key, choices.get(key) === 'theirs' ? theirs : mine];
  });
  const all = { ...merged, ...Object.fromEntries(chosen) } satisfies Record<string, unknown>;
  // Sound because each part comes from one of the two edits; one that neither has is left out.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as ReportEdit;
}
