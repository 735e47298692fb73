import { t } from '#shared/language/messages.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import type { ReportContent } from './edit/content.ts';

/** Returns why a query can't be run yet; undefined if it can. */
export function reasonAgainstRunning({ query, structure, parameters }: ReportContent): string | undefined {
  if (query.trim() === '')
    return structure === undefined ? t('Write a query first.') : t('Complete the steps of the query first.');
  const undeclared = findUndeclared(findPlaceholders(query).placeholders, parameters);
  return undeclared.length === 0
    ? undefined
    : t(
        '{count, plural, one {Define the parameter {names} first.} other {Define the parameters {names} first.}}',
        { count: undeclared.length, names: undeclared.map(({ name }) => name).join(', ') },
      );
}

/** Returns why a report can't be saved yet; undefined if it can. */
export const reasonAgainstSaving = (content: ReportContent): string | undefined =>
  content.name.trim() === '' ? t('Enter a name first.') : reasonAgainstRunning(content);
