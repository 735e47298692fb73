import { isRange } from '#shared/dashboard-filters/bindings.ts';
import { listOf, type DashboardFilter, type FilterSource } from '#shared/dashboard-filters/filter-list.ts';
import { isEmpty, valueOf } from '#shared/dashboard-filters/values.ts';
import { givenIn, type Search, type SearchValue } from '../../ui/browser/search.ts';
import type { IsPicked, Picked } from '#charts/marks/mark.ts';

/** Returns the report whose parameter lists the values that a filter can have, if there is one. */
export const allowedSourceOf = ({ sources }: DashboardFilter): FilterSource | undefined =>
  sources.find(({ hasAllowed }) => hasAllowed);

/** Whether a filter has a value in the URL or by default. */
export const hasValue = (filter: DashboardFilter, values: Search): boolean =>
  filter.definition === undefined
    ? givenIn(values, filter.name) !== undefined
    : !isEmpty(valueOf(values, filter.name, filter.definition));

/** Whether the URL sets a filter to something else than its default. */
export const isChanged = (filter: DashboardFilter, values: Search): boolean =>
  givenIn(values, filter.name) !== undefined;

/** Returns the columns whose values can be picked as a filter: those with the name of one, ignoring case. */
export function pickableFields(
  columns: readonly { readonly name: string }[],
  filters: readonly DashboardFilter[],
): ReadonlySet<string> {
  return new Set(
    columns.map(({ name }) => name).filter((name) => filterOfField(name, filters) !== undefined),
  );
}

/** Returns the filters that change when values are picked: each is set, or cleared if it already has that value. */
export function withPicked(
  search: Search,
  picked: readonly Picked[],
  filters: readonly DashboardFilter[],
): Search {
  const changed = new Map<string, SearchValue>();
  for (const { field, value } of picked) {
    const filter = filterOfField(field, filters);
    if (filter === undefined || value === null || value === undefined) continue;
    const text = asFilter(value, filter);
    const given = givenIn(search, filter.name);
    const next = filter.type === 'list' ? toggled(listOf(given), text) : given === text ? undefined : text;
    changed.set(filter.name, next);
  }
  return Object.fromEntries(changed);
}

/** Returns whether values are chosen by the filters. */
export const isPickedBy =
  (search: Search, filters: readonly DashboardFilter[]): IsPicked =>
  (field, value) => {
    const filter = filterOfField(field, filters);
    const given = filter && givenIn(search, filter.name);
    if (filter === undefined || given === undefined) return undefined;
    // A range of several values isn't one that was picked.
    if (filter.definition !== undefined && isRange(filter.definition.kind) && isSeveral(given))
      return undefined;
    return listOf(given).includes(asFilter(value, filter));
  };

const isSeveral = (given: SearchValue): boolean => !/^(-?\d+(\.\d+)?|\d{4}-\d{2}-\d{2})$/.test(textOf(given));

/** Returns the filter with the name of a column, ignoring case, or else the one that sets a parameter of that name. */
export function filterOfField(
  field: string,
  filters: readonly DashboardFilter[],
): DashboardFilter | undefined {
  const wanted = field.toLowerCase();
  return (
    filters.find(({ name }) => name.toLowerCase() === wanted) ??
    filters.find(({ sources }) => sources.some(({ parameter }) => parameter.toLowerCase() === wanted))
  );
}

/** Returns the value of a filter as one text: the last value of a list. */
export const textOf = (value: SearchValue): string =>
  typeof value === 'string' ? value : (value?.at(-1) ?? '');

function toggled(values: readonly string[], text: string): readonly string[] | undefined {
  const rest = values.includes(text) ? values.filter((value) => value !== text) : [...values, text];
  return rest.length === 0 ? undefined : rest;
}

function asFilter(value: unknown, { type }: DashboardFilter): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return type === 'date' && /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text;
}
