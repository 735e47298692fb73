import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import type { DashboardFilter } from '#shared/dashboard-filters/filter-list.ts';
import {
  isBoolean,
  knownRepetitions,
  repetitionText,
  type NotRepeated,
} from '#shared/sections/repetitions.ts';
import { filterValuesQuery, hasValues } from '../../filters/queries.ts';
import type { OpenDashboard } from '../open-dashboard.ts';

/** Why a section isn't repeated, yet or at all: while it waits, the widgets, whose reports say which values are allowed, are loading. */
type Reason = NotRepeated | 'waiting';

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
  const known = knownRepetitions(filter, name, context.values);
  const isListed = filter !== undefined && known === undefined && hasValues(filter);
  const query = filter && filterValuesQuery(client, filter, { filters, ...context });
  const { data, isFetching, error } = useQuery({
    queryKey: query?.queryKey ?? ['filter-values', name],
    queryFn: isListed && query?.queryFn ? query.queryFn : skipToken,
    staleTime: 60_000,
  });
  const isLoadingWidgets = widgets.some(
    ({ id }) => results.loading.has(id) || (!results.lines.has(id) && !results.missing.has(id)),
  );
  const find = (): readonly string[] | Reason | 'loading' => {
    if (known !== undefined) return known;
    if (isListed) return data?.items ?? (isFetching || error === null ? 'loading' : 'unlisted');
    if (isLoadingWidgets) return 'waiting';
    return filter === undefined ? 'unknown' : 'unlisted';
  };
  return {
    filter,
    found: find(),
    textOf: (value) => repetitionText(value, isBoolean(filter)),
  };
}
