import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { isRange } from '#shared/dashboard-filters/bindings.ts';
import { valueOf } from '#shared/dashboard-filters/values.ts';
import { listOf, type DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import { filterValuesQuery, hasValues } from '../../filters/queries.ts';
import type { OpenDashboard } from '../open-dashboard.ts';

/** Sections are repeated at most this many times: each repetition runs the reports of its widgets again. */
export const maxRepetitions = 20;

/**
 * Why a section isn't repeated: its filter is for ranges; it has neither values nor a list of them; there is no such filter; or
 * the widgets, whose reports say which values are allowed, are still loading.
 */
type Reason = 'range' | 'unlisted' | 'unknown' | 'waiting';

/**
 * Returns the values that a section is repeated for: those that are chosen in its filter, or else all that can be. More than
 * `maxRepetitions` aren't shown.
 */
export function useRepetitions(
  name: string,
  widgets: readonly Widget[],
  { filters, context, results }: OpenDashboard,
): {
  readonly filter: DashboardFilter | undefined;
  readonly found: readonly string[] | Reason | 'loading';
  readonly textOf: (value: string) => string;
} {
  const client = useQueryClient();
  const filter = filters.find((each) => each.name === name);
  const kind = filter?.definition?.kind;
  const chosen = [...new Set(listOf(valueOf(context.values, name, filter?.definition)))].filter(
    (value) => value !== '',
  );
  const isListed = filter !== undefined && chosen.length === 0 && hasValues(filter);
  const query = filter && filterValuesQuery(client, filter, { filters, ...context });
  const { data, isFetching, error } = useQuery({
    queryKey: query?.queryKey ?? ['filter-values', name],
    queryFn: isListed && query?.queryFn ? query.queryFn : skipToken,
    staleTime: 60_000,
  });
  const isDate = filter?.type === 'date' || filter?.type === 'datetime';
  const isLoadingWidgets = widgets.some(
    ({ id }) => results.loading.has(id) || (!results.lines.has(id) && !results.missing.has(id)),
  );
  const find = (): readonly string[] | Reason | 'loading' => {
    if (isDate || (kind !== undefined && isRange(kind))) return 'range';
    if (chosen.length > 0) return chosen;
    if (kind === 'boolean' || filter?.type === 'boolean') return ['true', 'false'];
    if (isListed) return data?.items ?? (isFetching || error === null ? 'loading' : 'unlisted');
    if (isLoadingWidgets) return 'waiting';
    return filter === undefined ? 'unknown' : 'unlisted';
  };
  const isBoolean = kind === 'boolean' || filter?.type === 'boolean';
  return {
    filter,
    found: find(),
    textOf: (value) =>
      isBoolean && value === 'true' ? 'Yes' : isBoolean && value === 'false' ? 'No' : value,
  };
}
