import { isNumeric, isTemporal, type ColumnType } from '../../columns.ts';
import type { DialectName } from '../dialects/dialects.ts';
import { generateQuery } from '../generate.ts';
import type { Filter, FilterValue, Group, QueryStructure, SimpleFilter } from '../structure.ts';

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

/** Whether the rows of a query's result are summaries of those of its tables. */
export const isSummarized = ({ groups = [], measures = [] }: QueryStructure): boolean =>
  groups.length + measures.length > 0;

/** Returns the groups of a query; undefined if it doesn't generate, or doesn't summarize. */
export function resultGroups(
  structure: QueryStructure,
  dialect: DialectName,
): readonly ResultGroup[] | undefined {
  if (!isSummarized(structure)) return undefined;
  const { groups = [] } = structure;
  const generated = generateQuery(structure, dialect);
  if (!('query' in generated)) return undefined;
  // The columns of the groups come first.
  return groups.flatMap((group, index) => {
    const column = generated.query.columns[index];
    return column === undefined ? [] : [{ name: column.name, type: column.type, group }];
  });
}

/** Returns a query if it generates, or what is wrong with it. */
export function checked(structure: QueryStructure, dialect: DialectName): Drilled {
  const generated = generateQuery(structure, dialect);
  if ('query' in generated) return { structure };
  return { reason: generated.faults[0]?.message ?? 'The query can’t be changed like this.' };
}

/** Returns the query with a filter for the groups of marks. A query without groups has one mark, for all rows. */
export function filteredByMarks(
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
