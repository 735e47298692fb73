import type { ReportEdit } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import {
  onEachSide,
  valueInWords,
  type Choices,
  type ConflictItem,
  type EditConflict,
} from '../../../drafts/conflict/conflict.ts';

const labels: Readonly<Record<string, string>> = {
  name: t('Name'),
  description: t('Description'),
  dataSourceId: t('Data source'),
  query: t('Query'),
  structure: t('Steps of the query'),
  parameters: t('Parameters'),
  visualization: t('Chart'),
  cacheSeconds: t('Cache results for'),
  drill: t('When someone clicks'),
};

/** The parts of a built query, which only fit together. */
const builtQuery: ReadonlySet<string> = new Set(['query', 'structure', 'parameters']);

/** Returns, for each part of a report that both sides changed, the part that decides for it. */
function keysOf(conflicts: EditConflict<ReportEdit>['conflicts']): (pointer: string) => string {
  const isBuilt = conflicts.some(({ pointer }) => pointer === '/structure');
  return (pointer) => {
    const part = pointer.slice(1);
    return isBuilt && builtQuery.has(part) ? 'query' : part;
  };
}

/** Returns the parts of a report that both sides changed, each with its own choice; the parts of a built query have one. */
export function itemsOf({ conflicts }: Pick<EditConflict<ReportEdit>, 'conflicts'>): ConflictItem[] {
  const keyOf = keysOf(conflicts);
  return [...Map.groupBy(conflicts, ({ pointer }) => keyOf(pointer))].map(([key, parts]) => ({
    key,
    title: labels[key] ?? key,
    differences: parts
      .filter(({ pointer }) => parts.length === 1 || pointer !== '/structure')
      .map((conflict) => {
        const part = conflict.pointer.slice(1);
        return { label: labels[part] ?? part, ...onEachSide(conflict, valueInWords) };
      }),
  }));
}

/** Returns the merged edit with the chosen side of each part; by default, mine. */
export function applyChoices(
  { merged, conflicts }: Pick<EditConflict<ReportEdit>, 'merged' | 'conflicts'>,
  choices: Choices,
): ReportEdit {
  const keyOf = keysOf(conflicts);
  const chosen = conflicts.map(({ pointer, mine, theirs }): [string, unknown] => [
    pointer.slice(1),
    choices.get(keyOf(pointer)) === 'theirs' ? theirs : mine,
  ]);
  const all = { ...merged, ...Object.fromEntries(chosen) } satisfies Record<string, unknown>;
  // Sound because each part comes from one of the two edits; one that neither has is left out.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as ReportEdit;
}
