import type { ColumnType } from '../../columns.ts';
import type { DialectName } from '../dialects/dialects.ts';
import type { Granularity, Group, Grouping, QueryStructure } from '../structure.ts';
import { checked, filteredByMarks, resultGroups, type Drilled, type MarkValues } from './marks.ts';

/** Returns the query in which the rows of marks are grouped by another column instead, by its months if it has many days. */
export function breakOut(
  structure: QueryStructure,
  dialect: DialectName,
  marks: readonly MarkValues[],
  group: Group,
): Drilled {
  const filtered = filteredByMarks(structure, dialect, marks);
  if ('reason' in filtered) return filtered;
  return checked(regrouped(filtered.structure, [group]), dialect);
}

/** Returns the query in which the rows of marks are grouped by the next shorter unit of time, or by narrower ranges. */
export function zoomIn(
  structure: QueryStructure,
  dialect: DialectName,
  marks: readonly MarkValues[],
): Drilled {
  const groups = resultGroups(structure, dialect) ?? [];
  const zoomed = groups.map(({ group }) => ({ group, finer: finerOf(structure, group) }));
  const index = zoomed.findIndex(({ finer }) => finer !== undefined);
  if (index === -1) return { reason: 'None of its groups is a range of time or numbers.' };
  const filtered = filteredByMarks(structure, dialect, marks);
  if ('reason' in filtered) return filtered;
  const next = zoomed.map(({ group, finer }, at): Group =>
    at === index ? { ...withoutGrouping(group), ...finer } : group,
  );
  return checked(regrouped(filtered.structure, next), dialect);
}

/** Returns what the first range of a query becomes by `zoomIn`; undefined if it has none. */
export const zoomOf = (structure: QueryStructure): Grouping | undefined =>
  (structure.groups ?? []).map((group) => finerOf(structure, group)).find((finer) => finer !== undefined);

/** The unit of time that each unit is divided into. Weeks aren't parts of a month. */
const finerUnits: { readonly [Unit in Granularity]?: Granularity } = {
  year: 'quarter',
  quarter: 'month',
  month: 'day',
  week: 'day',
  day: 'hour',
  hour: 'minute',
};
const binDivisor = 10;

function finerOf(structure: QueryStructure, { column, granularity, binWidth }: Group): Grouping | undefined {
  if (binWidth !== undefined) return { binWidth: Number((binWidth / binDivisor).toPrecision(12)) };
  const finer = granularity && finerUnits[granularity];
  if (finer === undefined || (finer === 'hour' && typeOf(structure, column) === 'date')) return undefined;
  return { granularity: finer };
}

function typeOf(
  { table, joins = [] }: QueryStructure,
  column: { readonly table?: string; readonly name: string },
): ColumnType | undefined {
  const columns =
    column.table === undefined ? table.columns : joins.find(({ as }) => as === column.table)?.table.columns;
  return columns?.find(({ name }) => name === column.name)?.type;
}

function withoutGrouping({ granularity: _granularity, binWidth: _binWidth, ...group }: Group): Group {
  return group;
}

/** Returns a summary by other groups. What refers to the columns of the former ones is left out. */
function regrouped(
  { sort: _sort, resultFilters: _resultFilters, limit: _limit, ...rest }: QueryStructure,
  groups: readonly Group[],
): QueryStructure {
  const { measures } = rest;
  const hasTime = groups.some(({ granularity }) => granularity !== undefined);
  return {
    ...rest,
    groups,
    // Only a group of times has previous periods.
    ...(measures && {
      measures: measures.map((measure) => {
        const { comparison, ...plain } = measure;
        return comparison === undefined || comparison === 'share_of_total' || hasTime ? measure : plain;
      }),
    }),
  };
}
