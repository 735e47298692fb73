import type { DrillTarget } from '#contract/reports/drill.ts';
import type { Report } from '#contract/reports/reports.ts';
import type { DialectName } from '#shared/query-builder/dialects/dialects.ts';
import { resultGroups } from '#shared/query-builder/drill/marks.ts';
import type { Search } from '../../ui/browser/search.ts';
import type { Mark } from '#charts/marks/mark.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { t } from '#shared/language/messages.ts';

/** The values of a mark, as requests have them. */
export type MarkValues = Record<string, string | number | boolean | null>;

export type Result = Pick<ResultRows, 'columns'>;

/** As many as the server accepts. */
const maxMarks = 100;

/** Returns the values that marks have of some columns, each combination once. */
export function markValues(
  marks: readonly Mark[],
  names: readonly string[],
  { columns }: Result,
): readonly MarkValues[] {
  const indexes = names.map((name) => [name, columns.findIndex((column) => column.name === name)] as const);
  const all = marks
    .flatMap(({ rows }) => rows)
    .map((row) => Object.fromEntries(indexes.map(([name, index]) => [name, scalarOf(row[index])])));
  return [...new Map(all.map((values) => [JSON.stringify(values), values])).values()];
}

const scalarOf = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

/** Returns the values that identify marks of a built query: those of its groups. Or why there are none, as a sentence. */
export function groupValues(
  { structure }: Pick<Report, 'structure'>,
  dialect: DialectName,
  marks: readonly Mark[],
  result: Result,
): { readonly values: readonly MarkValues[] } | { readonly reason: string } {
  if (structure === undefined)
    return { reason: t('The rows are only known for reports that are built without SQL.') };
  const groups = resultGroups(structure, dialect);
  if (groups === undefined) return { reason: t('The report shows the rows themselves.') };
  const values = markValues(
    marks,
    groups.map(({ name }) => name),
    result,
  );
  return values.length > maxMarks
    ? { reason: t('Select at most {maxMarks} values.', { maxMarks }) }
    : { values };
}

/** Returns why a target can't be opened for marks; undefined if it can. */
export function reasonAgainstTarget(
  target: DrillTarget,
  marks: readonly Mark[],
  { columns }: Result,
): string | undefined {
  const names = columnsOf(target);
  const missing = names.find((name) => columns.every((column) => column.name !== name));
  if (missing !== undefined) return t('The result has no column “{missing}”.', { missing });
  const count = markValues(marks, names, { columns }).length;
  if (count > maxMarks) return t('Select at most {maxMarks} values.', { maxMarks });
  const isSingle = target.kind === 'query' && Object.values(target.columns).some((type) => type !== 'list');
  return isSingle && count > 1 ? t('Select only one value.') : undefined;
}

/** Returns the columns whose values a target gets. */
export function columnsOf(target: DrillTarget): readonly string[] {
  if (target.kind === 'query') return Object.keys(target.columns);
  return Object.values(target.kind === 'report' ? target.parameters : target.filters);
}

/** Returns the query string of a linked report or dashboard: the values of marks by the names of its parameters. */
export function searchOf(
  byName: Readonly<Record<string, string>>,
  marks: readonly Mark[],
  result: Result,
): Search {
  return Object.fromEntries(
    Object.entries(byName).flatMap(([name, column]) => {
      const values = markValues(marks, [column], result).flatMap((mark) => mark[column] ?? []);
      const texts = values.map(String);
      return texts.length === 0 ? [] : [[name, texts.length === 1 ? (texts[0] ?? '') : texts]];
    }),
  );
}
