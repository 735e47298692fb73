import type { Column } from '#contract/data-sources/data-sources.ts';
import type { ReportResult } from '#contract/reports/runs.ts';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { QueryStructure } from '#shared/query-builder/structure.ts';
import { changeKind } from '#charts/change-kind.ts';
import { findFaults } from '#charts/kinds.ts';
import { suggestVisualization } from '#charts/suggestion.ts';
import { isSummarized } from './up-to.ts';

/** Returns the visualization that suits the result of a built query: a table of rows that aren't summarized. */
export const suggestedVisualization = (
  structure: QueryStructure,
  { columns, rows }: Pick<ReportResult, 'columns' | 'rows'>,
): Visualization => {
  if (!isSummarized(structure)) return { kind: 'table' };
  const groups = (structure.groups ?? []).map(({ name, column }) => name ?? column.name);
  return suggestVisualization(columns, rows, new Set(groups));
};

/**
 * Returns a visualization of the same kind that fits the columns of a result, if the one that people chose no longer does, such as
 * after a column was renamed; otherwise undefined.
 */
export function fittingVisualization(
  visualization: Visualization,
  columns: readonly Column[],
): Visualization | undefined {
  if (findFaults(visualization, columns).length === 0) return undefined;
  const { kind, title } = visualization;
  return changeKind({ kind: 'table', ...(title !== undefined && { title }) }, kind, columns);
}
