import type { Role } from '#contract/organizations/organizations.ts';
import { findPlaceholders, findUndeclared } from '#shared/sql/placeholders.ts';
import { mayAs } from '../ui/server-data/session.ts';
import type { ReportContent } from './edit/content.ts';

/** Why somebody may not write reports; undefined when they may. */
export const reasonAgainstEditing = (role: Role): string | undefined =>
  mayAs(role, 'editor') ? undefined : 'Takes the role editor. Ask an admin of the organization.';

/** Why a query cannot be run yet; undefined when it can. */
export function reasonAgainstRunning({ query, parameters }: ReportContent): string | undefined {
  if (query.trim() === '') return 'Write a query first.';
  const undeclared = findUndeclared(findPlaceholders(query).placeholders, parameters);
  return undeclared.length === 0
    ? undefined
    : `Declare ${undeclared.map(({ name }) => name).join(', ')} first.`;
}

/** Why a report cannot be saved yet; undefined when it can. */
export const reasonAgainstSaving = (content: ReportContent): string | undefined =>
  content.name.trim() === '' ? 'Give it a name first.' : reasonAgainstRunning(content);
