import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import type { ReportContent } from './edit/content.ts';

/** Returns why a query can't be run yet; undefined if it can. */
export function reasonAgainstRunning({ query, structure, parameters }: ReportContent): string | undefined {
  if (query.trim() === '')
    return structure === undefined ? 'Write a query first.' : 'Complete the steps of the query first.';
  const undeclared = findUndeclared(findPlaceholders(query).placeholders, parameters);
  return undeclared.length === 0
    ? undefined
    : `Define the ${undeclared.length === 1 ? 'parameter' : 'parameters'} ${undeclared.map(({ name }) => name).join(', ')} first.`;
}

/** Returns why a report can't be saved yet; undefined if it can. */
export const reasonAgainstSaving = (content: ReportContent): string | undefined =>
  content.name.trim() === '' ? 'Enter a name first.' : reasonAgainstRunning(content);
