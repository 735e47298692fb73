import type { ReportEdit } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { generateQuery } from '#shared/query-builder/generate.ts';
import { isSameParameters } from '#shared/query-builder/same-parameters.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import { without } from '../../visualizations/settings/without.ts';
import type { ReportContent } from './content.ts';

/** Whether the structure of a report still generates its query and its parameters. An empty query is that of an incomplete structure. */
function isBuilt({ structure, query, parameters }: ReportContent, dialect: DialectName): boolean {
  if (structure === undefined) return false;
  if (query === '') return true;
  const generated = generateQuery(structure, dialect);
  return (
    'query' in generated &&
    generated.query.sql === query &&
    isSameParameters(generated.query.parameters, parameters)
  );
}

/**
 * Returns how the query of a report is edited, unless people chose to write SQL. `canStart`: whether an empty query starts in the
 * builder, as that of a new report does.
 */
export const editingModeOf = (
  content: ReportContent,
  dialect: DialectName,
  canStart: boolean,
): 'builder' | 'sql' => (reasonAgainstBuilding(content, dialect, canStart) === undefined ? 'builder' : 'sql');

/** Returns why a report can't be opened in the query builder; undefined if it can. */
export function reasonAgainstBuilding(
  content: ReportContent,
  dialect: DialectName,
  canStart: boolean,
): string | undefined {
  if (isBuilt(content, dialect)) return undefined;
  if (content.structure !== undefined)
    return t('The SQL or its parameters were edited. Undo your edits to go back to the builder.');
  return canStart && content.query.trim() === ''
    ? undefined
    : t('This query was written as SQL, which the builder can’t read.');
}

/** Returns what is saved of a report: without its structure if the SQL was edited since. */
export function editOf(content: ReportContent, dialect: DialectName): ReportEdit {
  return isBuilt(content, dialect) ? content : without(content, 'structure');
}
