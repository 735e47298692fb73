import { isNumeric, isTemporal, type ColumnType } from '../columns.ts';
import type { DialectName } from './dialects/dialects.ts';
import { generateQuery, type GeneratedQuery } from './generate.ts';
import type {
  Filter,
  FilterValue,
  Granularity,
  Group,
  Grouping,
  QueryStructure,
  SimpleFilter,
} from './structure.ts';

/** The values of a mark of a chart, by the columns of the result. */
export type MarkValues = Readonly<Record<string, unknown>>;

/** Another query that marks of a chart lead to, or why there is none, as a sentence for people. */
export type Drilled = { readonly structure: QueryStructure } | { readonly reason: string };

/** A group of a query, with the name and the type that it has in the result. */
export interface ResultGroup {
  readonly name: string;
  readonly type: ColumnType;
  readonly group: Group;
}

/** Returns the groups of a query; undefined if it doesn't generate, or doesn't summarize. */
export function resultGroups(
  structure: QueryStructure,
  dialect: DialectName,
): readonly ResultGroup[] | undefined {
  const { groups = [], measures = [] } = structure;
  if (groups.length + measures.length === 0) return undefined;
  const generated = generateQuery(structure, dialect);
  if (!('query' in generated)) return undefined;
  // The columns of the groups come first.
  return groups.flatMap((group, index) => {
    const column = generated.query.columns[index];
    return column === undefined ? [] : [{ name: column.name, type: column.type, group }];
  });
}

/**
 * Returns the query of the rows that marks stand for: those of their groups, also if a measure has its own condition, is
 * compared with another group, or is filtered after it is summarized.
 */
export function rowsBehind(
  structure: QueryStructure,
  dialect: DialectName,
  marks: readonly MarkValues[],
): Drilled {
  const filtered = filteredByMarks(structure, dialect, marks);
  return 'reason' in filtered ? filtered : { structure: unsummarized(filtered.structure) };
}

/** Returns the query without what summarizes its rows: what is left filters the rows of its tables. */
function unsummarized({
  groups: _groups,
  measures: _measures,
  resultFilters: _resultFilters,
  sort: _sort,
  limit: _limit,
  columns: _columns,
  ...rows
}: QueryStructure): QueryStructure {
  const { table, joins = [], customColumns = [] } = rows;
  if (joins.length === 0) return rows;
  return {
    ...rows,
    columns: [
      ...table.columns.map(({ name }) => ({ name })),
      ...joins.flatMap(({ as, table: joined }) => joined.columns.map(({ name }) => ({ table: as, name }))),
      ...customColumns.map(({ name }) => ({ name })),
    ],
  };
}

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

function checked(structure: QueryStructure, dialect: DialectName): Drilled {
  const generated = generateQuery(structure, dialect);
  if ('query' in generated) return { structure };
  return { reason: generated.faults[0]?.message ?? 'The query can’t be changed like this.' };
}

/** Returns the query with a filter for the groups of marks. A query without groups has one mark, for all rows. */
function filteredByMarks(
  structure: QueryStructure,
  dialect: DialectName,
  marks: readonly MarkValues[],
): Drilled {
  const groups = resultGroups(structure, dialect);
  if (groups === undefined) return { reason: 'The query doesn’t summarize rows.' };
  if (groups.length === 0) return { structure };
  const alternatives: (readonly SimpleFilter[])[] = [];
  for (const mark of marks) {
    const filters = groups.map((group) => groupFilter(group, mark));
    const fault = filters.find((filter) => 'reason' in filter);
    if (fault !== undefined) return fault;
    alternatives.push(filters.flatMap((filter) => ('reason' in filter ? [] : [filter])));
  }
  const [only = []] = alternatives;
  const added: readonly Filter[] = alternatives.length === 1 ? only : [merged(groups, alternatives)];
  return checked({ ...structure, filters: [...(structure.filters ?? []), ...added] }, dialect);
}

/** Marks that only differ in a text are one list, which has one parameter. */
function merged(groups: readonly ResultGroup[], any: readonly (readonly SimpleFilter[])[]): Filter {
  const [group] = groups;
  const isText = groups.length === 1 && group?.type === 'text' && group.group.granularity === undefined;
  const values = any.flatMap(([filter]) =>
    filter !== undefined && 'operator' in filter && filter.operator === 'in_group' ? [filter.value] : [],
  );
  const texts = values.filter((value) => value !== undefined);
  return isText && texts.length === any.length
    ? { column: group.group.column, operator: 'is', values: texts }
    : { any };
}

function groupFilter(
  { name, type, group }: ResultGroup,
  mark: MarkValues,
): SimpleFilter | { readonly reason: string } {
  if (!Object.hasOwn(mark, name)) return { reason: `It has no value of “${name}”.` };
  const value = mark[name];
  const { column, granularity, binWidth } = group;
  const filter = {
    column,
    operator: 'in_group',
    ...(granularity !== undefined && { granularity }),
    ...(binWidth !== undefined && { binWidth }),
  } as const;
  if (value === null) return filter;
  const exact = exactValue(type, value);
  return exact === undefined
    ? { reason: `The value of “${name}” can’t be searched for exactly.` }
    : { ...filter, value: exact };
}

/** Returns a value of a result as the value of a filter; undefined if it isn't one, or a number that JSON rounds. */
function exactValue(type: ColumnType, value: unknown): FilterValue | undefined {
  if (isNumeric(type)) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    const isRounded = type === 'integer' && !Number.isSafeInteger(number);
    return isRounded ? undefined : number;
  }
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'string') return undefined;
  // A moment at midnight stays one, and isn't taken for its day.
  return isTemporal(type) && type !== 'date' && value.length === 10 ? `${value}T00:00:00` : value;
}

/** Returns how many parameters of a query are those of its own filters, which come before those of marks. */
export function ownParameters(structure: QueryStructure, dialect: DialectName): GeneratedQuery['parameters'] {
  const generated = generateQuery(unsummarized(structure), dialect);
  return 'query' in generated ? generated.query.parameters : [];
}
