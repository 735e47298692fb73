import type { QueryClient } from '@tanstack/react-query';
import { isEmpty, valueOf } from '#shared/dashboard-filters/values.ts';
import type { Search, SearchValue } from '../../ui/browser/search.ts';
import { listOf, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { filterValuesQuery, hasValues, limitingFilters, type ValuesContext } from './queries.ts';

/** Values that were removed from a filter because they don't fit the others. */
export interface Misfit {
  readonly filter: DashboardFilter;
  readonly values: readonly string[];
}

/**
 * Returns changed filters, with the others reduced to the values that they can still have. If a list can't be loaded, its filter
 * stays as it is.
 */
export async function withoutMisfits(
  client: QueryClient,
  { filters, values, calendar }: ValuesContext,
  changed: Search,
): Promise<{ readonly changed: Search; readonly misfits: readonly Misfit[] }> {
  let next = { ...values, ...changed };
  let result = changed;
  const misfits: Misfit[] = [];
  const touched = new Set(Object.keys(changed));
  // A filter is checked after those that limit it.
  for (const filter of inOrderOfDependence(filters)) {
    if (!isLimitedBy(filter, touched)) continue;
    const chosen = listOf(valueOf(next, filter.name, filter.definition)).filter((text) => text !== '');
    const listed = await client
      .query(filterValuesQuery(client, filter, { filters, values: next, calendar }))
      .catch(() => undefined);
    // A list that is cut off may lack values that fit.
    if (listed === undefined || listed.cutOffAt !== undefined) continue;
    const known = new Set(listed.items);
    const removed = chosen.filter((text) => !known.has(text));
    if (removed.length === 0) continue;
    const rest = chosen.filter((text) => known.has(text));
    const value = rest.length > 0 ? rest : fallbackOf(filter, known);
    next = { ...next, [filter.name]: value };
    result = { ...result, [filter.name]: value };
    touched.add(filter.name);
    misfits.push({ filter, values: removed });
  }
  return { changed: result, misfits };
}

/** Whether a change of other filters can leave a filter with values that don't fit. */
export const needsCheck = (filters: readonly DashboardFilter[], values: Search, changed: Search): boolean => {
  const touched = new Set(Object.keys(changed));
  return filters.some(
    (filter) => isLimitedBy(filter, touched) && !isEmpty(valueOf(values, filter.name, filter.definition)),
  );
};

const isLimitedBy = (filter: DashboardFilter, touched: ReadonlySet<string>): boolean =>
  hasValues(filter) && !limitingFilters(filter).isDisjointFrom(touched);

/** The default of a filter, if it still fits, and otherwise nothing. */
const fallbackOf = ({ definition }: DashboardFilter, known: ReadonlySet<string>): SearchValue =>
  definition?.default === undefined || listOf(definition.default).every((text) => known.has(text))
    ? undefined
    : '';

function inOrderOfDependence(filters: readonly DashboardFilter[]): DashboardFilter[] {
  const ordered: DashboardFilter[] = [];
  const waiting = new Set(filters);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const free = [...waiting].filter((filter) => limitingFilters(filter).isDisjointFrom(names));
    // Those that limit each other have no order.
    for (const filter of free.length > 0 ? free : waiting) {
      ordered.push(filter);
      waiting.delete(filter);
    }
  }
  return ordered;
}
